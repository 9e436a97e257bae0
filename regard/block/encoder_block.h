#pragma once

#include "regard/block/add_norm.h"
#include "regard/block/attention/self_attention.h"
#include "regard/block/block_spec.h"
#include "regard/block/feed_forward.h"

namespace regard {

/// Self-attention and a feed-forward network, each with Add & Norm around it.   [..., D] -> [...,
/// D]
struct EncoderBlock {
  SelfAttention self;
  AddNorm around_self;
  FeedForward feed;
  AddNorm around_feed;

  explicit EncoderBlock(const BlockSpec& spec)
      : self(spec.attention("self")),
        around_self(spec.add_norm()),
        feed(spec.feed_forward()),
        around_feed(spec.add_norm()) {}

  Var operator()(const Var& x, const Layout& layout, const Pass& pass) const {
    const Pass in_self = pass.inside("self"), in_feed = pass.inside("feed");
    const Var y = around_self(x, in_self, [&](const Var& z) { return self(z, layout, in_self); });
    return around_feed(y, in_feed, [&](const Var& z) { return feed(z, in_feed); });
  }

  void each(auto&& visit) {
    visit("self", self);
    visit("around_self", around_self);
    visit("feed", feed);
    visit("around_feed", around_feed);
  }
};

}  // namespace regard
