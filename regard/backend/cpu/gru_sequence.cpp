#include "regard/backend/gru_sequence.h"

#include "regard/backend/cpu/gru_steps.h"

namespace regard::kernel {
namespace {

template <Real T>
void forward(Cpu& cpu, const TimeSteps& time, Rows<const T> gx, const GruLayer<T>& layer) {
  const Index F = layer.initial.width;
  each_group(cpu, time, [&](Places places) {
    auto* gh = reinterpret_cast<T*>(
        scratch_bytes(static_cast<std::size_t>((places.end - places.first) * 3 * F) * sizeof(T)));
    for (Index t = 0; t < time.steps && places.going(time, t) > 0; ++t)
      step(cpu, time, layer, t, places, gx[time.begin(t) + places.first].data(), gh);
  });
}

template <Real T>
void backward(Cpu& cpu, const TimeSteps& time, const GruLayer<T>& layer, Rows<const T> dy,
              const GruLayerGradient<T>& out) {
  const Index F = layer.initial.width;
  each_group(cpu, time, [&](Places places) {
    for (Index t = time.steps - 1; t >= 0; --t) {
      const Index going = places.going(time, t);
      if (going == 0) continue;
      const T* from = dy[time.begin(t) + places.first].data();
      T* carry = out.carry[places.first].data();
      for (Index i = 0; i < going * F; ++i) carry[i] += from[i];
      step_back(cpu, time, layer, t, places, out);
    }
  });
}

}  // namespace

void GruSequence::operator()(Cpu& cpu, const TimeSteps& time, Rows<const f32> gx,
                             const GruLayer<f32>& layer) const {
  forward(cpu, time, gx, layer);
}
void GruSequence::operator()(Cpu& cpu, const TimeSteps& time, Rows<const f64> gx,
                             const GruLayer<f64>& layer) const {
  forward(cpu, time, gx, layer);
}

void GruSequenceBackward::operator()(Cpu& cpu, const TimeSteps& time, const GruLayer<f32>& layer,
                                     Rows<const f32> dy, const GruLayerGradient<f32>& out) const {
  backward(cpu, time, layer, dy, out);
}
void GruSequenceBackward::operator()(Cpu& cpu, const TimeSteps& time, const GruLayer<f64>& layer,
                                     Rows<const f64> dy, const GruLayerGradient<f64>& out) const {
  backward(cpu, time, layer, dy, out);
}

}  // namespace regard::kernel
