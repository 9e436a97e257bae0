#include "regard/cli/inspect/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/model/architecture.h"
#include "regard/trace/label_trace.h"

namespace regard {
namespace {

AttentionKind kind_of(const std::string& text) {
  std::vector<std::string_view> names;
  for (const AttentionKind kind : kAttentionKinds) {
    if (text == name(kind)) return kind;
    names.push_back(name(kind));
  }
  fail(Fault::usage, "--kind is '", text, "'", known_values(text, names));
}

/// "4.2" -> layer 4, head 2; "2" -> head 2 of every layer, layer 0.
std::pair<Index, Index> layer_and_head(const std::string& text) {
  const std::size_t dot = text.find('.');
  const bool both = dot != std::string::npos;
  const auto number = [](const std::string& digits) -> Index {
    const bool plain = !digits.empty() && digits.size() < 6 &&
                       std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return plain ? std::stoll(digits) : 0;
  };
  const Index layer = both ? number(text.substr(0, dot)) : 0;
  const Index head = number(both ? text.substr(dot + 1) : text);
  check((!both || layer >= 1) && head >= 1, "--head is '", text,
        "', expected a head, as 2, or a layer and a head, as 4.2, counted from 1");
  return {layer, head};
}

/// "target" down, "source" across, and so on.
void name_axes(AttentionKind kind, HeatMap& map) {
  map.row_axis = kind == AttentionKind::encoder ? "source" : "target";
  map.col_axis = kind == AttentionKind::decoder ? "decoder input" : "source";
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

/// "cross 2.1": layer 2, head 1.
std::string short_name(const TracedHead& head) {
  return fmt::format("{} {}.{}", name(head.kind), head.layer + 1, head.head + 1);
}

Panel panel_of(const TracedHead& head, const Trace& trace) {
  Panel panel = labelled(head.kind, trace);
  panel.name = short_name(head);
  panel.values.assign(head.weights.begin(), head.weights.end());
  const HeadWeights seen = head.matrix();
  for (Index t = 0; t < panel.rows; ++t)
    for (Index s = 0; s < panel.cols; ++s)
      if (s < seen.first(t) || s >= seen.end(t))
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

/// Of the rows that are drawn.
std::string head_title(const TracedHead& head, const HeadWeights& drawn) {
  return fmt::format("{}, layer {}, head {}: {}, entropy {:.2f} bits", kind_title(head.kind),
                     head.layer + 1, head.head + 1, name(tag_of(drawn)), entropy_bits(drawn));
}

HeadWeights without_first_row(HeadWeights head) {
  return {head.kind, head.rows - 1, head.cols,
          head.weights.subspan(static_cast<std::size_t>(head.cols))};
}

/// The heads of one layer or, if the alignment names none, of all.
std::string mean_title(const AlignmentHead& from, std::size_t heads) {
  const std::string layer = from.layer < 0 ? "" : fmt::format(" layer {},", from.layer + 1);
  return fmt::format("cross-attention,{} mean of {} heads", layer, heads);
}

/// The mean of some heads. If the alignment is shifted, a token's row holds the weights of the next
/// decoder step, and the end, which no step follows, has no row.
HeatMap alignment_picture(const std::vector<const TracedHead*>& heads, const Trace& trace) {
  const AlignmentHead& from = trace.alignment.from;
  Panel panel = labelled(AttentionKind::cross, trace);
  panel.name = heads.size() == 1 ? short_name(*heads.front()) : "cross mean";
  panel.values.resize(static_cast<std::size_t>(panel.rows * panel.cols));
  for (const TracedHead* head : heads)
    for (std::size_t i = 0; i < panel.values.size(); ++i)
      panel.values[i] += static_cast<double>(head->weights[i]) / static_cast<double>(heads.size());
  HeatMap map;
  const bool shifted = from.shift && panel.rows > 1;
  const HeadWeights first = heads.front()->matrix();
  map.title = heads.size() == 1
                  ? head_title(*heads.front(), shifted ? without_first_row(first) : first)
                  : mean_title(from, heads.size());
  if (shifted) {
    panel.values.erase(panel.values.begin(), panel.values.begin() + panel.cols);
    panel.row_labels.pop_back();
    --panel.rows;
    panel.name += " shifted";
    map.title += ", shifted one step";
  }
  map.panels.push_back(std::move(panel));
  return map;
}

/// Where the class token looks, a row for each head.
HeatMap class_picture(const std::vector<const TracedHead*>& heads, const Trace& trace) {
  Panel panel{.rows = static_cast<Index>(heads.size()),
              .cols = heads.front()->cols,
              .col_labels = texts(trace.source.tokens),
              .name = "class"};
  for (const TracedHead* head : heads) {
    panel.row_labels.push_back(fmt::format("{}.{}", head->layer + 1, head->head + 1));
    panel.values.insert(panel.values.end(), head->weights.begin(),
                        head->weights.begin() + head->cols);
  }
  HeatMap map;
  map.title = fmt::format("where {} looks, layer.head", kClassToken);
  map.row_axis = "head";
  map.col_axis = "text";
  map.panels.push_back(std::move(panel));
  return map;
}

/// The first kind of attention that a model has, of those that are shown unless others are asked
/// for.
AttentionKind usual_kind(const ModelSpec& spec) {
  for (const AttentionKind kind : {AttentionKind::cross, AttentionKind::decoder})
    if (layers_of(spec, kind) > 0) return kind;
  return AttentionKind::encoder;
}

/// The kinds of attention that a model has: "encoder or decoder or cross".
std::string kinds_of(const ModelSpec& spec) {
  std::string kinds;
  for (const AttentionKind kind : kAttentionKinds)
    if (layers_of(spec, kind) > 0) kinds.append(kinds.empty() ? "" : " or ").append(name(kind));
  return kinds;
}

}  // namespace

View view_of(const ViewOptions& options, const ModelSpec& spec) {
  View view;
  view.kind = usual_kind(spec);
  if (options.kind) view.kind = kind_of(*options.kind);
  const bool usual = !options.kind && !options.layer && !options.head;
  view.alignment = usual && view.kind == AttentionKind::cross;
  view.class_rows = usual && find_architecture(spec.architecture).writes == Writes::label;
  if (options.layer) view.layer = *options.layer - 1;
  if (options.head) {
    const auto [layer, head] = layer_and_head(*options.head);
    check(layer == 0 || !options.layer, "--head ", *options.head,
          " names the layer too; leave --layer out");
    if (layer > 0) view.layer = layer - 1;
    view.head = head - 1;
  }
  const Index layers = layers_of(spec, view.kind), heads = heads_of(spec, view.kind);
  check(layers > 0, "architecture ", spec.architecture, " has no ", kind_title(view.kind),
        "; use --kind ", kinds_of(spec));
  check(!view.layer || *view.layer < layers, "there is no layer ", view.layer.value_or(0) + 1,
        " of ", kind_title(view.kind), "; this model has ", layers, ", counted from 1");
  check(!view.head || *view.head < heads, "there is no head ", view.head.value_or(0) + 1,
        "; this model's ", kind_title(view.kind), " has ", heads, " in each layer, counted from 1");
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
  if (view.class_rows) {
    map = class_picture(heads, trace);
    map.range = {0, 1};
    return map;
  }
  if (view.alignment) {
    map = alignment_picture(heads, trace);
  } else {
    for (const TracedHead* head : heads) {
      map.panels.push_back(panel_of(*head, trace));
      if (heads.size() > 1)
        map.panels.back().title =
            fmt::format("{}.{} {}", head->layer + 1, head->head + 1, name(head->tag));
    }
    map.title = heads.size() == 1 ? head_title(*heads.front(), heads.front()->matrix())
                                  : kind_title(view.kind) + ", layer.head";
    map.show_values = heads.size() == 1;
    if (heads.size() > 1) map.panels_across = view.head ? 0 : heads_of(trace.spec, view.kind);
  }
  name_axes(view.kind, map);
  map.range = {0, 1};
  return map;
}

HeatMap figure_of(const View& view, const Trace& trace) {
  HeatMap map = picture_of(view, trace);
  map.subtitle = map.title;
  map.title = reads_source(trace.spec) ? trace.source.text : trace.target.text;
  if (!trace.labels.empty())
    map.subtitle = fmt::format("{} {:.4f}: {}", trace.labels.front().label,
                               trace.labels.front().probability, map.subtitle);
  return map;
}

}  // namespace regard
