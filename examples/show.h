#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/ops/mask.h"
#include "regard/tensor/tensor.h"
#include "regard/viewer/heat_map.h"
#include "regard/viewer/line_plot.h"

/// What every example needs: a folder for its pictures, and ways to show numbers.
namespace regard::examples {

/// Runs an example: body(folder), where the folder is the program's first word ("." without one)
/// and is made if missing. The exit code follows the kind of error, as in the program regard.
template <class Body>
int run(int argc, char** argv, const Body& body) {
  try {
    const std::string folder = argc > 1 ? argv[1] : ".";
    std::filesystem::create_directories(folder);
    body(folder);
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return exit_code(error.fault);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return exit_code(Fault::io);
  }
}

/// Writes a picture (a HeatMap or a LinePlot) to path.svg, path.png and path.pdf.
template <class Picture>
void save(const Picture& picture, const std::string& path) {
  write_file(path + ".svg", svg(picture));
  write_file(path + ".png", png(picture));
  write_file(path + ".pdf", pdf(picture));
  fmt::print("picture: {}.svg, .png and .pdf\n", path);
}

/// Draws a picture here, as well as the terminal can, and saves it.
template <class Picture>
void show(const Picture& picture, const std::string& path) {
  fmt::print("\n{}", terminal(picture, terminal_of(STDOUT_FILENO)));
  save(picture, path);
}

/// Prints a matrix under a line that says what it is.   matrix [T, S]
inline void print(std::string_view what, const Tensor& matrix, int decimals = 4) {
  fmt::print("{}\n", what);
  for (Index t = 0; t < matrix.size(0); ++t) {
    for (Index s = 0; s < matrix.size(1); ++s)
      fmt::print("{:{}.{}f}", matrix.at({t, s}), decimals + 5, decimals);
    fmt::print("\n");
  }
}

/// q1, q2, ... as the program regard names rows; none where they are too many to read.
inline std::vector<std::string> numbered(std::string_view letter, Index count) {
  std::vector<std::string> names;
  for (Index i = 1; i <= count && count <= 12; ++i) names.push_back(fmt::format("{}{}", letter, i));
  return names;
}

/// Weights as a panel of a heat map, hatched where the mask hides the key.   matrix [..., T, S],
/// other axes of size 1
inline Panel panel(std::string title, const Tensor& matrix, const Mask& mask = Mask::full()) {
  const Index T = matrix.size(-2), S = matrix.size(-1);
  Panel result{.title = std::move(title),
               .rows = T,
               .cols = S,
               .values = matrix.values(),
               .row_labels = numbered("q", T),
               .col_labels = numbered("k", S)};
  for (Index i = 0; i < T * S; ++i)
    if (!mask.visible({1, 1, T, S}, 0, 0, i / S, i % S))
      result.values[static_cast<std::size_t>(i)] = std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace regard::examples
