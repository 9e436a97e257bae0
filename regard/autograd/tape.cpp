#include <algorithm>
#include <atomic>
#include <functional>
#include <unordered_set>
#include <utility>

#include "regard/autograd/node.h"
#include "regard/base/check.h"

namespace regard {
namespace {

thread_local bool recording_now = true;
std::atomic<std::uint64_t> recorded = 0;  // over all threads: a graph may be built on several

}  // namespace

Var::Node::~Node() {
  // A long chain would otherwise be destroyed by as deep a recursion.
  Tape::Nodes doomed;
  const auto take = [&](std::vector<Var>& inputs) {
    for (Var& input : inputs)
      if (input.node_ && input.node_.use_count() == 1) doomed.push_back(std::move(input.node_));
    inputs.clear();
  };
  backward = nullptr;  // it holds handles on the inputs too
  take(inputs);
  while (!doomed.empty()) {
    const std::shared_ptr<Node> node = std::move(doomed.back());
    doomed.pop_back();
    node->backward = nullptr;
    take(node->inputs);
  }
}

Var Tape::record(Tensor y, const std::vector<Var>& inputs, Backward backward, Remake remake) {
  Var result(std::move(y));
  const bool needed =
      std::ranges::any_of(inputs, [](const Var& input) { return input.needs_grad(); });
  if (!recording_now || !needed) return result;
  result.node_->needs_grad = true;
  result.node_->order = ++recorded;
  result.node_->inputs = inputs;
  result.node_->backward = std::move(backward);
  result.node_->remake = std::move(remake);
  return result;
}

Tape::Nodes Tape::reachable(const Var& from) {
  Nodes nodes{from.node_};
  std::unordered_set<const Var::Node*> seen{from.node_.get()};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    check(!nodes[i]->spent,
          "a graph was run backward twice, or a part of it was; it is released on ",
          "the first run, so compute it again");
    const std::shared_ptr<Var::Node> node = nodes[i];
    for (const Var& input : node->inputs)
      if (input.needs_grad() && seen.insert(input.node_.get()).second) nodes.push_back(input.node_);
  }
  std::ranges::sort(nodes, std::greater(), [](const auto& node) { return node->order; });
  return nodes;
}

void Tape::run(const Var& from) {
  Nodes nodes = reachable(from);
  for (std::shared_ptr<Var::Node>& next : nodes) {
    const std::shared_ptr<Var::Node> node = std::move(next);  // freed as soon as it is done with
    if (!node->backward) continue;                            // a leaf
    const Backward backward = std::move(node->backward);
    node->backward = nullptr;
    node->inputs.clear();
    node->spent = true;
    if (!node->has_grad) continue;
    const Tensor dy = std::move(node->grad);
    node->grad = {};
    node->has_grad = false;
    backward(dy);
  }
}

Var record(Tensor y, const std::vector<Var>& inputs, Backward backward, Remake remake) {
  return Tape::record(std::move(y), inputs, std::move(backward), std::move(remake));
}

void backward(const Var& loss) {
  check(loss.value().count() == 1, "backward() starts from one number, got shape ", loss.shape(),
        "; give dL/dy for more");
  backward(loss, Tensor::full(loss.shape(), 1, loss.dtype()));
}

void backward(const Var& y, Tensor dy) {
  check(y.needs_grad(), "no parameter stands behind this variable, or recording was off");
  y.accumulate(std::move(dy));
  Tape::run(y);
}

bool recording() {
  return recording_now;
}

NoGrad::NoGrad() : outer_(std::exchange(recording_now, false)) {}
NoGrad::~NoGrad() {
  recording_now = outer_;
}

}  // namespace regard
