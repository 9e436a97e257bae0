#include "regard/backend/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regard/backend/cpu/attention_f32.h"
#include "regard/base/elementary.h"

namespace regard::kernel {
namespace {

constexpr f64 kNaN = std::numeric_limits<f64>::quiet_NaN();

/// The problem with loops over what can be seen and nothing else: the oracle.
class Plain {
 public:
  explicit Plain(const AttentionProblem<f64>& problem) : p_(problem) {}

  Index key_head(Index head) const { return head / (p_.q.heads / p_.k.heads); }

  /// Calls f(s, score) for every key that query t sees.
  template <class F>
  void each_seen(Index b, Index h, Index t, const F& f) const {
    const Index queries = p_.queries.length(b), keys = p_.keys.length(b);
    const KeyRange range = p_.mask.range(b, t, queries, keys);
    const f64* q = p_.q.at(p_.queries.begin(b) + t, h);
    for (Index s = range.begin; s < range.end; ++s) {
      if (!p_.mask.permits(b, h, t, s)) continue;
      const f64 added = p_.mask.added(b, h, t, s, t + keys - queries);
      if (added == -std::numeric_limits<f64>::infinity()) continue;
      const f64* k = p_.k.at(p_.keys.begin(b) + s, key_head(h));
      const f64 score = p_.scale * dot(q, k, p_.q.width) + added;
      const bool sound = std::isfinite(score) ||
                         (finite(q, p_.q.width) && finite(k, p_.k.width) && std::isfinite(added));
      f(s, sound ? bounded(score) : kNaN);
    }
  }

  /// The dropout's factor for an element.
  f64 kept(Index b, Index h, Index t, Index s) const {
    if (!p_.dropout.active()) return 1;
    return p_.dropout.kept(b, h, t, s / 8) >> (s % 8) & 1 ? p_.dropout.scale() : 0;
  }

  void forward(Index b, Index h, Index t, f64* y, std::span<f64> norm) const {
    f64 peak = -std::numeric_limits<f64>::infinity(), total = 0;
    each_seen(b, h, t, [&](Index, f64 score) {
      if (!(score <= peak)) peak = score;  // also where it is NaN
    });
    std::fill_n(y, p_.v.width, 0.0);
    bool lost = false;
    each_seen(b, h, t, [&](Index s, f64 score) {
      const f64 power = elementary::exp(score - peak), factor = kept(b, h, t, s);
      const f64* v = p_.v.at(p_.keys.begin(b) + s, key_head(h));
      total += power;
      lost |= std::isnan(power) || !finite(v, p_.v.width);
      for (Index i = 0; i < p_.v.width; ++i) y[i] += power * factor * v[i];
    });
    for (Index i = 0; total != 0 && i < p_.v.width; ++i) y[i] = lost ? kNaN : y[i] / total;
    norm[0] = peak;
    norm[1] = total;
  }

  // The formulas stand in attention_backward.cpp.
  void backward(Index b, Index h, Index t, const AttentionGradients<f64>& g) const {
    const Index token = p_.queries.begin(b) + t, first = p_.keys.begin(b),
                key_head = this->key_head(h);
    const std::span<const f64> norm = g.norms[token * p_.q.heads + h];
    const f64* dy = g.dy.at(token, h);
    const f64* q = p_.q.at(token, h);
    const f64* y = g.y.at(token, h);
    const f64 mean = dot(dy, y, p_.v.width);
    const bool lost = !finite(dy, p_.v.width) || !finite(y, p_.v.width);
    each_seen(b, h, t, [&](Index s, f64 score) {
      const f64 weight = lost ? kNaN : elementary::exp(score - norm[0]) / norm[1];
      const f64 factor = kept(b, h, t, s);
      const f64* k = p_.k.at(first + s, key_head);
      const f64 dweight = factor * dot(dy, p_.v.at(first + s, key_head), p_.v.width);
      const f64 dscore = p_.scale * weight * (dweight - mean);
      for (Index i = 0; g.dv.data && i < p_.v.width; ++i)
        g.dv.at(first + s, key_head)[i] += weight * factor * dy[i];
      for (Index i = 0; g.dk.data && i < p_.k.width; ++i)
        g.dk.at(first + s, key_head)[i] += dscore * q[i];
      for (Index i = 0; g.dq.data && i < p_.q.width; ++i) g.dq.at(token, h)[i] += dscore * k[i];
    });
  }

 private:
  static f64 dot(const f64* a, const f64* b, Index width) {
    f64 sum = 0;
    for (Index i = 0; i < width; ++i) sum += a[i] * b[i];
    return sum;
  }

  static bool finite(const f64* row, Index width) {
    return std::all_of(row, row + width, [](f64 x) { return std::isfinite(x); });
  }

  /// Finite operands give a finite score, whatever overflows on the way.
  static f64 bounded(f64 score) {
    constexpr f64 kLargest = std::numeric_limits<f64>::max();
    return std::isnan(score) ? kLargest : std::clamp(score, -kLargest, kLargest);
  }

  const AttentionProblem<f64>& p_;
};

void clear(Heads<f64> heads, const SegmentView& segments, Index b, Index first_head, Index count) {
  for (Index row = 0; heads.data && row < segments.length(b); ++row)
    for (Index h = first_head; h < first_head + count; ++h)
      std::fill_n(heads.at(segments.begin(b) + row, h), heads.width, 0.0);
}

/// Calls f(group) for every segment and key head, spread over the threads.
template <class T, class F>
void each_group(Cpu& cpu, const AttentionProblem<T>& problem, const F& f) {
  cpu.parallel(problem.queries.count * problem.k.heads,
               [&](Index task) { f(task / problem.k.heads, task % problem.k.heads); });
}

}  // namespace

void Attention::operator()(Cpu& cpu, const AttentionProblem<f32>& problem, Heads<f32> y,
                           Rows<f32> norms) const {
  // Tasks are chunks of one length; those past the end of a short segment have nothing to do.
  Index longest = 0;
  for (Index b = 0; b < problem.queries.count; ++b)
    longest = std::max(longest, problem.queries.length(b));
  const Index groups = problem.queries.count * problem.k.heads;
  const Index chunks = (longest * (problem.q.heads / problem.k.heads) + kChunk - 1) / kChunk;
  cpu.parallel(groups * chunks, [&](Index task) {
    const Index number = task / chunks, first = task % chunks * kChunk;
    const AttentionGroup group{problem, number / problem.k.heads, number % problem.k.heads};
    if (first >= group.rows()) return;
    attend_f32({group, first, std::min(kChunk, group.rows() - first)}, y, norms);
  });
}

void Attention::operator()(Cpu& cpu, const AttentionProblem<f64>& problem, Heads<f64> y,
                           Rows<f64> norms) const {
  const Plain plain(problem);
  const Index heads = problem.q.heads;
  cpu.parallel(problem.queries.count * heads, [&](Index task) {
    const Index b = task / heads, h = task % heads;
    for (Index t = 0; t < problem.queries.length(b); ++t) {
      const Index token = problem.queries.begin(b) + t;
      plain.forward(b, h, t, y.at(token, h), norms[token * heads + h]);
    }
  });
}

void AttentionBackward::operator()(Cpu& cpu, const AttentionProblem<f32>& problem,
                                   const AttentionGradients<f32>& gradients) const {
  each_group(cpu, problem, [&](Index segment, Index key_head) {
    attend_backward_f32({problem, segment, key_head}, gradients);
  });
}

void AttentionBackward::operator()(Cpu& cpu, const AttentionProblem<f64>& problem,
                                   const AttentionGradients<f64>& gradients) const {
  const Plain plain(problem);
  const Index share = problem.q.heads / problem.k.heads;
  each_group(cpu, problem, [&](Index b, Index key_head) {
    clear(gradients.dk, problem.keys, b, key_head, 1);
    clear(gradients.dv, problem.keys, b, key_head, 1);
    clear(gradients.dq, problem.queries, b, key_head * share, share);
    for (Index h = key_head * share; h < (key_head + 1) * share; ++h)
      for (Index t = 0; t < problem.queries.length(b); ++t) plain.backward(b, h, t, gradients);
  });
}

void AttentionWeights::operator()(Cpu& cpu, const AttentionProblem<f32>& problem, QueryRange range,
                                  Rows<const f32> norms, Rows<f32> weights) const {
  const Index share = problem.q.heads / problem.k.heads;
  const AttentionGroup group{problem, range.segment, range.head / share};
  const Index first = range.head % share * group.queries() + range.first;
  cpu.parallel_ranges(range.count, kRowBlock, [&](Index begin, Index end) {
    attention_weights_f32({group, first + begin, end - begin}, norms,
                          weights.data + begin * weights.width);
  });
}

void AttentionWeights::operator()(Cpu& cpu, const AttentionProblem<f64>& problem, QueryRange range,
                                  Rows<const f64> norms, Rows<f64> weights) const {
  const Plain plain(problem);
  cpu.parallel(range.count, [&](Index i) {
    const Index t = range.first + i, token = problem.queries.begin(range.segment) + t;
    const std::span<const f64> norm = norms[token * problem.q.heads + range.head];
    std::ranges::fill(weights[i], 0.0);
    plain.each_seen(range.segment, range.head, t, [&](Index s, f64 score) {
      weights[i][s] = elementary::exp(score - norm[0]) / norm[1];
    });
  });
}

}  // namespace regard::kernel
