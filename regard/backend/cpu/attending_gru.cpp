#include "regard/backend/attending_gru.h"

#include "regard/backend/cpu/additive_rows.h"
#include "regard/backend/cpu/gru_steps.h"
#include "regard/backend/softmax.h"

namespace regard::kernel {
namespace {

/// A few sequences on their way through time. Rows are counted from the first of them.
template <Real T>
class Group {
 public:
  Group(Cpu& cpu, const AttendingGru<T>& in, Places places)
      : cpu_(cpu),
        in_(in),
        places_(places),
        F_(in.layers[0].units.initial.width),
        h_(in.judge.width) {
    const Index most = places.end - places.first, longest = in.weights.width;
    gx_ = reinterpret_cast<T*>(
        scratch_bytes(static_cast<std::size_t>(most * 6 * F_ + 2 * longest) * sizeof(T)));
    gh_ = gx_ + most * 3 * F_;
    scores_ = gh_ + most * 3 * F_;
    mixed_ = scores_ + longest;
  }

  void run() {
    for (t_ = 0; t_ < in_.time.steps; ++t_) {
      going_ = places_.going(in_.time, t_);
      if (going_ == 0) return;
      row_ = in_.time.begin(t_) + places_.first;
      look();
      for (std::size_t i = 0; i < in_.layers.size(); ++i) {
        read_below(i);
        step(cpu_, in_.time, in_.layers[i].units, t_, places_, gx_, gh_);
      }
    }
  }

 private:
  /// The contexts of this step.
  void look() {
    Matrix<const T> state = in_.layers.back().units.before(in_.time, t_, places_.first);
    state.rows = going_;
    const Rows<T> queries{in_.queries[row_].data(), going_, h_};
    multiply<T>(cpu_, state, in_.query, nullptr, {queries.data, going_, h_, h_});
    for (Index i = 0; i < going_; ++i) {
      const Index place = places_.first + i;
      const Rows<const T> keys = in_.of_source(in_.keys, place);
      const Index S = keys.count;
      const T* mixed = in_.weights[row_ + i].data();
      if (S > 0) {
        additive_row({queries[i].data(), keys, in_.judge.data}, scores_);
        softmax(cpu_, {1, 1, 1, S}, MaskView<T>{}, {scores_, 1, S},
                {in_.weights[row_ + i].data(), 1, S});
      }
      if (!in_.weight_draws.empty()) {
        drop_row(in_.weight_draws[static_cast<std::size_t>(t_)], {.b = place}, {mixed, 1, S},
                 mixed_);
        mixed = mixed_;
      }
      mix_row(mixed, in_.of_source(in_.values, place), in_.contexts.row(row_ + i));
    }
  }

  /// The input's part of a layer's gates.
  void read_below(std::size_t i) {
    const AttendingLayer<T>& layer = in_.layers[i];
    const Matrix<T> gx{gx_, going_, 3 * F_, 3 * F_};
    if (i == 0) {
      multiply<T>(cpu_, {in_.contexts.row(row_), going_, F_, in_.contexts.stride}, layer.input,
                  nullptr, gx);
      const T* token = in_.token_gates[row_].data();
      for (Index j = 0; j < going_ * 3 * F_; ++j) gx_[j] = token[j] + gx_[j];
      return;
    }
    const Matrix<T>& under = in_.layers[i - 1].units.states;
    for (Index r = 0; r < going_; ++r) {
      const Rows<const T> state{under.row(row_ + r), 1, F_};
      if (in_.layer_draws.empty())
        std::ranges::copy(state[0], layer.below[row_ + r].data());
      else
        drop_row(in_.layer_draws[static_cast<std::size_t>(t_) * in_.layers.size() + i],
                 {.t = places_.first + r}, state, layer.below[row_ + r].data());
    }
    multiply<T>(cpu_, {layer.below[row_].data(), going_, F_, F_}, layer.input, layer.input_bias,
                gx);
  }

  Cpu& cpu_;
  const AttendingGru<T>& in_;
  const Places places_;
  const Index F_, h_;
  T *gx_, *gh_, *scores_, *mixed_;
  Index t_ = 0, going_ = 0, row_ = 0;  // the step, its sequences, and the first one's row
};

template <Real T>
void forward(Cpu& cpu, const AttendingGru<T>& in) {
  each_group(cpu, in.time, [&](Places places) { Group<T>(cpu, in, places).run(); });
}

}  // namespace

void AttendSteps::operator()(Cpu& cpu, const AttendingGru<f32>& in) const {
  forward(cpu, in);
}
void AttendSteps::operator()(Cpu& cpu, const AttendingGru<f64>& in) const {
  forward(cpu, in);
}

}  // namespace regard::kernel
