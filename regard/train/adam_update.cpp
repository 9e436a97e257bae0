#include "regard/train/adam_update.h"

#include "regard/backend/launch.h"
#include "regard/backend/optimise.h"
#include "regard/base/elementary.h"

namespace regard {

void adam_update(const TrainSpec& spec, Update& update, double weight_decay) {
  const auto t = static_cast<double>(update.step);
  // -expm1(t log b) is 1 - b^t without losing digits while b^t is close to 1.
  const AdamStep step{.rate = update.rate / -elementary::expm1(t * elementary::log(spec.beta1)),
                      .correction2 = -elementary::expm1(t * elementary::log(spec.beta2)),
                      .beta1 = spec.beta1,
                      .beta2 = spec.beta2,
                      .epsilon = spec.adam_epsilon,
                      .decay = update.rate * weight_decay,
                      .gradient_scale = update.gradient_scale};
  visit(update.weight.dtype(), [&]<class T>(T) {
    const Tensor& gradient = update.gradient;
    kernel::adam(
        Cpu::get(), step,
        {detail::typed<T>(rows(update.weight)), detail::typed<T>(rows(gradient)),
         detail::typed<T>(rows(update.memory[0])), detail::typed<T>(rows(update.memory[1]))});
  });
}

}  // namespace regard
