#include "regard/serve/model/served_model.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cmath>
#include <memory>
#include <new>
#include <span>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/serve/model/familiar_pictures.h"
#include "regard/trace/model_json.h"
#include "regard/trace/picture_looks.h"

namespace regard {
namespace {

/// XXH3-64 of the weights' file (Collet, xxHash), as the command `info` shows it. Of the open one:
/// another may have taken its name.
std::string hash_of(const SafetensorsFile& weights) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  weights.each_piece([&](std::span<const std::byte> piece) {
    XXH3_64bits_update(state.get(), piece.data(), piece.size());
  });
  return fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
}

LoadedModel loaded_from(const ModelPlace& place, const SafetensorsFile& weights,
                        NotFinite not_finite) {
  LoadedModel loaded = load_translator(place.folder, weights, not_finite);
  const Architecture& made = find_architecture(loaded.info.spec.architecture);
  if (!made.translates() && !made.captions())
    fail(Fault::usage, place.folder, ": a model of architecture ", made.name,
         " neither translates nor says what pictures show, and cannot be served; use: regard ",
         made.command, " --model ", place.folder);
  if (loaded.info.to.empty()) loaded.info.to = place.languages.to;
  if (made.captions()) return loaded;  // no text is asked for by its language
  if (loaded.info.from.empty()) loaded.info.from = place.languages.from;
  if (loaded.info.from.empty() || loaded.info.to.empty())
    warn("the model ", place.name, " does not name its languages, so clients cannot ask for them",
         place.languages.remedy.empty() ? "" : "; " + place.languages.remedy);
  return loaded;
}

/// The first tokens of a vocabulary, unknown ones first, and an end.
std::vector<std::int32_t> first_tokens(const Tokenizer& tokenizer, Index most) {
  std::vector<std::int32_t> source;
  for (Index id = kUnk; id < tokenizer.size() && id < kUnk + most; ++id)
    source.push_back(static_cast<std::int32_t>(id));
  source.push_back(kEos);
  return source;
}

/// A picture from black to white, again and again, as a model reads it.
std::vector<std::int32_t> shaded_picture(const ModelSpec& spec) {
  const PatchGrid grid = grid_of(spec);
  std::vector<std::int32_t> levels(static_cast<std::size_t>(grid.count() * grid.values()));
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<std::int32_t>(i % 256);
  return levels;
}

}  // namespace

ServedModel::ServedModel(ModelPlace place, EngineSpec spec, NotFinite not_finite)
    : place_(std::move(place)),
      weight_pictures_(SafetensorsFile(RunFolder(place_.folder).weights(), Symlinks::refuse)),
      loaded_(loaded_from(place_, weight_pictures_.file(), not_finite)),
      about_(model_json(place_.name, loaded_, hash_of(weight_pictures_.file()))),
      public_about_(with_examples(about_, familiar_sentences(loaded_.info))),
      engine_(*loaded_.model, spec) {
  if (!captions()) return;
  // Drawn by the program itself, they tell nothing of what a model was trained with.
  about_["pictures"] = public_about_["pictures"] = familiar_pictures(info());
}

bool ServedModel::captions() const {
  return find_architecture(info().spec.architecture).captions();
}

const std::vector<SurveyedHead>& ServedModel::surveyed_heads() const {
  std::call_once(survey_,
                 [this] { surveyed_heads_ = survey_heads(loaded_, example_sentences(info())); });
  return surveyed_heads_;
}

void ServedModel::try_out() const {
  constexpr Index kTokens = 8;
  const std::vector<std::int32_t> source =
      captions() ? shaded_picture(info().spec) : first_tokens(*info().source, kTokens);
  const DecodeSpec spec{.beam = 2, .max_length = max_output_tokens(info().spec, kTokens)};
  const auto best = translate(*loaded_.model, std::span(&source, 1), spec);
  const double score = best.front().front().score;
  if (!std::isfinite(score))
    fail(Fault::input, place_.folder, ": a first translation has the score ", score,
         ", expected a finite one; its weights may be damaged");
}

}  // namespace regard
