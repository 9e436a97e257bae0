#include "regard/trace/trace_json.h"

#include <bit>
#include <cmath>

#include "regard/base/base64.h"
#include "regard/model/architecture.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

std::string packed_bytes(std::span<const float> weights) {
  std::string bytes;
  bytes.reserve(weights.size());
  for (const float weight : weights) bytes.push_back(static_cast<char>(std::lround(255 * weight)));
  return base64(bytes);
}

std::string_view name(BeamState state) {
  return state == BeamState::kept ? "kept" : state == BeamState::pruned ? "pruned" : "final";
}

Json text_json(const TracedText& text) {
  return {{"text", text.text}, {"tokens", tokens_json(text)}, {"words", text.words}};
}

Json target_json(const Trace& trace) {
  Json target = text_json(trace.target);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    Json top = Json::array();
    for (const Contender& each : trace.steps[i].top)
      top.push_back({{"text", each.text}, {"id", each.id}, {"p", each.probability}});
    target["tokens"][i]["logprob"] = trace.steps[i].log_probability;
    target["tokens"][i]["top"] = std::move(top);
  }
  return target;
}

Json alignment_json(const TracedAlignment& alignment) {
  Json pairs = Json::array();
  for (const auto& [source, target] : alignment.links)
    pairs.push_back(Json::array({source, target, alignment.weight(source, target)}));
  return {{"layer", alignment.from.layer},
          {"head", alignment.from.head},
          {"shift", alignment.from.shift},
          {"moses", moses(alignment.links)},
          {"pairs", std::move(pairs)},
          {"soft",
           {{"rows", alignment.rows},
            {"cols", alignment.cols},
            {"dtype", "f32"},
            {"data", packed(alignment.soft)}}}};
}

Json beam_json(const std::vector<TracedNode>& beam) {
  Json nodes = Json::array();
  for (const auto& [node, text] : beam)
    nodes.push_back({{"step", node.step},
                     {"id", node.id},
                     {"parent", node.parent},
                     {"token", node.token},
                     {"text", text},
                     {"logprob", node.log_probability},
                     {"score", node.score},
                     {"state", name(node.state)}});
  return nodes;
}

Json head_json(const TracedHead& head, Encoding encoding) {
  const bool exact = encoding == Encoding::f32;
  Json json{{"kind", name(head.kind)},
            {"layer", head.layer},
            {"head", head.head},
            {"rows", head.rows},
            {"cols", head.cols},
            {"dtype", exact ? "f32" : "u8"},
            {"data", exact ? packed(head.weights) : packed_bytes(head.weights)},
            {"entropy", head.entropy},
            {"tag", name(head.tag)}};
  if (head.width > 0) {
    json["query"] = packed(head.query);
    json["key"] = packed(head.key);
    json["width"] = head.width;
    json["scale"] = head.scale;
  }
  if (head.value_width > 0) {
    json["value"] = packed(head.value);
    json["output"] = packed(head.output);
    json["value_width"] = head.value_width;
  }
  return json;
}

Json table_json(const TracedTable& table) {
  return {
      {"rows", table.rows}, {"cols", table.cols}, {"dtype", "f32"}, {"data", packed(table.values)}};
}

/// The text with U+FFFD for each byte that belongs to no character.
std::string as_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const std::string_view own = text.substr(0, first_character(text).size);
    valid += valid_utf8(own) ? own : "\uFFFD";
    text.remove_prefix(own.size());
  }
  return valid;
}

}  // namespace

std::string packed(std::span<const float> values) {
  std::string bytes;
  bytes.reserve(4 * values.size());
  for (const float value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (const int shift : {0, 8, 16, 24}) bytes.push_back(static_cast<char>(bits >> shift & 255));
  }
  return base64(bytes);
}

Json tokens_json(const TracedText& text) {
  Json tokens = Json::array();
  for (const Token& token : text.tokens)
    tokens.push_back({{"text", token.text},
                      {"id", token.id},
                      {"word", token.word},
                      {"start", token.start},
                      {"end", token.end}});
  return tokens;
}

Json unknown_json(std::span<const UnknownText> unknown) {
  Json all = Json::array();
  for (const UnknownText& each : unknown)
    all.push_back({{"text", as_utf8(each.text)}, {"start", each.start}, {"end", each.end}});
  return all;
}

Json trace_json(const Trace& trace, Encoding encoding) {
  const ModelSpec& spec = trace.spec;
  const auto stack = [&](std::string_view setting, Index layers) {
    return find_architecture(spec.architecture).uses(setting) ? layers : 0;
  };
  const auto heads = [&](AttentionKind kind) {
    return layers_of(spec, kind) > 0 ? heads_of(spec, kind) : 0;
  };
  Json attention = Json::array();
  for (const TracedHead& head : trace.attention) attention.push_back(head_json(head, encoding));
  Json json{{"format", "regard-trace"},
            {"schema", kTraceSchema},
            {"translatedText", trace.target.text},
            {"decoding", trace.forced ? "forced" : "search"},
            {"forced_tokens", trace.forced_tokens},
            {"score", trace.score},
            {"log_probability", trace.log_probability},
            {"model",
             {{"name", trace.model},
              {"from", trace.from},
              {"to", trace.to},
              {"architecture", spec.architecture},
              {"recurrent", find_architecture(spec.architecture).recurrent},
              {"encoder_layers", stack("encoder_layers", spec.encoder_layers)},
              {"decoder_layers", stack("decoder_layers", spec.decoder_layers)},
              {"heads", most_heads(spec)},
              {"encoder_heads", heads(AttentionKind::encoder)},
              {"decoder_heads", heads(AttentionKind::decoder)},
              {"cross_heads", heads(AttentionKind::cross)},
              {"encoder_window", window_of(spec, AttentionKind::encoder)},
              {"decoder_window", window_of(spec, AttentionKind::decoder)},
              {"width", spec.width}}},
            {"source", text_json(trace.source)},
            {"unknown", unknown_json(trace.unknown)},
            {"target", target_json(trace)},
            {"alignment", alignment_json(trace.alignment)},
            {"beam", beam_json(trace.beam)},
            {"attention", std::move(attention)},
            {"timing_ms", {{"encode", trace.encode_ms}, {"decode", trace.decode_ms}}}};
  for (const TracedLabel& each : trace.labels)
    json["labels"].push_back({{"label", each.label}, {"probability", each.probability}});
  if (trace.embedding.rows > 0) {
    json["embedding"] = table_json(trace.embedding);
    json["embedding"]["scale"] = std::sqrt(static_cast<double>(trace.embedding.cols));
  }
  if (trace.position.rows > 0) json["position"] = table_json(trace.position);
  return json;
}

}  // namespace regard
