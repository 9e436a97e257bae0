#include "regard/model/model_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/memory_left.h"
#include "regard/config/json.h"
#include "regard/model/architecture.h"
#include "regard/model/examples.h"
#include "regard/model/labels.h"

namespace regard {
namespace {

constexpr std::size_t kLargestConfig = 1 << 24;  // a model of series has the names of all

/// config.json beside the model's own settings.
struct InfoFields {
  Index format = kModelFormat;
  std::string from, to, source_tokens, target_tokens;
  Index alignment_layer = -1, alignment_head = -1;
  bool alignment_shift = false;

  void each(auto&& visit) {
    visit(Field{"format", "version of this format", 1, 1 << 20}, format);
    visit(Field{"from", "language of the source"}, from);
    visit(Field{"to", "language of the target"}, to);
    visit(Field{"source_tokens", "file of the source vocabulary"}, source_tokens);
    visit(Field{"target_tokens", "file of the target vocabulary"}, target_tokens);
    visit(Field{"alignment_layer", "decoder layer used for alignment; -1: all", -1, 1 << 10},
          alignment_layer);
    visit(Field{"alignment_head", "its head; -1: all", -1, 1 << 10}, alignment_head);
    visit(
        Field{"alignment_shift", "align a token by the decoder step after it (Shift-Att)"}.formerly(
            "alignment_after"),
        alignment_shift);
  }
};

/// A file that config.json names lies in the folder itself, or it is not read.
std::shared_ptr<const Tokenizer> vocabulary(const std::string& folder, const std::string& name,
                                            const std::string& config) {
  if (name.empty() || name.find('/') != std::string::npos || name == "." || name == ".." ||
      name.find('\0') != std::string::npos)
    fail(Fault::input, config, ": names the vocabulary '", name,
         "', expected a file in the folder of the model");
  return load_tokenizer(RunFolder(folder).within(name), Symlinks::refuse);
}

void check_vocabulary(const std::string& config, std::string_view side, Index stated, Index held) {
  if (stated != held)
    fail(Fault::input, config, ": ", side, "_vocabulary is ", stated, ", but the vocabulary holds ",
         held, " tokens; the files do not belong together");
}

/// Whether there are tokens in what it reads or writes.
bool has_vocabulary(const ModelSpec& spec) {
  const Architecture& kind = find_architecture(spec.architecture);
  return kind.reads == Reads::text || kind.writes == Writes::text;
}

bool writes_text(const ModelSpec& spec) {
  return find_architecture(spec.architecture).writes == Writes::text;
}

void read_vocabularies(const std::string& folder, const InfoFields& fields, ModelInfo& info) {
  const std::string config = RunFolder(folder).config();
  info.source = vocabulary(folder, fields.source_tokens, config);
  check_vocabulary(config, "source", info.spec.source_vocabulary, info.source->size());
  if (!writes_text(info.spec)) return;
  info.target = fields.target_tokens == fields.source_tokens
                    ? info.source
                    : vocabulary(folder, fields.target_tokens, config);
  check_vocabulary(config, "target", info.spec.target_vocabulary, info.target->size());
}

void check_alignment(const AlignmentHead& alignment, const ModelSpec& spec,
                     const std::string& config) {
  const Index layers = layers_of(spec, AttentionKind::cross),
              heads = heads_of(spec, AttentionKind::cross);
  if (alignment.layer >= layers || alignment.head >= heads)
    fail(Fault::input, config, ": alignment by layer ", alignment.layer, ", head ", alignment.head,
         ", but the model attends in ", layers, " layers with ", heads, " heads");
}

/// The labels that a model has; none of one that has none.
void take_labels(nlohmann::json& all, const std::string& config, ModelInfo& info) {
  if (find_architecture(info.spec.architecture).writes != Writes::label) return;
  if (!all.contains("labels")) fail(Fault::input, config, ": key \"labels\" is missing");
  info.labels = labels_from(all["labels"], info.spec.target_vocabulary, config + ": labels");
  all.erase("labels");
}

/// What a model of series knows of them; nothing of another.
void take_series(nlohmann::json& all, const std::string& config, ModelInfo& info) {
  if (find_architecture(info.spec.architecture).reads != Reads::series) return;
  if (!all.contains("series")) fail(Fault::input, config, ": key \"series\" is missing");
  info.series = series_info_from(all["series"], config + ": series");
  all.erase("series");
}

/// One for both languages, or that of the source and that of the target; none of a model without.
std::vector<std::string> vocabulary_files(const ModelInfo& info) {
  if (!info.source) return {};
  if (!info.target) return {std::string(kSourceTokensFile)};
  if (info.source == info.target) return {std::string(kJointTokensFile)};
  return {std::string(kSourceTokensFile), std::string(kTargetTokensFile)};
}

/// regard convert --to int8 has written it.
bool is_int8(const SafetensorsFile& file) {
  return std::ranges::any_of(file.entries(),
                             [](const auto& entry) { return entry.reads_as(Dtype::i8); });
}

double held_parameters(const SafetensorsFile& file) {
  double count = 0;
  for (const SafetensorsEntry& entry : file.entries())
    count += static_cast<double>(entry.shape.count());
  return count;
}

/// The model without its weights, which costs no memory. A spec that none can be made of is the
/// file's fault, not the caller's.
std::unique_ptr<Model> outline_of(const ModelSpec& spec, Dtype weights, const std::string& config) {
  try {
    const Outline only;
    std::unique_ptr<Model> model = make_model(spec, Rng(0));
    if (weights == Dtype::i8) model->quantise();
    return model;
  } catch (const Error& problem) {
    if (problem.fault != Fault::usage) throw;
    fail(Fault::input, config, ": ", problem.what());
  }
}

double bytes_of(Model& model) {
  double bytes = 0;
  for (const auto& [name, parameter] : parameters_of(model))
    bytes += static_cast<double>(parameter.value().count()) *
             static_cast<double>(byte_size(parameter.dtype()));
  return bytes;
}

/// What the config describes is in the file, and there is room for it.
void check_size(Model& outline, const std::string& config, const SafetensorsFile& weights) {
  const auto described = static_cast<double>(parameter_count(outline));
  const double held = held_parameters(weights);
  if (described > held)
    fail(Fault::input, config, ": describes a model of ", static_cast<Index>(described),
         " numbers, but ", weights.path(), " holds ", static_cast<Index>(held),
         "; the files do not belong together");
  check_memory("this model", bytes_of(outline), "close other programs, or use a smaller model");
}

/// Whole numbers come from rounding, which never makes -128.
void check_whole_numbers(Model& model, const std::string& path) {
  for (const auto& [name, parameter] : parameters_of(model))
    if (parameter.dtype() == Dtype::i8 &&
        std::ranges::find(parameter.value().span<std::int8_t>(), -128) !=
            parameter.value().span<std::int8_t>().end())
      fail(Fault::input, path, ": tensor '", name, "' holds -128, expected -127 to 127");
}

Loaded<Model> loaded_from(const std::string& folder, const SafetensorsFile& file,
                          NotFinite not_finite) {
  Loaded<Model> loaded{load_info(folder), nullptr};
  const std::string config = RunFolder(folder).config();
  loaded.weights = is_int8(file) ? Dtype::i8 : Dtype::f32;
  loaded.model = outline_of(loaded.info.spec, loaded.weights, config);
  check_size(*loaded.model, config, file);
  load_weights(file, parameters_of(*loaded.model), not_finite);
  check_whole_numbers(*loaded.model, file.path());
  return loaded;
}

Loaded<Model> packed(Loaded<Model> loaded) {
  loaded.model->pack();
  return loaded;
}

}  // namespace

ModelInfo load_info(const std::string& folder) {
  const std::string config = RunFolder(folder).config();
  nlohmann::json all = parse_json(read_own_file(config, kLargestConfig), config);
  if (!all.is_object() || !all.contains("model") || !all["model"].is_object())
    fail(Fault::input, config, ": not the config of a model; expected an object with \"model\"");
  if (all.contains("format") && all["format"].is_number_integer() &&
      all["format"].get<Index>() > kModelFormat)
    fail(Fault::input, config, ": made by a newer version (format ", all["format"].get<Index>(),
         "), this one reads up to ", kModelFormat, "; update regard");
  ModelInfo info;
  read_json(all["model"], info.spec, config + ": model");
  all.erase("model");
  take_labels(all, config, info);
  take_series(all, config, info);
  InfoFields fields;
  read_json(all, fields, config, Absent::is_bad);
  info.from = fields.from;
  info.to = fields.to;
  info.alignment = {fields.alignment_layer, fields.alignment_head, fields.alignment_shift};
  check_alignment(info.alignment, info.spec, config);
  if (has_vocabulary(info.spec)) read_vocabularies(folder, fields, info);
  info.examples = read_examples(RunFolder(folder));
  return info;
}

LoadedModel load_model(const std::string& folder, NotFinite not_finite) {
  return as_kind<SequenceModel>(load_plain(folder, not_finite));
}

Loaded<Model> load_plain(const std::string& folder, NotFinite not_finite) {
  const SafetensorsFile file(RunFolder(folder).weights(), Symlinks::refuse);
  if (is_int8(file))
    fail(Fault::input, file.path(), ": the weights of an int8 model are for translating only; ",
         "use the model that it was converted from");
  return loaded_from(folder, file, not_finite);
}

LoadedModel load_translator(const std::string& folder, NotFinite not_finite) {
  const SafetensorsFile file(RunFolder(folder).weights(), Symlinks::refuse);
  return load_translator(folder, file, not_finite);
}

LoadedModel load_translator(const std::string& folder, const SafetensorsFile& weights,
                            NotFinite not_finite) {
  return as_kind<SequenceModel>(packed(loaded_from(folder, weights, not_finite)));
}

Loaded<Model> load_packed(const std::string& folder, NotFinite not_finite) {
  const SafetensorsFile file(RunFolder(folder).weights(), Symlinks::refuse);
  return packed(loaded_from(folder, file, not_finite));
}

std::vector<std::string> info_files(const ModelInfo& info) {
  std::vector<std::string> files{std::string(kConfigFile)};
  for (std::string& name : vocabulary_files(info)) files.push_back(std::move(name));
  files.emplace_back(kExamplesFile);
  return files;
}

std::vector<std::string> model_files(const std::string& folder) {
  const RunFolder held(folder);
  const std::string config = held.config();
  std::vector<std::string> files{config, held.weights(), held.examples()};
  try {
    const nlohmann::json all = parse_json(read_own_file(config, kLargestConfig), config);
    for (const char* key : {"source_tokens", "target_tokens"})
      if (all.is_object() && all.contains(key) && all[key].is_string())
        files.push_back(held.within(all[key].get<std::string>()));
  } catch (const Error&) {
    // Whoever loads the model says so.
  }
  return files;
}

void save_info(const std::string& folder, const ModelInfo& info) {
  InfoFields fields;
  fields.from = info.from;
  fields.to = info.to;
  const std::vector<std::string> vocabularies = vocabulary_files(info);
  if (info.source) fields.source_tokens = vocabularies.front();
  if (info.target) fields.target_tokens = vocabularies.back();
  fields.alignment_layer = info.alignment.layer;
  fields.alignment_head = info.alignment.head;
  fields.alignment_shift = info.alignment.shift;
  nlohmann::ordered_json all = to_json(fields);
  if (!info.labels.empty()) all["labels"] = info.labels;
  all["model"] = to_json(info.spec);
  if (info.series) all["series"] = to_json(*info.series);
  const RunFolder out(folder);
  if (!vocabularies.empty()) write_file(out.within(fields.source_tokens), info.source->bytes());
  if (info.target != info.source && info.target)
    write_file(out.within(fields.target_tokens), info.target->bytes());
  write_examples(out, info.examples);  // none, too: else those of another model would stay
  const std::string text =
      all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  write_file(out.config(), text + "\n");
}

std::vector<NamedParameter> parameters_of(Model& model) {
  std::vector<NamedParameter> all;
  model.each([&](const std::string& name, Var& parameter) { all.push_back({name, parameter}); });
  return all;
}

}  // namespace regard
