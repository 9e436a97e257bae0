#include "regard/backend/attending_gru.h"
#include "regard/backend/cpu/additive_rows.h"
#include "regard/backend/cpu/gru_steps.h"
#include "regard/backend/softmax.h"

namespace regard::kernel {
namespace {

/// A few sequences on their way back through time. Rows are counted from the first of them.
template <Real T>
class GroupBack {
 public:
  GroupBack(Cpu& cpu, const AttendingGru<T>& in, const AttendingGradient<T>& out, Places places)
      : cpu_(cpu),
        in_(in),
        out_(out),
        places_(places),
        F_(in.layers[0].units.initial.width),
        h_(in.judge.width) {
    const Index most = places.end - places.first, longest = in.weights.width;
    below_ = reinterpret_cast<T*>(
        scratch_bytes(static_cast<std::size_t>(most * F_ + 2 * longest) * sizeof(T)));
    dscores_ = below_ + most * F_;
    mixed_ = dscores_ + longest;
  }

  void run() {
    for (t_ = in_.time.steps - 1; t_ >= 0; --t_) {
      going_ = places_.going(in_.time, t_);
      if (going_ == 0) continue;
      row_ = in_.time.begin(t_) + places_.first;
      for (Index r = 0; r < going_; ++r)
        add(out_.dstates.row(row_ + r), carry(in_.layers.size() - 1) + r * F_);
      for (std::size_t i = in_.layers.size(); i-- > 0;) {
        step_back(cpu_, in_.time, in_.layers[i].units, t_, places_, out_.layers[i].units);
        multiply<T>(cpu_, {out_.layers[i].units.dgx[row_].data(), going_, 3 * F_, 3 * F_},
                    out_.layers[i].input, nullptr, {below_, going_, F_, F_});
        if (i > 0) hand_down(i);
      }
      for (Index r = 0; r < going_; ++r) add(out_.dcontexts.row(row_ + r), below_ + r * F_);
      look_back();
    }
  }

 private:
  T* carry(std::size_t layer) const { return out_.layers[layer].units.carry[places_.first].data(); }
  void add(const T* from, T* to) const {
    for (Index j = 0; j < F_; ++j) to[j] += from[j];
  }

  /// From a layer's input to the state below it.
  void hand_down(std::size_t i) {
    for (Index r = 0; r < going_; ++r) {
      T* dx = below_ + r * F_;
      if (!in_.layer_draws.empty())
        drop_row(in_.layer_draws[static_cast<std::size_t>(t_) * in_.layers.size() + i],
                 {.t = places_.first + r}, {dx, 1, F_}, dx);
      add(dx, carry(i - 1) + r * F_);
    }
  }

  /// From the contexts, in below_, to values, keys and the states that asked.
  void look_back() {
    for (Index r = 0; r < going_; ++r) {
      const Index place = places_.first + r;
      const Rows<const T> values = in_.of_source(in_.values, place);
      const Index S = values.count;
      const T* weights = in_.weights[row_ + r].data();
      const T* mixed = weights;
      const DropoutDraws* draws =
          in_.weight_draws.empty() ? nullptr : &in_.weight_draws[static_cast<std::size_t>(t_)];
      if (draws) {
        drop_row(*draws, {.b = place}, {weights, 1, S}, mixed_);
        mixed = mixed_;
      }
      mix_row_backward(mixed, values,
                       {below_ + r * F_, dscores_, in_.of_source(out_.dvalues, place)});
      if (draws) drop_row(*draws, {.b = place}, {dscores_, 1, S}, dscores_);
      softmax_backward(cpu_, {weights, 1, S}, {dscores_, 1, S}, {dscores_, 1, S});
      additive_row_backward(
          {in_.queries[row_ + r].data(), in_.of_source(in_.keys, place), in_.judge.data},
          {dscores_, out_.dqueries[row_ + r].data(), in_.of_source(out_.dkeys, place),
           out_.djudge[place].data()});
    }
    multiply<T>(cpu_, {out_.dqueries[row_].data(), going_, h_, h_}, out_.query, nullptr,
                {carry(in_.layers.size() - 1), going_, F_, F_}, /*accumulate=*/true);
  }

  Cpu& cpu_;
  const AttendingGru<T>& in_;
  const AttendingGradient<T>& out_;
  const Places places_;
  const Index F_, h_;
  T *below_, *dscores_, *mixed_;
  Index t_ = 0, going_ = 0, row_ = 0;  // the step, its sequences, and the first one's row
};

template <Real T>
void backward(Cpu& cpu, const AttendingGru<T>& in, const AttendingGradient<T>& out) {
  each_group(cpu, in.time, [&](Places places) { GroupBack<T>(cpu, in, out, places).run(); });
}

}  // namespace

void AttendStepsBackward::operator()(Cpu& cpu, const AttendingGru<f32>& in,
                                     const AttendingGradient<f32>& out) const {
  backward(cpu, in, out);
}
void AttendStepsBackward::operator()(Cpu& cpu, const AttendingGru<f64>& in,
                                     const AttendingGradient<f64>& out) const {
  backward(cpu, in, out);
}

}  // namespace regard::kernel
