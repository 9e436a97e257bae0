#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/shipped_model.h"
#include "regard/cli/standard_output.h"
#include "regard/config/json.h"
#include "regard/model/run_folder.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/checkpoint/manifest.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ModelOption model;
  std::optional<std::string> folder;
  bool json = false;
};

/// Parameters of each part; embeddings are a part of their own.
std::map<std::string, Index> parts_of(SequenceModel& model) {
  std::map<std::string, Index> parts;
  model.each([&](const std::string& name, Var& parameter) {
    const bool table = name.find(".embed.") != name.npos;
    parts[table ? "embeddings" : name.substr(0, name.find('.'))] += parameter.value().count();
  });
  return parts;
}

std::map<std::string, std::uintmax_t> files_of(const std::string& folder) {
  std::map<std::string, std::uintmax_t> sizes;
  for (const std::string& name : names_in(folder)) {
    const std::string path = RunFolder(folder).within(name);
    const bool ours = name == kConfigFile || name == kWeightsFile || name.ends_with(".tokens");
    if (ours && is_own_file(path)) sizes[name] = static_cast<std::uintmax_t>(file_size(path));
  }
  return sizes;
}

bool has_heads(const ModelSpec& spec) {
  return spec.architecture == "transformer";
}

/// The settings that mean something to the model.
Json settings_of(const ModelSpec& spec) {
  Json settings = to_json(spec);
  if (!has_heads(spec))
    for (const char* unused : {"heads", "kv_heads", "position", "activation", "pre_norm",
                               "ffn_dropout", "epsilon", "max_length", "first_position"})
      settings.erase(unused);
  return settings;
}

std::string head_name(const AlignmentHead& head) {
  const auto part = [](const char* what, Index number) {
    return number < 0 ? fmt::format("all {}s", what) : fmt::format("{} {}", what, number + 1);
  };
  return fmt::format("{}, {}{}", part("layer", head.layer), part("head", head.head),
                     head.shift ? ", shifted one step" : "");
}

Json vocabulary(const Tokenizer& tokenizer) {
  return {{"kind", tokenizer.kind()}, {"size", tokenizer.size()}};
}

Json described(const std::string& folder, const LoadedModel& loaded) {
  const ModelInfo& info = loaded.info;
  const std::string weights = RunFolder(folder).weights();
  return {{"schema", 1},
          {"format", kModelFormat},
          {"folder", folder},
          {"from", info.from},
          {"to", info.to},
          {"model", settings_of(info.spec)},
          {"weights", loaded.weights == Dtype::i8 ? "int8" : "float32"},
          {"parameters", parameter_count(*loaded.model)},
          {"parts", parts_of(*loaded.model)},
          {"joint_vocabulary", info.source == info.target},
          {"source_vocabulary", vocabulary(*info.source)},
          {"target_vocabulary", vocabulary(*info.target)},
          {"alignment",
           {{"layer", info.alignment.layer},
            {"head", info.alignment.head},
            {"shift", info.alignment.shift}}},
          {"files", files_of(folder)},
          {"hash", fmt::format("{:016x}", content_hash(read_own_file(
                                              weights, std::numeric_limits<std::size_t>::max())))}};
}

std::string as_text(const Json& about, const LoadedModel& loaded) {
  const ModelInfo& info = loaded.info;
  const auto row = [](const std::string& name, const std::string& value) {
    return fmt::format("{:<14}{}\n", name, visible(value));
  };
  const auto language = [](const std::string& name) { return name.empty() ? "?" : name; };
  const ModelSpec& spec = info.spec;
  std::string text = row("model", about["folder"].get<std::string>());
  text += row("languages", fmt::format("{} to {}", language(info.from), language(info.to)));
  text += row("architecture", spec.architecture);
  const std::string heads = has_heads(spec) ? fmt::format("heads {}, ", spec.heads) : "";
  text += row("sizes", fmt::format("d_model {}, d_hidden {}, {}layers {} + {}", spec.width,
                                   spec.hidden, heads, spec.encoder_layers, spec.decoder_layers));
  text += row("attention", has_heads(spec)
                               ? fmt::format("{}, positions {}, {}", spec.mechanism, spec.position,
                                             spec.pre_norm ? "pre-norm" : "post-norm")
                               : spec.mechanism);
  text += row("weights", about["weights"].get<std::string>());
  text += row("parameters", fmt::format("{}", about["parameters"].get<Index>()));
  for (const auto& [part, count] : about["parts"].items())
    text += fmt::format("  {:<12}{}\n", part, count.get<Index>());
  const auto tokens = [](const Tokenizer& t) { return fmt::format("{} {}", t.size(), t.kind()); };
  text +=
      row("vocabulary", info.source == info.target ? tokens(*info.source) + ", shared"
                                                   : tokens(*info.source) + " of the source, " +
                                                         tokens(*info.target) + " of the target");
  text += row("alignment", has_heads(spec)        ? head_name(info.alignment)
                           : info.alignment.shift ? "shifted one step"
                                                  : "not shifted");
  for (const auto& [name, size] : about["files"].items())
    text += row("file", fmt::format("{}, {} bytes", name, size.get<std::uintmax_t>()));
  text += row("hash", about["hash"].get<std::string>() + " (XXH3 of the weights)");
  return text + row("format", fmt::format("{}", kModelFormat));
}

int run(Options options) {
  check(!options.folder || !options.model.folder, "name the model once: a folder, or --model");
  if (options.folder) options.model.folder = options.folder;
  const std::string folder = model_folder(options.model);
  const LoadedModel loaded = open_translator(options.model);
  const Json about = described(folder, loaded);
  write_output(options.json ? about.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"
                            : as_text(about, loaded));
  return 0;
}

}  // namespace

extern const Command info{
    .name = "info",
    .summary = "what a model is made of",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      add_word(app, {"folder", "DIR", "folder of the model"}, options->folder);
      declare_or_shipped(app, options->model);
      add_flag(app, {"--json", "", "one JSON object"}, options->json);
      add_footer(app, "Example:\n  regard info runs/demo");
      return [options](const Settings& settings) {
        if (!options->folder) take_shipped_model(options->model, settings);
        return run(*options);
      };
    },
};

}  // namespace regard::commands
