#include "regard/serve/model/served_model.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cmath>
#include <span>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/model/run_folder.h"
#include "regard/trace/model_json.h"

namespace regard {
namespace {

/// XXH3-64 of the weights' file (Collet, xxHash), as the command `info` shows it.
std::string hash_of(const std::string& folder) {
  const std::string bytes = read_own_file(RunFolder(folder).weights(), std::size_t{1} << 40);
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

LoadedModel loaded_from(const ModelPlace& place, NotFinite not_finite) {
  LoadedModel loaded = load_translator(place.folder, not_finite);
  if (loaded.info.from.empty()) loaded.info.from = place.languages.from;
  if (loaded.info.to.empty()) loaded.info.to = place.languages.to;
  if (loaded.info.from.empty() || loaded.info.to.empty())
    warn("the model ", place.name,
         " does not name its languages, so clients cannot ask for them; set serve.from and ",
         "serve.to");
  return loaded;
}

}  // namespace

ServedModel::ServedModel(ModelPlace place, EngineSpec spec, NotFinite not_finite)
    : place_(std::move(place)),
      loaded_(loaded_from(place_, not_finite)),
      about_(model_json(place_.name, loaded_, hash_of(place_.folder))),
      engine_(*loaded_.model, spec) {}

const std::vector<SurveyedHead>& ServedModel::surveyed_heads() const {
  std::call_once(survey_,
                 [this] { surveyed_heads_ = survey_heads(loaded_, example_sentences(info())); });
  return surveyed_heads_;
}

void ServedModel::try_out() const {
  constexpr Index kTokens = 8;
  std::vector<std::int32_t> source;
  for (Index id = kUnk; id < info().source->size() && id < kUnk + kTokens; ++id)
    source.push_back(static_cast<std::int32_t>(id));
  source.push_back(kEos);
  const DecodeSpec spec{.beam = 2, .max_length = max_output_tokens(info().spec, kTokens)};
  const auto best = translate(*loaded_.model, std::span(&source, 1), spec);
  const double score = best.front().front().score;
  if (!std::isfinite(score))
    fail(Fault::input, place_.folder, ": a first translation has the score ", score,
         ", expected a finite one; its weights may be damaged");
}

}  // namespace regard
