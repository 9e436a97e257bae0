#include "regard/cli/text_table.h"

#include <algorithm>

#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr int kWidestColumn = 28;

}  // namespace

void TextTable::add(const std::vector<std::string>& row) {
  widths_.resize(std::max(widths_.size(), row.size()));
  for (std::size_t i = 0; i < row.size(); ++i)
    widths_[i] =
        std::max(widths_[i], std::min(kWidestColumn, display_width(shown(terminal_, row[i]))));
  rows_.push_back(row);
}

std::string TextTable::text() const {
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += fitted(terminal_, row[i], widths_[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace regard
