#include "regard/trace/listening.h"

#include <algorithm>
#include <charconv>

#include "regard/base/check.h"
#include "regard/model/architecture.h"

namespace regard {
namespace {

template <class T>
bool wanted(const std::vector<T>& chosen, T one) {
  return std::ranges::find(chosen, one) != chosen.end();
}

/// Whose capture it is: "encoder/0/self" is layer 0 of the encoder.
struct Place {
  AttentionKind kind;
  Index layer;
};

std::optional<Place> place_of(std::string_view where) {
  const bool encoder = where.starts_with("encoder/");
  if (!encoder && !where.starts_with("decoder/")) return std::nullopt;
  where.remove_prefix(std::string_view("encoder/").size());
  Index layer = 0;
  const char* end = where.data() + where.size();
  const auto [rest, error] = std::from_chars(where.data(), end, layer);
  const std::string_view part(rest, static_cast<std::size_t>(end - rest));
  if (error != std::errc() || (part != "/self" && part != "/cross")) return std::nullopt;
  return Place{encoder           ? AttentionKind::encoder
               : part == "/self" ? AttentionKind::decoder
                                 : AttentionKind::cross,
               layer};
}

/// The values [cols, width] of a head mixed by its weights: [rows, width].
std::vector<float> mixed_values(const TracedHead& head) {
  const auto at = [](Index row, Index width, Index col) {
    return static_cast<std::size_t>(row * width + col);
  };
  const Index width = head.value_width;
  std::vector<float> output;
  std::vector<double> sums(static_cast<std::size_t>(width));
  for (Index r = 0; r < head.rows; ++r) {
    std::ranges::fill(sums, 0.0);
    for (Index c = 0; c < head.cols; ++c) {  // outside, so that values are read as they lie
      const double weight = head.weights[at(r, head.cols, c)];
      const float* value = head.value.data() + at(c, width, 0);
      for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += weight * value[x];
    }
    for (const double sum : sums) output.push_back(static_cast<float>(sum));
  }
  return output;
}

TracedHead traced_head(const AttentionCapture& capture, const ModelSpec& spec, const Place& place,
                       Index head, bool vectors) {
  const Tensor weights = capture.weights(0, head);
  TracedHead one{.kind = place.kind,
                 .layer = place.layer,
                 .head = head,
                 .rows = weights.size(0),
                 .cols = weights.size(1),
                 .weights = floats(weights),
                 .query = {},
                 .key = {},
                 .value = {},
                 .output = {},
                 .window = window_of(spec, place.kind)};
  one.entropy = entropy_bits(one.matrix());
  one.tag = tag_of(one.matrix());
  if (vectors && capture.queries) {
    const Tensor query = capture.queries(0, head);
    one.query = floats(query);
    one.key = floats(capture.keys(0, head));
    one.width = query.size(1);
    one.scale = capture.scale;
  }
  if (vectors && capture.values) {
    const Tensor value = capture.values(0, head);
    one.value = floats(value);
    one.value_width = value.size(1);
    one.output = mixed_values(one);
  }
  return one;
}

}  // namespace

std::vector<float> floats(const Tensor& x) {
  const std::vector<double> values = x.values();
  return {values.begin(), values.end()};
}

void check_length(const TracedText& text, const char* what, const ModelSpec& spec) {
  const auto tokens = static_cast<Index>(text.tokens.size()) - 1;
  const Index most = max_traced_tokens(spec);
  if (tokens > most)
    fail(Fault::input, "the ", what, " has ", tokens, " tokens, but at most ", most,
         " can be traced; shorten it");
}

void check_request(const TraceRequest& request, const ModelSpec& spec) {
  Index layers = 0;
  for (const AttentionKind kind : kAttentionKinds) layers = std::max(layers, layers_of(spec, kind));
  const Index heads = most_heads(spec);
  for (const Index layer : request.layers)
    check(layer >= 0 && layer < layers, "no layer ", layer, " in a model of ", layers,
          " layers, counted from 0");
  for (const Index head : request.heads)
    check(head >= 0 && head < heads, "no head ", head, " in layers of ", heads,
          " heads, counted from 0");
  check(request.prefix.empty() || !request.reference,
        "a translation that is given needs no prefix; leave one of them out");
  check(request.top >= 0, "the ", request.top, " likeliest tokens were asked for");
}

Index max_traced_tokens(const ModelSpec& spec) {
  const Index most = max_positions(spec);
  return most == 0 ? kMaxTracedTokens : std::min(kMaxTracedTokens, std::max<Index>(1, most - 1));
}

/// Stops here where nobody waits for the trace any more.
void check_wanted(const TraceRequest& request) {
  check(!request.wanted || request.wanted(), "the trace is not wanted any more");
}

Pass listening(const TraceRequest& request, Trace& trace) {
  Pass pass;
  pass.on_attention = [&](const AttentionCapture& capture) {
    const std::optional<Place> place = place_of(capture.where);
    if (!place || !wanted(request.kinds, place->kind)) return;
    if (!request.layers.empty() && !wanted(request.layers, place->layer)) return;
    check_wanted(request);
    for (Index head = 0; head < capture.heads; ++head)
      if (request.heads.empty() || wanted(request.heads, head))
        trace.attention.push_back(traced_head(capture, trace.spec, *place, head, request.vectors));
  };
  return pass;
}

}  // namespace regard
