#include "regard/train/adam_update.h"

namespace regard::optimisers {

extern const Optimiser adamw{
    .name = "adamw",
    .formula = "w (1 - rate decay) - rate m' / (sqrt(v') + eps)",
    .paper = "Loshchilov and Hutter 2019, arXiv:1711.05101",
    .memories = 2,
    .update = [](const TrainSpec& spec,
                 Update& update) { adam_update(spec, update, spec.weight_decay); },
};

}  // namespace regard::optimisers
