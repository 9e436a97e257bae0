#pragma once

#include <string>

#include "regard/cli/inspect/view.h"
#include "regard/image/image.h"
#include "regard/model/label_model.h"
#include "regard/model/model_folder.h"
#include "regard/trace/trace.h"
#include "regard/viewer/look_sheet.h"

namespace regard {

/// A picture as the model sees it, the labels it may have, and what every head looked at.
struct LabelledPicture {
  Image square;
  Trace trace;
};

/// Reads and labels it. Throws Error(input) for a file that is no picture.
LabelledPicture labelled_picture(const Loaded<LabelModel>& model, const std::string& path,
                                 const TraceRequest& request = {});

/// Where the class token looked in the heads of the view, as a contact sheet: its title is the
/// label, and a panel of it is called as its head, "2.1".
LookSheet look_sheet(const LabelledPicture& picture, const View& view);

/// The weights of the class token's row in a head, of the patches alone.
std::vector<double> class_look(const TracedHead& head);

}  // namespace regard
