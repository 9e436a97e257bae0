#include "regard/cli/figure/look_figure.h"

namespace regard {

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
