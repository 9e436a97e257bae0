#pragma once

#include <string>

#include "regard/cli/inspect/view.h"

namespace regard {

/// A trace for people: text and translation, each token with its probability, its runner-up and
/// where its word comes from, and entropy and tag of every head of the kind viewed.
std::string as_text(const Trace& trace, const View& view, const Terminal& terminal);

/// What a trace is shown on by default: the terminal; a pipe gets the same bytes in every locale,
/// plain ASCII unless the texts are not.
Terminal output_terminal(const Trace& trace);

/// The model of a trace, and the folder it was read from.
struct SavedModel {
  std::string folder;
  const LoadedModel& model;
};

/// The page with this trace, its model, its positions and its training curves, as one HTML file.
std::string as_page(const Trace& trace, const SavedModel& model);

}  // namespace regard
