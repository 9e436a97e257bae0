#include "regard/model/architecture.h"

#include <algorithm>
#include <vector>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

constexpr std::string_view kOfImages[] = {"image_size", "image_patch"};
constexpr std::string_view kOfSeries[] = {"context", "horizon", "patch",
                                          "stride",  "causal",  "quantiles"};

/// Settings that mean something only to those that read such a thing.
struct SettingsOfSome {
  Reads reads;
  std::span<const std::string_view> settings;
};
constexpr SettingsOfSome kGroups[] = {{Reads::image, kOfImages}, {Reads::series, kOfSeries}};

/// Whether the architecture reads that setting of the attention's own: "encoder_heads".
bool uses_own(const ModelSpec& spec, AttentionKind kind, std::string_view setting) {
  return find_architecture(spec.architecture)
      .uses(std::string(name(kind)) + "_" + std::string(setting));
}

}  // namespace

std::string_view name(AttentionKind kind) {
  constexpr std::string_view kNames[] = {"encoder", "decoder", "cross"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool Architecture::uses(std::string_view setting) const {
  const auto* const group = std::ranges::find_if(kGroups, [&](const SettingsOfSome& each) {
    return std::ranges::find(each.settings, setting) != each.settings.end();
  });
  if (group != std::end(kGroups) && group->reads != reads) return false;
  return std::ranges::find(unused, setting) == unused.end();
}

std::vector<std::string_view> architecture_names() {
  std::vector<std::string_view> names;
  for (const Architecture* architecture : all_architectures()) names.push_back(architecture->name);
  return names;
}

const Architecture& find_architecture(std::string_view name) {
  for (const Architecture* architecture : all_architectures())
    if (architecture->name == name) return *architecture;
  fail(Fault::usage, "no architecture is called '", name, "'",
       known_values(name, architecture_names()));
}

bool reads_source(const ModelSpec& spec) {
  return find_architecture(spec.architecture).reads_source();
}

bool translates(const ModelSpec& spec) {
  return find_architecture(spec.architecture).translates();
}

Index layers_of(const ModelSpec& spec, AttentionKind kind) {
  return find_architecture(spec.architecture).layers(spec, kind);
}

Index heads_of(const ModelSpec& spec, AttentionKind kind) {
  if (!find_architecture(spec.architecture).uses("heads")) return 1;
  const Index own = uses_own(spec, kind, "heads") ? spec.own(kind).heads : 0;
  return own > 0 ? own : spec.heads;
}

Index most_heads(const ModelSpec& spec) {
  Index most = 0;
  for (const AttentionKind kind : kAttentionKinds)
    if (layers_of(spec, kind) > 0) most = std::max(most, heads_of(spec, kind));
  return most;
}

const std::string& mechanism_of(const ModelSpec& spec, AttentionKind kind) {
  const std::string& own = spec.own(kind).mechanism;
  return own.empty() || !uses_own(spec, kind, "attention") ? spec.mechanism : own;
}

Index window_of(const ModelSpec& spec, AttentionKind kind) {
  if (kind == AttentionKind::cross || !uses_own(spec, kind, "window")) return 0;
  return spec.own(kind).window;
}

bool has_norms_in_front(const ModelSpec& spec, AttentionKind kind) {
  const std::string& own = kind == AttentionKind::encoder ? spec.encoder_norm : spec.decoder_norm;
  return own.empty() ? spec.pre_norm : own == "pre";
}

Index max_positions(const ModelSpec& spec) {
  const bool table = spec.position == "learned";
  return table && find_architecture(spec.architecture).uses("max_length") ? spec.max_length : 0;
}

}  // namespace regard
