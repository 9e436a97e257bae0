#pragma once

#include <functional>
#include <string>
#include <vector>

#include "regard/decode/hypothesis.h"
#include "regard/decode/spec.h"
#include "regard/image/image.h"
#include "regard/model/model_folder.h"
#include "regard/viewer/look_sheet.h"

namespace regard {

/// The captions of square pictures, best first, whatever their number.
std::vector<std::vector<Hypothesis>> captions_of(const LoadedModel& model,
                                                 const std::function<Image(Index)>& square,
                                                 Index count, const DecodeSpec& spec);

/// "layer 2, head 1", counted from 1; either may be the mean of all.
std::string described(const AlignmentHead& head);

/// Where the model looked as it said each token, as a contact sheet; its title is the caption, and
/// which head it is its subtitle.
LookSheet look_sheet(const LoadedModel& model, const Image& square,
                     const std::vector<std::int32_t>& ids, const AlignmentHead& head);

}  // namespace regard
