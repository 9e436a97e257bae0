// Attention pooling: Nadaraya-Watson kernel regression, where a query asks its neighbours for the
// answer.
#include <vector>

#include "examples/show.h"
#include "regard/model/kernel_regression.h"

namespace regard::examples {
namespace {

/// Mean squared distance of the predictions from the curve behind the data.
double error_of(const RegressionFit& fit) {
  const std::vector<double> questions = regression_questions();
  double total = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const double gap = fit.predictions[i] - regression_truth(questions[i]);
    total += gap * gap;
  }
  return total / static_cast<double>(questions.size());
}

void pooling(const std::string& folder) {
  const RegressionData data = regression_data(Rng(1));
  const std::vector<double> questions = regression_questions();
  Curve truth{.name = "truth", .x = questions};
  for (const double x : questions) truth.y.push_back(regression_truth(x));

  LinePlot plot{.title = "Attention pooling", .x_axis = "x", .y_axis = "y", .curves = {truth}};
  HeatMap map{.title = "Where each question looked", .row_axis = "question", .col_axis = "point"};
  fmt::print("50 noisy points of y = 2 sin x + x^0.8; asked at 50 places.\n\n");
  fmt::print("pooling            error    what it does\n");
  const std::pair<const char*, const char*> kinds[] = {
      {"average", "every point counts the same: blind to x"},
      {"gaussian", "near points count more: weights softmax(-(x - x_i)^2 / 2)"},
      {"gaussian-learned", "how near is near is learned: one number w"}};
  for (const auto& [name, what] : kinds) {
    const RegressionFit fit = fit_regression(name, data);
    fmt::print("{:<17} {:6.4f}    {}\n", name, error_of(fit), what);
    plot.curves.push_back({.name = name, .x = questions, .y = fit.predictions});
    map.panels.push_back(panel(name, fit.weights));
    if (!fit.learned.empty())
      fmt::print("\nw went from 1 to {:.3f} in {} steps; the loss from {:.4f} to {:.4f}.\n",
                 fit.learned[0], fit.losses.size() - 1, fit.losses.front(), fit.losses.back());
  }
  plot.curves.push_back({.name = "points", .x = data.x, .y = data.y, .points = true});
  show(plot, folder + "/pooling");
  save(map, folder + "/pooling_weights");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, regard::examples::pooling);
}
