#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/trace/trace.h"
#include "regard/viewer/heat_map.h"

namespace regard {

/// Which heads the user asks for, as typed; people count layers and heads from 1.
struct ViewOptions {
  std::optional<std::string> kind, head;  ///< head: "2", or "4.2" for layer 4, head 2
  std::optional<Index> layer;
};

/// Which heads are shown.
struct View {
  AttentionKind kind = AttentionKind::cross;
  std::optional<Index> layer, head;  ///< from 0; none: all
  bool alignment = false;            ///< the head, or the mean of heads, that tells the alignment
  bool class_rows = false;           ///< of each head the class token's row alone
};

/// What was typed, fit for the model: nothing typed is the alignment, or where the class token
/// looks. Throws Error(usage) saying
/// what there is.
View view_of(const ViewOptions& options, const ModelSpec& spec);

/// The heads of a trace that are in the view.   REQUIRES that the trace holds them
std::vector<const TracedHead*> heads_in(const View& view, const Trace& trace);

/// The heads as a picture, one panel each, layer by layer; class rows in one panel, a row each.
/// Keys that a row may not see are hidden.
HeatMap picture_of(const View& view, const Trace& trace);

/// The same to stand alone: its title is the sentence, and which heads they are its subtitle.
HeatMap figure_of(const View& view, const Trace& trace);

}  // namespace regard
