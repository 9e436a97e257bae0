#pragma once

#include <string>
#include <vector>

#include "regard/cli/figure/figure_files.h"
#include "regard/cli/inspect/view.h"
#include "regard/model/label_model.h"
#include "regard/model/model_folder.h"

namespace regard {

/// Shows the likeliest labels of a picture, and where the class token looked in each head of the
/// view: in the terminal, as figures, as JSON with all weights. `top` labels are kept. -> the exit
/// code. Throws Error(usage) for what only sentences have.
int inspect_labelled_picture(const Loaded<LabelModel>& model, const std::string& path,
                             const View& view, Index top, const FigureFiles& files,
                             const std::vector<OutputFile>& outputs);

}  // namespace regard
