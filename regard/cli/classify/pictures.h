#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regard/cli/figure/figure_files.h"
#include "regard/model/label_model.h"
#include "regard/model/model_folder.h"

namespace regard {

/// What is said of one picture or text: a line, or an object as JSON.
using SayLabels =
    std::function<std::string(const std::string& path, const std::vector<double>& scores)>;

/// Labels pictures and prints what `say` makes of each, or draws where the class token looked in
/// the one that there is. -> the exit code
int label_pictures(const Loaded<LabelModel>& model, const std::vector<std::string>& paths,
                   const SayLabels& say, const FigureFiles& files,
                   const std::vector<OutputFile>& outputs);

/// Tests the model on builtin:shapes or on a list of pictures and labels. -> the exit code. Throws
/// Error(input) naming list and line for a label that it does not know.
int test_on_pictures(const Loaded<LabelModel>& model, const std::string& list,
                     const FigureFiles& files, const std::vector<OutputFile>& outputs);

}  // namespace regard
