#include "regard/train/adam_update.h"

namespace regard::optimisers {

extern const Optimiser adam{
    .name = "adam",
    .formula = "w - rate m' / (sqrt(v') + eps)",
    .paper = "Kingma and Ba 2015, arXiv:1412.6980",
    .memories = 2,
    .update = [](const TrainSpec& spec, Update& update) { adam_update(spec, update, 0); },
};

}  // namespace regard::optimisers
