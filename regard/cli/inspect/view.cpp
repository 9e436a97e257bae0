#include "regard/cli/inspect/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

constexpr AttentionKind kKinds[]{AttentionKind::encoder, AttentionKind::decoder,
                                 AttentionKind::cross};

AttentionKind kind_of(const std::string& text) {
  std::vector<std::string_view> names;
  for (const AttentionKind kind : kKinds) {
    if (text == name(kind)) return kind;
    names.push_back(name(kind));
  }
  fail(Fault::usage, "--kind is '", text, "'", known_values(text, names));
}

/// "4.2" -> layer 4, head 2.
std::pair<Index, Index> layer_and_head(const std::string& text) {
  const std::size_t dot = text.find('.');
  const auto number = [](const std::string& digits) -> Index {
    const bool plain = !digits.empty() && digits.size() < 6 &&
                       std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return plain ? std::stoll(digits) : 0;
  };
  const Index layer = number(text.substr(0, dot));
  const Index head = dot == std::string::npos ? 0 : number(text.substr(dot + 1));
  check(layer >= 1 && head >= 1, "--heads is '", text,
        "', expected a layer and a head, counted from 1, as in 4.2");
  return {layer, head};
}

/// "said" down, "source" across, and so on.
void name_axes(AttentionKind kind, HeatMap& map) {
  map.row_axis = kind == AttentionKind::encoder ? "source" : "said";
  map.col_axis = kind == AttentionKind::decoder ? "read so far" : "source";
}

std::vector<std::string> texts(const std::vector<Token>& tokens) {
  std::vector<std::string> result;
  for (const Token& token : tokens) result.push_back(token.text);
  return result;
}

Panel labelled(AttentionKind kind, const Trace& trace) {
  Panel panel;
  const std::vector<std::string> source = texts(trace.source.tokens),
                                 target = texts(trace.target.tokens);
  panel.row_labels = kind == AttentionKind::encoder ? source : target;
  panel.col_labels = source;
  if (kind == AttentionKind::decoder) {
    panel.col_labels = target;
    panel.col_labels.pop_back();
    panel.col_labels.insert(panel.col_labels.begin(), "<s>");
  }
  panel.rows = static_cast<Index>(panel.row_labels.size());
  panel.cols = static_cast<Index>(panel.col_labels.size());
  return panel;
}

Panel panel_of(const TracedHead& head, const Trace& trace) {
  Panel panel = labelled(head.kind, trace);
  panel.values.assign(head.weights.begin(), head.weights.end());
  for (Index t = 0; t < panel.rows; ++t)
    for (Index s = head.matrix().seen(t); s < panel.cols; ++s)
      panel.values[static_cast<std::size_t>(t * panel.cols + s)] =
          std::numeric_limits<double>::quiet_NaN();
  return panel;
}

std::string kind_title(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return "encoder self-attention";
    case AttentionKind::decoder:
      return "decoder self-attention";
    case AttentionKind::cross:
      return "cross-attention";
  }
  return {};
}

std::string head_title(const TracedHead& head) {
  return fmt::format("{}, layer {}, head {}: {}, {:.2f} bits", kind_title(head.kind),
                     head.layer + 1, head.head + 1, name(head.tag), head.entropy);
}

/// The mean of some heads. Where a token's origin shows once it was read, each row is the one that
/// read it, and the end, which nothing follows, has none.
HeatMap alignment_picture(const std::vector<const TracedHead*>& heads, const Trace& trace) {
  const AlignmentHead& from = trace.alignment.from;
  Panel panel = labelled(AttentionKind::cross, trace);
  panel.values.resize(static_cast<std::size_t>(panel.rows * panel.cols));
  for (const TracedHead* head : heads)
    for (std::size_t i = 0; i < panel.values.size(); ++i)
      panel.values[i] += static_cast<double>(head->weights[i]) / static_cast<double>(heads.size());
  HeatMap map;
  map.title = heads.size() == 1 ? head_title(*heads.front())
                                : fmt::format("cross-attention, mean of {} heads", heads.size());
  if (from.after && panel.rows > 1) {
    panel.values.erase(panel.values.begin(), panel.values.begin() + panel.cols);
    panel.row_labels.pop_back();
    --panel.rows;
    map.title += ", once the token was read";
  }
  map.panels.push_back(std::move(panel));
  return map;
}

}  // namespace

View view_of(const ViewOptions& options, const ModelSpec& spec) {
  check(!options.heads || (!options.layer && !options.head),
        "--heads names layer and head at once; leave --layer and --head out");
  View view;
  view.alignment = !options.kind && !options.layer && !options.head && !options.heads;
  if (options.kind) view.kind = kind_of(*options.kind);
  if (options.layer) view.layer = *options.layer - 1;
  if (options.head) view.head = *options.head - 1;
  if (options.heads) {
    const auto [layer, head] = layer_and_head(*options.heads);
    view.layer = layer - 1;
    view.head = head - 1;
  }
  const Index layers = layers_of(spec, view.kind), heads = heads_of(spec);
  check(layers > 0, "a model of kind ", spec.architecture, " looks at its source alone; ",
        "--kind ", name(view.kind), " has nothing to show, use --kind cross");
  check(!view.layer || *view.layer < layers, "there is no layer ", view.layer.value_or(0) + 1,
        " of ", kind_title(view.kind), "; this model has ", layers, ", counted from 1");
  check(!view.head || *view.head < heads, "there is no head ", view.head.value_or(0) + 1,
        "; this model has ", heads, " in each layer, counted from 1");
  return view;
}

std::vector<const TracedHead*> heads_in(const View& view, const Trace& trace) {
  const AlignmentHead& from = trace.alignment.from;
  const auto chosen = [](Index number) {
    return number < 0 ? std::optional<Index>() : std::optional(number);
  };
  const std::optional<Index> layer = view.alignment ? chosen(from.layer) : view.layer;
  const std::optional<Index> number = view.alignment ? chosen(from.head) : view.head;
  std::vector<const TracedHead*> heads;
  for (const TracedHead& head : trace.attention)
    if (head.kind == view.kind && head.layer == layer.value_or(head.layer) &&
        head.head == number.value_or(head.head))
      heads.push_back(&head);
  return heads;
}

HeatMap picture_of(const View& view, const Trace& trace) {
  const std::vector<const TracedHead*> heads = heads_in(view, trace);
  check(!heads.empty(), "the trace holds none of the heads to be drawn");
  HeatMap map;
  if (view.alignment) {
    map = alignment_picture(heads, trace);
  } else {
    for (const TracedHead* head : heads) {
      map.panels.push_back(panel_of(*head, trace));
      if (heads.size() > 1)
        map.panels.back().title =
            fmt::format("{}.{} {}", head->layer + 1, head->head + 1, name(head->tag));
    }
    map.title =
        heads.size() == 1 ? head_title(*heads.front()) : kind_title(view.kind) + ", layer.head";
    map.show_values = heads.size() == 1;
    if (heads.size() > 1) map.panels_across = view.head ? 0 : heads_of(trace.spec);
  }
  name_axes(view.kind, map);
  map.range = {0, 1};
  return map;
}

}  // namespace regard
