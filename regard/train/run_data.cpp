#include "regard/train/run_data.h"

#include "regard/base/check.h"

namespace regard {

const DataKind& data_kind_of(const ModelSpec& spec) {
  for (const DataKind* kind : all_data_kinds())
    if (kind->fits(spec)) return *kind;
  fail(Fault::bug, "nothing is known that a model of architecture ", spec.architecture,
       " could learn from");
}

}  // namespace regard
