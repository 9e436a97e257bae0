#pragma once

#include <string>

#include "regard/cli/figure/figure_files.h"
#include "regard/viewer/look_sheet.h"

namespace regard {

/// The content of the file of --svg, --png, --pdf or --csv.
std::string drawn(const std::string& option, LookSheet sheet, const FigureFiles& files);

}  // namespace regard
