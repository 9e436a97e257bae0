#include "regard/cli/figure/look_figure.h"

namespace regard {

PatchGrid grid_of(const ModelSpec& spec) {
  return {.side = spec.image_size, .patch = spec.image_patch};
}

std::string drawn(const std::string& option, LookSheet sheet, const FigureFiles& files) {
  if (files.title) {
    sheet.title = *files.title;
    sheet.subtitle.clear();
  }
  return option == "--csv"   ? csv(heat_map_of(sheet))
         : option == "--svg" ? svg(sheet)
         : option == "--png" ? png(sheet)
                             : pdf(sheet);
}

}  // namespace regard
