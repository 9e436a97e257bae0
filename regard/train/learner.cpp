#include "regard/train/learner.h"

#include <algorithm>
#include <cmath>

#include "regard/backend/launch.h"
#include "regard/backend/optimise.h"

namespace regard {
namespace {

double squares(const Tensor& x) {
  double sum = 0;
  visit(x.dtype(),
        [&]<class T>(T) { sum = kernel::sum_of_squares(Cpu::get(), detail::typed<T>(rows(x))); });
  return sum;
}

}  // namespace

Learner::Learner(Model& model, const TrainSpec& spec)
    : spec_(spec), optimiser_(find_optimiser(spec.optimiser)), kept_apart_(spec.accumulate > 1) {
  model.each([&](const std::string& name, Var& parameter) {
    parameters_.push_back({name, parameter});
    auto& memory = memories_.emplace_back();
    for (int i = 0; i < optimiser_.memories; ++i)
      memory.emplace_back(parameter.shape(), parameter.dtype());
    if (spec.ema_decay > 0) means_.push_back(parameter.value().clone());
    sums_.push_back(kept_apart_ ? Tensor(parameter.shape(), parameter.dtype()) : Tensor());
  });
}

void Learner::take_gradients() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Var& parameter = parameters_[i].parameter;
    if (!parameter.has_grad()) continue;
    if (kept_apart_)
      launch(parameter.device(), kernel::add_to, rows(parameter.grad()), rows(sums_[i]));
    else
      sums_[i] = parameter.grad();
    parameter.clear_grad();
  }
}

double Learner::step(double rate) {
  double total = 0;
  for (const Tensor& sum : sums_)
    if (sum.count()) total += squares(sum);
  const double length = std::sqrt(total);
  if (std::isfinite(length)) {
    ++steps_;
    const double scale =
        spec_.clip_norm > 0 && length > spec_.clip_norm ? spec_.clip_norm / length : 1;
    for (std::size_t i = 0; i < parameters_.size(); ++i) update(i, rate, scale);
  }
  forget_gradients();
  return length;
}

void Learner::forget_gradients() {
  for (Tensor& sum : sums_) {
    if (kept_apart_)
      sum.fill(0);
    else
      sum = {};
  }
}

void Learner::update(std::size_t i, double rate, double gradient_scale) {
  const Var& parameter = parameters_[i].parameter;
  if (sums_[i].count() == 0) sums_[i] = Tensor(parameter.shape(), parameter.dtype());
  Update update{parameter.value(), sums_[i], memories_[i], steps_, rate, gradient_scale};
  optimiser_.update(spec_, update);
  if (means_.empty()) return;
  // Early on the mean must not be of the first weights: its memory grows with the steps.
  const double share = std::max(1 - spec_.ema_decay, 1 / (static_cast<double>(steps_) + 1));
  launch(parameter.device(), kernel::approach, share, rows(parameter.value()), rows(means_[i]));
}

std::vector<NamedParameter> Learner::best_weights() const {
  std::vector<NamedParameter> best = parameters_;
  for (std::size_t i = 0; i < means_.size(); ++i) best[i].parameter = Var(means_[i]);
  return best;
}

std::vector<std::pair<std::string, Tensor>> Learner::state() const {
  std::vector<std::pair<std::string, Tensor>> all;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const std::string& name = parameters_[i].name;
    all.emplace_back("weight/" + name, parameters_[i].parameter.value());
    for (std::size_t j = 0; j < memories_[i].size(); ++j)
      all.emplace_back("memory" + std::to_string(j) + "/" + name, memories_[i][j]);
    if (!means_.empty()) all.emplace_back("mean/" + name, means_[i]);
  }
  return all;
}

}  // namespace regard
