#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/cli/command.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/shipped_model.h"
#include "regard/cli/standard_output.h"
#include "regard/config/json.h"
#include "regard/model/architecture.h"
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
std::map<std::string, Index> parts_of(Model& model) {
  std::map<std::string, Index> parts;
  model.each([&](const std::string& name, Var& parameter) {
    const bool table = name.starts_with("embed.") || name.find(".embed.") != name.npos;
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
  return find_architecture(spec.architecture).uses("heads");
}

/// What these kinds of attention have; once where all have the same.
template <class Value>
std::string by_kind(const ModelSpec& spec, std::span<const AttentionKind> kinds,
                    const Value& value) {
  std::set<std::string> values;
  std::string all;
  for (const AttentionKind kind : kinds) {
    if (layers_of(spec, kind) == 0) continue;
    const std::string has = fmt::format("{}", value(kind));
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", name(kind), has);
    values.insert(has);
  }
  return values.size() == 1 ? *values.begin() : all;
}

constexpr AttentionKind kStacks[] = {AttentionKind::encoder, AttentionKind::decoder};

std::string attention_of(const ModelSpec& spec) {
  std::string text =
      by_kind(spec, kAttentionKinds, [&](AttentionKind kind) { return mechanism_of(spec, kind); });
  if (!has_heads(spec)) return text;
  text += fmt::format(", positions {}, {}", spec.position,
                      by_kind(spec, kStacks, [&](AttentionKind kind) {
                        return has_norms_in_front(spec, kind) ? "pre-norm" : "post-norm";
                      }));
  for (const AttentionKind kind : kStacks)
    if (layers_of(spec, kind) > 0 && window_of(spec, kind) > 0)
      text += fmt::format(", {} window {}", name(kind), window_of(spec, kind));
  return text;
}

/// The settings that mean something to the model.
Json settings_of(const ModelSpec& spec) {
  const Architecture& architecture = find_architecture(spec.architecture);
  const Json all = to_json(spec);
  Json settings;
  for (const auto& [key, value] : all.items())
    if (architecture.uses(key)) settings[key] = value;
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
  return {{"type", tokenizer.type()}, {"size", tokenizer.size()}};
}

Json described(const std::string& folder, const Loaded<Model>& loaded) {
  const ModelInfo& info = loaded.info;
  const std::string weights = RunFolder(folder).weights();
  Json about{{"schema", 1}, {"format", kModelFormat}, {"folder", folder}};
  if (info.source) about.update({{"from", info.from}, {"to", info.to}});
  about["model"] = settings_of(info.spec);
  about["weights"] = loaded.weights == Dtype::i8 ? "int8" : "float32";
  about["parameters"] = parameter_count(*loaded.model);
  about["parts"] = parts_of(*loaded.model);
  if (!info.labels.empty()) about["labels"] = info.labels;
  if (info.target) about["joint_vocabulary"] = info.source == info.target;
  if (info.source) about["source_vocabulary"] = vocabulary(*info.source);
  if (info.target) about["target_vocabulary"] = vocabulary(*info.target);
  if (info.source)
    about["alignment"] = {{"layer", info.alignment.layer},
                          {"head", info.alignment.head},
                          {"shift", info.alignment.shift}};
  if (info.series) about["series"] = to_json(*info.series);
  about["files"] = files_of(folder);
  about["hash"] = fmt::format(
      "{:016x}", content_hash(read_own_file(weights, std::numeric_limits<std::size_t>::max())));
  return about;
}

/// The languages of what it reads and writes.
std::string languages_of(const ModelInfo& info) {
  const auto named = [](const std::string& name) { return name.empty() ? "?" : name; };
  const Architecture& made = find_architecture(info.spec.architecture);
  if (made.translates()) return fmt::format("{} to {}", named(info.from), named(info.to));
  return named(made.reads == Reads::text ? info.from : info.to);
}

/// "2 + 2" of encoder and decoder; of one of them alone its own.
std::string layers_shown(const ModelSpec& spec) {
  const Architecture& made = find_architecture(spec.architecture);
  const bool encoder = made.uses("encoder_layers"), decoder = made.uses("decoder_layers");
  if (encoder && decoder) return fmt::format("{} + {}", spec.encoder_layers, spec.decoder_layers);
  return fmt::format("{}", encoder ? spec.encoder_layers : spec.decoder_layers);
}

std::string vocabularies_shown(const ModelInfo& info) {
  const auto tokens = [](const Tokenizer& t) { return fmt::format("{} {}", t.size(), t.kind()); };
  if (!info.target) return tokens(*info.source);
  if (!find_architecture(info.spec.architecture).uses("source_vocabulary"))
    return tokens(*info.target);
  if (info.source == info.target) return tokens(*info.source) + ", shared";
  return tokens(*info.source) + " of the source, " + tokens(*info.target) + " of the target";
}

std::string joined(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i)
    text.append(i > 0 ? ", " : "").append(words[i]);
  if (words.size() > kMost) text += fmt::format(" and {} more", words.size() - kMost);
  return text;
}

std::string row(const std::string& name, const std::string& value) {
  return fmt::format("{:<14}{}\n", name, visible(value));
}

std::string series_shown(const SeriesInfo& series, const ModelSpec& spec) {
  return row("series", fmt::format("{}: {}; a row every {}", series.names.size(),
                                   joined(series.names), series.step)) +
         row("forecast",
             fmt::format("{} steps after {} seen, in patches of {} every {}{}{}", spec.horizon,
                         spec.context, spec.patch, spec.stride, spec.causal ? ", causal" : "",
                         spec.quantiles.empty() ? "" : ", quantiles " + spec.quantiles));
}

std::string pictures_shown(const ModelSpec& spec) {
  return row("pictures",
             fmt::format("{0} x {0} in patches of {1}", spec.image_size, spec.image_patch));
}

std::string as_text(const Json& about, const Loaded<Model>& loaded) {
  const ModelInfo& info = loaded.info;
  const ModelSpec& spec = info.spec;
  std::string text = row("model", about["folder"].get<std::string>());
  if (info.source) text += row(translates(spec) ? "languages" : "language", languages_of(info));
  text += row("architecture", spec.architecture);
  const std::string heads =
      has_heads(spec)
          ? fmt::format("heads {}, ",
                        by_kind(spec, kAttentionKinds,
                                [&](AttentionKind kind) { return heads_of(spec, kind); }))
          : "";
  text += row("sizes", fmt::format("d_model {}, d_hidden {}, {}layers {}", spec.width, spec.hidden,
                                   heads, layers_shown(spec)));
  text += row("attention", attention_of(spec));
  text += row("weights", about["weights"].get<std::string>());
  text += row("parameters", fmt::format("{}", about["parameters"].get<Index>()));
  for (const auto& [part, count] : about["parts"].items())
    text += fmt::format("  {:<12}{}\n", part, count.get<Index>());
  if (!info.labels.empty())
    text += row("labels", fmt::format("{}: {}", info.labels.size(), joined(info.labels)));
  if (info.source) text += row("vocabulary", vocabularies_shown(info));
  if (layers_of(spec, AttentionKind::cross) > 0)
    text += row("alignment", has_heads(spec)        ? head_name(info.alignment)
                             : info.alignment.shift ? "shifted one step"
                                                    : "not shifted");
  if (info.series) text += series_shown(*info.series, spec);
  if (find_architecture(spec.architecture).reads == Reads::image) text += pictures_shown(spec);
  for (const auto& [name, size] : about["files"].items())
    text += row("file", fmt::format("{}, {} bytes", name, size.get<std::uintmax_t>()));
  text += row("hash", about["hash"].get<std::string>() + " (XXH3 of the weights)");
  return text + row("format", fmt::format("{}", kModelFormat));
}

int run(Options options) {
  check(!options.folder || !options.model.folder, "name the model once: a folder, or --model");
  if (options.folder) options.model.folder = options.folder;
  const std::string folder = model_folder(options.model);
  const Loaded<Model> loaded = open_packed(options.model);
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
