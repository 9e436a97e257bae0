// Draws the plots that a bench has left in its JSON, as SVG and PNG beside it.
// usage: bench_plot RESULTS.json FOLDER
#include "bench/worker.h"
#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/viewer/line_plot.h"

namespace regard::bench {
namespace {

LinePlot plot_of(const nlohmann::json& told) {
  LinePlot plot{.title = told.at("title"), .x_axis = told.at("x"), .y_axis = told.at("y")};
  plot.log_x = told.value("log_x", false);
  plot.log_y = told.value("log_y", false);
  for (const nlohmann::json& curve : told.at("curves"))
    plot.curves.push_back({.name = curve.at("name"), .x = curve.at("x"), .y = curve.at("y")});
  return plot;
}

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  using namespace regard;
  return bench::guarded("bench_plot", [&] {
    check(argc == 3, "expected RESULTS.json FOLDER");
    const nlohmann::json results = parse_json(read_file(argv[1]), argv[1]);
    for (const auto& [name, told] : results.at("plots").items()) {
      const std::string path = std::string(argv[2]) + "/" + name;
      const LinePlot plot = bench::plot_of(told);
      write_file(path + ".svg", svg(plot));
      write_file(path + ".png", png(plot));
      fmt::print("picture: {}.svg and .png\n", path);
    }
    return 0;
  });
}
