#pragma once

#include <string>

#include "regard/model/label_model.h"
#include "regard/trace/trace.h"

namespace regard {

/// What the class token is called among the tokens of a text that is labelled, the first of them.
inline constexpr std::string_view kClassToken = "<class>";

/// Labels a text, and records what every head of the encoder looked at: row and column 0 are the
/// class token's. The trace's source is the text, its target the label's name, without tokens;
/// `request.top` labels are kept. Throws as trace_translation does.
Trace trace_label(const Loaded<LabelModel>& model, const std::string& name, const std::string& text,
                  const TraceRequest& request = {});

/// The same of a picture, given as its levels, patch after patch: row and column i are those of
/// patch i - 1. The trace's source is empty.
Trace trace_label(const Loaded<LabelModel>& model, const std::string& name,
                  const std::vector<std::int32_t>& levels, const TraceRequest& request = {});

}  // namespace regard
