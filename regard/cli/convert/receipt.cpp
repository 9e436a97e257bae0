#include "regard/cli/convert/receipt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "regard/cli/translate/decode_options.h"
#include "regard/cli/translate/line_translator.h"
#include "regard/measure/bleu.h"
#include "regard/measure/chrf.h"
#include "regard/model/run_folder.h"
#include "regard/ops/packed_weight.h"
#include "regard/tensor/safetensors.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;

double relative_error(const Tensor& exact, const Tensor& rounded) {
  double wrong = 0, size = 0;
  const std::span<const f32> w = exact.span<f32>(), r = rounded.span<f32>();
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double x = w[i], difference = x - static_cast<double>(r[i]);
    wrong += difference * difference;
    size += x * x;
  }
  return size > 0 ? std::sqrt(wrong / size) : 0;
}

/// Of every layer whose weight is of whole numbers now. A table has a scale a row.
std::vector<LayerError> layer_errors(const SafetensorsFile& before, const SafetensorsFile& after) {
  constexpr Index kRows = 64;
  std::vector<LayerError> errors;
  for (const SafetensorsEntry& entry : after.entries()) {
    if (!entry.reads_as(Dtype::i8)) continue;
    const bool table = entry.name.ends_with(".table");
    const QuantisedWeight rounded{after.read(entry.name, Dtype::i8),
                                  after.read(entry.name + "_scale")};
    const Tensor exact = before.read(entry.name);
    const Tensor x = Tensor::normal({kRows, entry.shape[table ? 1 : 0]}, Rng(1));
    errors.push_back({.name = entry.name,
                      .shape = entry.shape,
                      .weight = relative_error(exact, dequantise(rounded, table)),
                      .output = relative_error(PackedWeight(exact, table).apply(x, {}),
                                               PackedWeight(rounded, table).apply(x, {}))});
  }
  return errors;
}

Translated translated(const std::string& folder, const Text& source, const Text& reference,
                      const DecodeSpec& spec) {
  const LoadedModel model = load_translator(folder);
  LineTranslator warm_up(model, {.decode = spec});  // memory and threads are there at the start
  warm_up(std::span(source.lines).first(std::min<std::size_t>(source.lines.size(), 16)),
          [](const TranslatedLine&) {});
  std::vector<std::string> lines;
  const auto start = std::chrono::steady_clock::now();
  LineTranslator translate(model, {.decode = spec});
  translate(source.lines,
            [&](const TranslatedLine& line) { lines.push_back(line.best.front().text); });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const Bleu words = bleu(lines, {reference.lines});
  const Chrf letters = chrf(lines, {reference.lines});
  return {.bleu = words.score,
          .chrf = letters.score,
          .seconds = taken.count(),
          .bleu_signature = words.signature,
          .chrf_signature = letters.signature};
}

Json change(double before, double after, const std::string& signature = "") {
  Json json{{"before", before}, {"after", after}};
  if (!signature.empty()) json["signature"] = signature;
  return json;
}

}  // namespace

Receipt receipt_of(const std::string& before, const std::string& after,
                   const std::vector<Text>& text) {
  const std::string exact = RunFolder(before).weights(), rounded = RunFolder(after).weights();
  Receipt receipt{.layers = layer_errors(SafetensorsFile(exact, Symlinks::refuse),
                                         SafetensorsFile(rounded, Symlinks::refuse)),
                  .bytes_before = std::filesystem::file_size(exact),
                  .bytes_after = std::filesystem::file_size(rounded)};
  if (text.empty()) return receipt;
  const DecodeSpec spec = decode_spec({});
  receipt.text = {.source = text[0].name,
                  .reference = text[1].name,
                  .lines = text[0].lines.size(),
                  .beam = spec.beam,
                  .before = translated(before, text[0], text[1], spec),
                  .after = translated(after, text[0], text[1], spec)};
  return receipt;
}

Json Receipt::json() const {
  Json list = Json::array();
  for (const LayerError& layer : layers)
    list.push_back({{"name", layer.name},
                    {"shape", {layer.shape[0], layer.shape[1]}},
                    {"weight_error", layer.weight},
                    {"output_error", layer.output}});
  Json json{{"schema", 1},
            {"to", "int8"},
            {"bytes", {{"before", bytes_before}, {"after", bytes_after}}},
            {"layers", list}};
  if (text)
    json["text"] = {
        {"source", text->source},
        {"reference", text->reference},
        {"lines", text->lines},
        {"beam", text->beam},
        {"bleu", change(text->before.bleu, text->after.bleu, text->after.bleu_signature)},
        {"chrf", change(text->before.chrf, text->after.chrf, text->after.chrf_signature)},
        {"seconds", change(text->before.seconds, text->after.seconds)}};
  return json;
}

std::string Receipt::shown() const {
  constexpr double kMega = 1e6;
  double sum = 0;
  for (const LayerError& layer : layers) sum += layer.output;
  const auto worst = std::ranges::max_element(layers, {}, &LayerError::output);
  std::string shown = fmt::format("  {:<10}{:.1f} MB, now {:.1f} MB\n", "size",
                                  static_cast<double>(bytes_before) / kMega,
                                  static_cast<double>(bytes_after) / kMega);
  if (worst != layers.end())
    shown += fmt::format(
        "  {:<10}{:.2f} % of a layer's output on average, {:.2f} % at worst ({})\n", "error",
        100 * sum / static_cast<double>(layers.size()), 100 * worst->output, worst->name);
  if (!text) return shown;
  const auto row = [&](const char* name, double before, double after, const char* unit) {
    shown += fmt::format("  {:<10}{:.2f}{}, now {:.2f}{}\n", name, before, unit, after, unit);
  };
  shown += fmt::format("  {:<10}{}, {} lines, beam {}\n", "on", visible(text->source), text->lines,
                       text->beam);
  row("BLEU", text->before.bleu, text->after.bleu, "");
  row("chrF2", text->before.chrf, text->after.chrf, "");
  row("time", text->before.seconds, text->after.seconds, " s");
  return shown;
}

}  // namespace regard
