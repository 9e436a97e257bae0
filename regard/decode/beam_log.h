#pragma once

#include <cstdint>
#include <vector>

#include "regard/tensor/shape.h"

namespace regard {

/// kept: expanded. pruned: dropped, or still active when the search stopped. final: a hypothesis
/// ended here, by `</s>` or by a limit.
enum class BeamState { kept, pruned, final };

/// One token the search considered.
struct BeamNode {
  Index step = 0;     ///< tokens generated before it
  Index id = 0;       ///< its place in the log
  Index parent = -1;  ///< id of the node it extends, of the step before; -1 at the root
  std::int32_t token = 0;
  double log_probability = 0;  ///< of all from the root to here
  double score = 0;            ///< the same by the length penalty, which the final ones compete by
  BeamState state = BeamState::kept;
};

/// The tree of one search: parents before children, one step after another, in each step the best
/// first where the search ranks them.
struct BeamLog {
  std::vector<BeamNode> nodes;

  /// Adds a node after `parent` and says its id.   REQUIRES parent = -1 or an id of this log
  Index add(BeamNode node) {
    node.id = static_cast<Index>(nodes.size());
    node.step = node.parent < 0 ? 0 : nodes[static_cast<std::size_t>(node.parent)].step + 1;
    nodes.push_back(node);
    return node.id;
  }
};

}  // namespace regard
