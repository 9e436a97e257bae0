#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "regard/model/sequence_model.h"
#include "regard/model/transformer.h"

namespace regard {

// A Transformer's decoder as a search steps through it.

/// The state before the first token; one sequence for each source.
std::unique_ptr<IncrementalState> started(const Decoder& decoder, const EncoderOutput& source);

/// Rows after one more token of each sequence: [B, D].   REQUIRES a state that `started` made
Tensor stepped(const Decoder& decoder, std::span<const std::int32_t> tokens,
               IncrementalState& state, const Pass& pass);

}  // namespace regard
