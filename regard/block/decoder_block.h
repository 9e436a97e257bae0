#pragma once

#include <optional>
#include <span>

#include "regard/block/add_norm.h"
#include "regard/block/attention/cross_attention.h"
#include "regard/block/attention/self_attention.h"
#include "regard/block/block_spec.h"
#include "regard/block/feed_forward.h"

namespace regard {

/// How a decoder block's two attentions see: its own sequences, where the mask is usually causal,
/// and the source's, where it is that of the source's valid lengths.
struct DecoderLayout {
  Layout self, cross;
};

/// Masked self-attention, cross-attention to a source if there is one, and a feed-forward network,
/// each with Add & Norm around it.   [..., D] -> [..., D]
struct DecoderBlock {
  SelfAttention self;
  AddNorm around_self;
  std::optional<CrossAttention> cross;
  std::optional<AddNorm> around_cross;
  FeedForward feed;
  AddNorm around_feed;

  /// What a block remembers from step to step, of each sequence.
  struct State {
    KeyValueCache past;                   ///< of the tokens decoded so far
    std::optional<KeyValueCache> source;  ///< of the source

    void reorder(std::span<const Index> chosen);
  };

  explicit DecoderBlock(const BlockSpec& spec);

  /// All at once, as in training.   source [..., D]; without cross-attention neither it nor its
  /// layout are read
  Var operator()(const Var& x, const Var& source, const DecoderLayout& layout,
                 const Pass& pass) const;

  /// The state before the first token; one sequence for each source, which may have no row.
  State start(const Var& source, const Segments& segments) const;

  /// The next rows of each sequence, which see `to_source` of the source; the state moves on. Same
  /// numbers as all at once.
  Var step(const Var& x, State& state, const NextRows& next, const Mask& to_source,
           const Pass& pass) const;

  void each(auto&& visit) {
    visit("self", self);
    visit("around_self", around_self);
    visit("cross", cross);
    visit("around_cross", around_cross);
    visit("feed", feed);
    visit("around_feed", around_feed);
  }

 private:
  /// What looks at the past and at the source: all at once, or a step.
  template <class LookBack, class LookAcross>
  Var run(const Var& x, const Pass& pass, const LookBack& back, const LookAcross& across) const;
};

}  // namespace regard
