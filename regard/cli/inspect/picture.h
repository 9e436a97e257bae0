#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/cli/figure/figure_files.h"
#include "regard/cli/inspect/view.h"
#include "regard/decode/spec.h"
#include "regard/model/model_folder.h"

namespace regard {

/// A picture to look into, and how.
struct PictureToInspect {
  std::string path;
  ViewOptions view;
  DecodeSpec decode;
  std::optional<std::string> reference;  ///< instead of the caption that is found
  bool quiet = false;                    ///< the caption alone, not how it came about
};

/// Shows where the heads of the view looked as the model said what the picture shows: in the
/// terminal, as figures, and all heads as JSON with every weight. -> the exit code. Throws
/// Error(usage) for what only sentences have.
int inspect_picture(const LoadedModel& model, const PictureToInspect& picture,
                    const FigureFiles& files, const std::vector<OutputFile>& outputs);

}  // namespace regard
