#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "regard/model/model_folder.h"
#include "regard/trace/head_survey.h"
#include "regard/trace/position_table.h"

namespace regard {

/// Sentences to try a model with: its own examples; where it has none, familiar_sentences; where it
/// knows none of those either, words of its vocabulary. None for subwords of another language,
/// which spell any text.
std::vector<std::string> example_sentences(const ModelInfo& info);

/// Built-in sentences in a model's source language without an unknown word, the most familiar
/// first. They tell nothing of the text that it was trained with.
std::vector<std::string> familiar_sentences(const ModelInfo& info);

/// All about a model but its weights: name, languages, architecture, what it reads, parameters,
/// spec, alignment head, example sentences, the shape of each weight, vocabularies.
/// `hash` is of its weights' file, for who knows it.
nlohmann::ordered_json model_json(const std::string& name, const LoadedModel& model,
                                  const std::string& hash = {});

/// The same with other example sentences.
nlohmann::ordered_json with_examples(nlohmann::ordered_json about,
                                     const std::vector<std::string>& examples);

/// What heads do over some sentences: {"schema": 1, "sentences", "heads": [{"kind", "layer",
/// "head", "tag", "entropy"}]}.
nlohmann::ordered_json survey_json(std::span<const SurveyedHead> heads, std::size_t sentences);

/// {"schema": 1, "scheme", "first", "rows", "cols", "dtype": "f32", "data"}, and "note" where there
/// is one.
nlohmann::ordered_json positional_json(const PositionTable& table);

}  // namespace regard
