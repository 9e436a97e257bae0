#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "regard/tokens/unknown.h"
#include "regard/trace/trace.h"

namespace regard {

/// The version of the traces written here; docs/16-trace.md describes them.
inline constexpr int kTraceSchema = 1;

/// How weights are written: exactly, or as round(255 a), enough to draw them.
enum class Encoding { f32, u8 };

/// The whole trace. Text is valid UTF-8, but for the model's name, which is as it came. A
/// probability of 0 has no logarithm that JSON could write: null.
nlohmann::ordered_json trace_json(const Trace& trace, Encoding encoding);

/// The tokens of a text as a trace has them: [{"text", "id", "word", "start", "end"}].
nlohmann::ordered_json tokens_json(const TracedText& text);

/// What a vocabulary does not have: [{"text", "start", "end"}].
nlohmann::ordered_json unknown_json(std::span<const UnknownText> unknown);

/// Numbers as base64 of little-endian f32.
std::string packed(std::span<const float> values);

}  // namespace regard
