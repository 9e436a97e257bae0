#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "regard/base/check.h"
#include "regard/model/attention_kind.h"
#include "regard/model/model.h"

namespace regard {

/// What a model is given of an example, and what it makes of it.
enum class Reads { nothing, text, image, series };
enum class Writes { text, label, series };

/// A kind of model: what it is called, what it makes of the settings, and how one is made.
struct Architecture {
  std::string_view name, summary, paper;
  Reads reads = Reads::text;
  Writes writes = Writes::text;
  std::string_view command;  ///< of the program, which uses such a model
  /// Settings that mean nothing to it, beside those of what it does not read: it is the same model
  /// whatever they are.
  std::span<const std::string_view> unused;
  /// Whether its layers read tokens one after another, through a state, and do not attend to
  /// themselves.
  bool recurrent = false;
  /// Why it has no positions; empty if it has.
  std::string_view without_positions{};
  /// The presets with what suits it better.
  ModelSpec (*preferred)(ModelSpec spec);
  /// Layers that attend in this way.
  Index (*layers)(const ModelSpec& spec, AttentionKind kind);
  std::unique_ptr<Model> (*make)(const ModelSpec& spec, Rng rng, Dtype dtype);

  /// Whether the setting means something to it.
  bool uses(std::string_view setting) const;
  /// Whether it reads a source; otherwise it continues a text.
  bool reads_source() const { return reads != Reads::nothing; }
  /// Whether it says in other words what it reads.
  bool translates() const { return reads == Reads::text && writes == Writes::text; }
  /// Whether it says what a picture shows.
  bool captions() const { return reads == Reads::image && writes == Writes::text; }
};

/// Every architecture of this build; made from the files in architectures/.
std::span<const Architecture* const> all_architectures();

/// Throws Error(usage), with the nearest name, if there is none.
const Architecture& find_architecture(std::string_view name);

/// Whether models of the spec read a source; see Architecture.
bool reads_source(const ModelSpec& spec);
bool translates(const ModelSpec& spec);

/// Layers of a model that attend in this way, and heads of each, as a listener sees them: a model
/// without heads has one, whatever its settings say.
Index layers_of(const ModelSpec& spec, AttentionKind kind);
Index heads_of(const ModelSpec& spec, AttentionKind kind);
Index most_heads(const ModelSpec& spec);  ///< of any of its layers

/// The mechanism of its attention of this kind, and how far a token sees; 0: to the end.
const std::string& mechanism_of(const ModelSpec& spec, AttentionKind kind);
Index window_of(const ModelSpec& spec, AttentionKind kind);

/// Whether the layers of this attention are pre-norm.
bool has_norms_in_front(const ModelSpec& spec, AttentionKind kind);

/// The most tokens of a sequence, if only so many have a position; 0: any number.
Index max_positions(const ModelSpec& spec);

/// The model as one of its kind, which its architecture says. Throws Error(usage) if it is another.
template <class Kind>
std::unique_ptr<Kind> as_kind(std::unique_ptr<Model> model, const ModelSpec& spec) {
  auto* const kind = dynamic_cast<Kind*>(model.get());
  const Architecture& made = find_architecture(spec.architecture);
  check(kind, "a model of architecture ", made.name, " is not used this way: it is ", made.summary,
        "; use: regard ", made.command);
  static_cast<void>(model.release());
  return std::unique_ptr<Kind>(kind);
}

}  // namespace regard
