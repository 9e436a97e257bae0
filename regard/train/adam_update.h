#pragma once

#include "regard/train/optimiser.h"

namespace regard {

/// One step of Adam, with decoupled weight decay or none.
void adam_update(const TrainSpec& spec, Update& update, double weight_decay);

}  // namespace regard
