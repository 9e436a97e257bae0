#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "regard/ops/attention_inputs.h"

namespace regard {

/// Where a head looked: the weights of an attention, before dropout, read afterwards. They are
/// computed again, exactly, from q, k and the saved log-sum-exp of every row; a T x S matrix exists
/// only while one is asked for. Hidden keys have weight exactly 0, and queries that see nothing
/// have zeros. Keeps q, k and the mask alive, nothing else.
class AttentionReader {
 public:
  struct Look {
    Index key;
    double weight;
  };

  AttentionReader() = default;  ///< of nothing
  /// `norms` as kernel::Attention leaves them [N, H, 2]; found when first needed where empty.
  AttentionReader(const AttentionInputs& inputs, const AttentionSpec& spec, Tensor norms);

  Index segments() const { return inputs_.queries.count(); }
  Index heads() const { return inputs_.q.heads; }
  Index queries(Index b) const { return inputs_.queries.length(b); }
  Index keys(Index b) const { return inputs_.keys.length(b); }

  Tensor weights(Index b, Index h) const;                            ///< [T, S]
  Tensor weights(Index b, Index h, Index first, Index count) const;  ///< [count, S]: some queries
  Tensor column_sums(Index b, Index h) const;  ///< [S]: what each key got from all queries
  Tensor entropy(Index b, Index h) const;      ///< [T]: -sum_s w ln w, in nats
  /// The k keys query t looked at most, largest first, lower keys first among equals; visible ones
  /// only.
  std::vector<Look> top(Index b, Index h, Index t, Index k) const;

 private:
  /// Found once for all copies, also where several threads ask.
  struct Norms {
    std::once_flag once;
    Tensor value;
  };

  const Tensor& norms() const;
  Tensor found_norms() const;
  void check_place(Index b, Index h) const;
  template <class F>
  void each_row(Index b, Index h, const F& f) const;

  AttentionInputs inputs_;  // without what lies behind the variables
  AttentionSpec spec_;
  std::shared_ptr<Norms> norms_;
};

}  // namespace regard
