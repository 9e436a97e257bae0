#include "regard/cli/train/settle.h"

#include <fmt/format.h>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/cli/train/languages.h"
#include "regard/image/picture_corpus.h"
#include "regard/model/architecture.h"
#include "regard/train/run_data.h"

namespace regard {
namespace {

constexpr const char* kBuiltin = "the built-in corpus";

/// A recipe while what nobody has chosen in it follows from the rest.
class Settling {
 public:
  explicit Settling(ChosenRecipe& chosen)
      : chosen_(chosen),
        recipe_(chosen.recipe),
        made_(find_architecture(recipe_.model.architecture)),
        pictures_(find_picture_corpus(recipe_.data.train_source)),
        builtin_(pictures_ ? nullptr : find_builtin(recipe_.data.train_source)) {}

  // Each may follow from those before it.

  void pictures() {
    if (made_.reads == Reads::image && writes())
      settle_one("vocab", "type", recipe_.vocab.type, "words", "captions");
    if (!pictures_) return;
    if (pictures_->has_languages())
      settle_language("to", recipe_.data.to, pictures_->languages().front(), kBuiltin);
    settle_one("data", "builtin_pairs", recipe_.data.builtin_pairs, pictures_->to_learn, kBuiltin);
    if (recipe_.train.steps == 0 && recipe_.train.epochs == 0)
      settle_one("train", "epochs", recipe_.train.epochs, pictures_->epochs, kBuiltin);
  }

  void builtin_text() {
    if (!builtin_ || (!reads() && !writes())) return;
    const bool reversed = builtin_->is_reversed(recipe_.data.from, recipe_.data.to);
    const auto [from, to] = reversed ? std::pair(builtin_->target, builtin_->source)
                                     : std::pair(builtin_->source, builtin_->target);
    if (reads()) settle_language("from", recipe_.data.from, from, kBuiltin);
    if (writes()) settle_language("to", recipe_.data.to, to, kBuiltin);
    settle_one("vocab", "type", recipe_.vocab.type, builtin_->vocab_type, kBuiltin);
  }

  void languages() {
    DataSpec& data = recipe_.data;
    if (reads() ? !data.train_target.empty() : writes()) {
      if (reads()) settle_by_name("from", data.from, data.train_source);
      if (writes()) settle_by_name("to", data.to, reads() ? data.train_target : data.train_source);
    }
    if (const PictureCorpus* valid = find_picture_corpus(data.valid_source);
        valid && valid->has_languages())
      settle_language("to", data.to, valid->languages().front(), "the validation corpus");
  }

  void vocabulary() {
    if (recipe_.vocab.type != "words") return;
    const char* why = "a vocabulary of words";
    const Index usual = builtin_ ? builtin_->min_frequency : pictures_ ? Index{1} : Index{2};
    settle_one("vocab", "joint", recipe_.vocab.joint, false, why);
    settle_one("vocab", "min_frequency", recipe_.vocab.min_frequency, usual, why);
  }

  void preferences() {
    settle_group("model", recipe_.model, made_.preferred(recipe_.model),
                 fmt::format("architecture {}", made_.name));
    const DataKind& kind = data_kind_of(recipe_.model);
    if (kind.preferred)
      settle_group("train", recipe_.train, kind.preferred(recipe_.train),
                   fmt::format("training on {}", kind.name));
    if (!recipe_.vocab.joint)
      settle_one("model", "tied", recipe_.model.tied, "target", "separate vocabularies");
  }

  void end() {
    if (recipe_.train.steps == 0 && recipe_.train.epochs == 0)
      settle_one("train", "epochs", recipe_.train.epochs, 25, "no end is set");
  }

 private:
  bool reads() const { return made_.reads == Reads::text; }
  bool writes() const { return made_.writes == Writes::text; }

  bool is_free(std::string_view section, std::string_view key) const {
    return !chosen_.origins.is_chosen(section, key) ||
           chosen_.origins.of(section, key).starts_with("preset");
  }

  void settle_one(const char* section, const char* key, auto& member, const auto& value,
                  const char* why) {
    if (!is_free(section, key)) return;
    member = value;
    chosen_.origins.follow(section, key, why);
  }

  void settle_language(const char* key, std::string& language, std::string_view value,
                       const char* why) {
    if (!language.empty()) return;
    language = value;
    chosen_.origins.follow("data", key, why);
  }

  void settle_by_name(const char* key, std::string& language, const std::string& file) {
    const std::string found = language_of_file(file);
    if (found.empty()) return;
    settle_language(key, language, found, "the ending of the file");
    if (language != found)
      warn(file, " is named as ", found, ", but data.", key, " is ", language,
           "; is the text given in the right order?");
  }

  void settle_group(const char* section, auto& group, auto preferred, const std::string& why) {
    const std::vector<FieldRef> fields = fields_of(group), better = fields_of(preferred);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string_view key = fields[i].field.name;
      const Value value = value_of(better[i]);
      if (value == value_of(fields[i]) || !is_free(section, key)) continue;
      const auto problem = assign(fields[i], value);
      check(!problem, why, ": ", key, ": ", problem.value_or(""));
      chosen_.origins.follow(section, key, why);
    }
  }

  ChosenRecipe& chosen_;
  Recipe& recipe_;
  const Architecture& made_;
  const PictureCorpus* pictures_;
  const BuiltinCorpus* builtin_;
};

}  // namespace

void settle(ChosenRecipe& chosen) {
  Settling settling(chosen);
  settling.pictures();
  settling.builtin_text();
  settling.languages();
  settling.vocabulary();
  settling.preferences();
  settling.end();
}

}  // namespace regard
