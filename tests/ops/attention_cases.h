#pragma once

#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "regard/ops/attention.h"
#include "tests/support/law.h"

namespace regard::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// How far f32 may be from f64: outputs are at most about 1.
inline constexpr double kF32 = 2e-6;

/// An attention drawn at random, and its mask said a second time, in one line a kind.
struct AttentionCase {
  AttentionInputs inputs;
  AttentionSpec spec;
  /// What is added to the score of (b, h, t, s); -infinity hides the key.
  std::function<double(Index b, Index h, Index t, Index s)> added;
};

enum class Masking { full, causal, window, valid, valid_each, table, additive, distance, joined };
inline constexpr int kMaskings = 9;
/// Each in turn, over the draws of a law.
inline Masking masking(const Draw& draw) {
  return static_cast<Masking>(draw.number() % kMaskings);
}
inline bool needs_equal(Masking m) {
  return m == Masking::valid_each || m == Masking::table || m == Masking::additive ||
         m == Masking::joined;
}

struct CaseSizes {
  Index batch = 4, length = 12, width = 10, key_heads = 3, share = 3;
};

/// A mask of one kind for a case whose segments stand; sets spec.mask and added.
inline void draw_mask(Draw& draw, Masking kind, AttentionCase& c) {
  const Segments queries = c.inputs.queries, keys = c.inputs.keys;
  const Index B = queries.count(), H = c.inputs.q.heads;
  const Index T = queries.longest(), S = keys.longest();
  const Dtype dtype = c.inputs.q.rows.dtype();
  const auto position = [=](Index b, Index t) { return t + keys.length(b) - queries.length(b); };
  const auto hidden_unless = [](bool visible) { return visible ? 0.0 : -kInfinity; };
  switch (kind) {
    case Masking::full:
      c.added = [](Index, Index, Index, Index) { return 0.0; };
      return;
    case Masking::causal:
      c.spec.mask = Mask::causal();
      c.added = [=](Index b, Index, Index t, Index s) {
        return hidden_unless(s <= position(b, t));
      };
      return;
    case Masking::window: {
      const Index left = draw.integer(0, 4), right = draw.integer(0, 4);
      c.spec.mask = Mask::window(left, right);
      c.added = [=](Index b, Index, Index t, Index s) {
        return hidden_unless(s >= position(b, t) - left && s <= position(b, t) + right);
      };
      return;
    }
    case Masking::valid: {
      std::vector<Index> lens;
      for (Index b = 0; b < B; ++b) lens.push_back(draw.integer(0, keys.length(b)));
      c.spec.mask = Mask::valid(lens);
      c.added = [=](Index b, Index, Index, Index s) {
        return hidden_unless(s < lens[static_cast<std::size_t>(b)]);
      };
      return;
    }
    case Masking::valid_each: {
      std::vector<Index> lens;
      for (Index i = 0; i < B * T; ++i) lens.push_back(draw.integer(0, S));
      c.spec.mask = Mask::valid(lens, T);
      c.added = [=](Index b, Index, Index t, Index s) {
        return hidden_unless(s < lens[static_cast<std::size_t>(b * T + t)]);
      };
      return;
    }
    case Masking::table: {
      // Any of the sixteen shapes that broadcast to [B, H, T, S].
      const Shape shape{draw.coin() ? B : 1, draw.coin() ? H : 1, draw.coin() ? T : 1,
                        draw.coin() ? S : 1};
      std::vector<std::uint8_t> allowed;
      for (Index i = 0; i < shape.count(); ++i) allowed.push_back(draw.integer(0, 2) > 0);
      c.spec.mask = Mask::table(shape, allowed);
      c.added = [=](Index b, Index h, Index t, Index s) {
        const Index at =
            ((b % shape[0] * shape[1] + h % shape[1]) * shape[2] + t % shape[2]) * shape[3] +
            s % shape[3];
        return hidden_unless(allowed[static_cast<std::size_t>(at)]);
      };
      return;
    }
    case Masking::additive: {
      const Shape shape{draw.coin() ? B : 1, draw.coin() ? H : 1, draw.integer(0, 3) ? T : 1,
                        draw.integer(0, 3) ? S : 1};
      std::vector<double> bias;
      for (Index i = 0; i < shape.count(); ++i) {
        const Index die = draw.integer(0, 9);
        bias.push_back(die == 0   ? -kInfinity
                       : die == 1 ? static_cast<double>(std::numeric_limits<float>::lowest())
                                  : static_cast<double>(draw.integer(-64, 64)) / 32);
      }
      c.spec.mask = Mask::additive(Var(Tensor::of(shape, bias, dtype)));
      c.added = [=](Index b, Index h, Index t, Index s) {
        const Index at =
            ((b % shape[0] * shape[1] + h % shape[1]) * shape[2] + t % shape[2]) * shape[3] +
            s % shape[3];
        const double x = bias[static_cast<std::size_t>(at)];
        return x <= static_cast<double>(std::numeric_limits<float>::lowest()) ? -kInfinity : x;
      };
      return;
    }
    case Masking::distance: {
      std::vector<double> slopes;
      for (Index h = 0; h < H; ++h) slopes.push_back(static_cast<double>(draw.integer(0, 16)) / 16);
      c.spec.mask = Mask::distance(slopes);
      c.added = [=](Index b, Index h, Index t, Index s) {
        return -slopes[static_cast<std::size_t>(h)] *
               static_cast<double>(std::abs(position(b, t) - s));
      };
      return;
    }
    case Masking::joined: {
      Mask all = Mask::full();
      std::vector<std::function<double(Index, Index, Index, Index)>> parts;
      for (const Masking part : {Masking::window, Masking::valid_each, Masking::table,
                                 Masking::additive, Masking::distance}) {
        draw_mask(draw, part, c);
        all = all & c.spec.mask;
        parts.push_back(c.added);
      }
      c.spec.mask = all;
      c.added = [=](Index b, Index h, Index t, Index s) {
        double sum = 0;
        for (const auto& part : parts) sum += part(b, h, t, s);
        return sum;
      };
      return;
    }
  }
}

/// Operands from -1 to 1, trainable, among columns that are not read. Drawn alike, a case has the
/// same numbers in f32 and in f64.
inline AttentionCase draw_case(Draw& draw, Masking kind, Dtype dtype, CaseSizes most = {}) {
  const Index B = draw.integer(1, most.batch), G = draw.integer(1, most.key_heads);
  const Index share = draw.integer(1, most.share);
  const Index d = draw.integer(1, most.width), dv = draw.integer(1, most.width);
  std::vector<Index> queries, keys;
  const bool equal = needs_equal(kind) || draw.coin();
  for (Index b = 0; b < B; ++b) {
    queries.push_back(equal && b ? queries[0] : draw.integer(1, most.length));
    keys.push_back(equal && b ? keys[0] : draw.integer(1, most.length));
  }
  AttentionCase c;
  c.inputs.queries = Segments::of_lengths(queries);
  c.inputs.keys = Segments::of_lengths(keys);
  const auto columns = [&](const char* name, const Segments& rows, Index heads, Index width) {
    const Index start = draw.integer(0, 3), over = draw.integer(0, 3);
    const Tensor x = Tensor::uniform({rows.rows(), start + heads * width + over}, draw.rng(name));
    return HeadColumns{Var(x.to(dtype), true), heads, width, start};
  };
  c.inputs.q = columns("q", c.inputs.queries, G * share, d);
  c.inputs.k = columns("k", c.inputs.keys, G, d);
  c.inputs.v = columns("v", c.inputs.keys, G, dv);
  if (draw.coin()) c.spec.scale = draw.coin() ? -0.25 : 1.5;
  draw_mask(draw, kind, c);
  return c;
}

}  // namespace regard::testing
