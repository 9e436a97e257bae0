#pragma once

#include <string>

#include "regard/cli/figure/figure_files.h"
#include "regard/image/patches.h"
#include "regard/model/spec.h"
#include "regard/viewer/look_sheet.h"

namespace regard {

/// What a model of the spec cuts a picture into.
PatchGrid grid_of(const ModelSpec& spec);

/// The content of the file of --svg, --png, --pdf or --csv.
std::string drawn(const std::string& option, LookSheet sheet, const FigureFiles& files);

}  // namespace regard
