#include "regard/trace/trace_npz.h"

#include <map>

#include "regard/tensor/npz.h"

namespace regard {
namespace {

/// The heads of one layer, one behind the other.
struct Layer {
  const TracedHead* first = nullptr;
  Index heads = 0;
  std::vector<float> weights, query, key, value, output;
};

/// "decoder.1.cross": what the layer is called in the model.
std::string name_of(const TracedHead& head) {
  const char* side = head.kind == AttentionKind::encoder ? "encoder" : "decoder";
  const char* part = head.kind == AttentionKind::cross ? "cross" : "self";
  return std::string(side) + "." + std::to_string(head.layer) + "." + part;
}

std::vector<std::string> texts_of(const std::vector<Token>& tokens) {
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

void add_text(NpzWriter& file, const std::string& side, const TracedText& text) {
  std::vector<std::int32_t> ids, words;
  for (const Token& token : text.tokens) {
    ids.push_back(token.id);
    words.push_back(static_cast<std::int32_t>(token.word));
  }
  const Shape count{static_cast<Index>(text.tokens.size())};
  file.add(side + "_tokens", texts_of(text.tokens));
  file.add(side + "_ids", count, ids);
  file.add(side + "_word_of", count, words);
  file.add(side + "_words", text.words);
}

void add_layer(NpzWriter& file, const Layer& layer) {
  const TracedHead& head = *layer.first;
  const std::string name = name_of(head);
  const Index H = layer.heads, T = head.rows, S = head.cols;
  file.add(name + ".weights", {H, T, S}, layer.weights);
  if (head.width > 0) {
    file.add(name + ".q", {H, T, head.width}, layer.query);
    file.add(name + ".k", {H, S, head.width}, layer.key);
    file.add(name + ".scale", {}, std::span(&head.scale, 1));
  }
  if (head.value_width > 0) {
    file.add(name + ".v", {H, S, head.value_width}, layer.value);
    file.add(name + ".output", {H, T, head.value_width}, layer.output);
  }
}

void add_translation(NpzWriter& file, const Trace& trace) {
  add_text(file, "target", trace.target);
  std::vector<std::string> read = texts_of(trace.target.tokens);
  read.pop_back();
  read.insert(read.begin(), "<s>");
  file.add("decoder_input", read);
  std::vector<double> log_probabilities;
  for (const TracedStep& step : trace.steps) log_probabilities.push_back(step.log_probability);
  file.add("log_probabilities", {static_cast<Index>(log_probabilities.size())}, log_probabilities);
  const TracedAlignment& alignment = trace.alignment;
  file.add("alignment", {alignment.rows, alignment.cols}, alignment.soft);
}

void add_labels(NpzWriter& file, const Trace& trace) {
  std::vector<std::string> labels;
  std::vector<double> probabilities;
  for (const TracedLabel& each : trace.labels) {
    labels.push_back(each.label);
    probabilities.push_back(each.probability);
  }
  file.add("labels", labels);
  file.add("probabilities", {static_cast<Index>(probabilities.size())}, probabilities);
}

}  // namespace

std::string trace_npz(const Trace& trace) {
  NpzWriter file;
  add_text(file, "source", trace.source);
  if (trace.labels.empty())
    add_translation(file, trace);
  else
    add_labels(file, trace);

  std::map<std::pair<AttentionKind, Index>, Layer> layers;
  for (const TracedHead& head : trace.attention) {
    Layer& layer = layers[{head.kind, head.layer}];
    if (layer.heads++ == 0) layer.first = &head;
    const auto append = [](std::vector<float>& all, const std::vector<float>& some) {
      all.insert(all.end(), some.begin(), some.end());
    };
    append(layer.weights, head.weights);
    append(layer.query, head.query);
    append(layer.key, head.key);
    append(layer.value, head.value);
    append(layer.output, head.output);
  }
  for (const auto& [place, layer] : layers) add_layer(file, layer);
  return file.bytes();
}

}  // namespace regard
