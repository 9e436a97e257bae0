#include "regard/backend/launch.h"
#include "regard/backend/optimise.h"
#include "regard/train/optimiser.h"

namespace regard::optimisers {

extern const Optimiser sgd{
    .name = "sgd",
    .formula = "w (1 - rate decay) - rate m,   m = momentum m + g",
    .paper = "Robbins and Monro 1951; momentum: Polyak 1964",
    .memories = 1,
    .update =
        [](const TrainSpec& spec, Update& update) {
          const DescentStep step{.rate = update.rate,
                                 .momentum = spec.momentum,
                                 .decay = update.rate * spec.weight_decay,
                                 .gradient_scale = update.gradient_scale};
          visit(update.weight.dtype(), [&]<class T>(T) {
            const Tensor& gradient = update.gradient;
            kernel::descent(Cpu::get(), step,
                            {detail::typed<T>(rows(update.weight)),
                             detail::typed<T>(rows(gradient)),
                             detail::typed<T>(rows(update.memory[0])),
                             {}});
          });
        },
};

}  // namespace regard::optimisers
