#pragma once

#include <string>
#include <vector>

#include "regard/cli/inspect/view.h"
#include "regard/trace/head_survey.h"

namespace regard {

/// A trace for people: text and translation, each token with its probability, its runner-up and
/// the source words of its word, and pattern and entropy of every head of the kind viewed.
std::string as_text(const Trace& trace, const View& view, const Terminal& terminal);

/// The labels of a trace with their probabilities, as a table.
std::string label_table(const Trace& trace, const Terminal& terminal);

/// What a trace is shown on: the terminal; a pipe gets 80 columns of UTF-8, or ASCII if the
/// locale names another encoding.
Terminal output_terminal();

/// The model of a trace, and the folder it was read from.
struct SavedModel {
  std::string folder;
  const LoadedModel& model;
  const std::vector<SurveyedHead>& heads;  ///< over its example sentences
};

/// The page with this trace, its model, its positions and its training curves, as one HTML file.
std::string as_page(const Trace& trace, const SavedModel& model);

}  // namespace regard
