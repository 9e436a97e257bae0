#pragma once

#include <memory>
#include <span>
#include <vector>

#include "regard/backend/paged_attention.h"
#include "regard/ops/attention_inputs.h"

namespace regard {

/// Pages of keys and values, taken and given back one by one, each used by one sequence or more.
class PagePool {
 public:
  PagePool(const PageShape& shape, Dtype dtype) : shape_(shape), dtype_(dtype) {}

  const PageShape& shape() const { return shape_; }
  Dtype dtype() const { return dtype_; }

  Index take();                                ///< a page of one user, its content unknown
  Index take_copy(PagePool& of, Index other);  ///< one with the content of another's
  void use(Index page) { ++uses_[static_cast<std::size_t>(page)]; }
  void leave(Index page);
  bool shared(Index page) const { return uses_[static_cast<std::size_t>(page)] > 1; }

  std::byte* data(Index page);
  std::uint8_t* flags(Index page);

 private:
  Index page_bytes() const;

  PageShape shape_;
  Dtype dtype_;
  std::vector<Tensor> chunks_;
  std::vector<std::vector<std::uint8_t>> flags_;  // of each chunk
  std::vector<Index> uses_, free_;
};

/// Keys and values of sequences, kept as attention reads them, in pages that sequences share until
/// they part: to choose sequences anew, as beam search does at every token, copies no key, and a
/// sequence that goes on copies at most its last page. Values alone: no gradient flows into them.
/// Copies of a cache share its pages too, so one thread at a time may use them.
class KeyValueCache {
 public:
  KeyValueCache(const PageShape& shape, Dtype dtype, Index sequences);

  const PageShape& shape() const { return pool_->shape(); }
  Dtype dtype() const { return pool_->dtype(); }
  const Segments& keys() const { return keys_; }  ///< how many each sequence has

  /// Puts keys and values at the end of each sequence.   REQUIRES heads and widths of the shape
  void append(const HeadColumns& k, const HeadColumns& v, const Segments& fresh);

  /// Sequence i becomes what sequence chosen[i] was; one may be chosen twice or never.
  void reorder(std::span<const Index> chosen);

  /// The sequences of `more` come after these.   REQUIRES the same shape
  void join(const KeyValueCache& more);

  /// Attention of the queries to their sequences, the same bits as `attention` gives.   [N, H dv]
  Tensor attend(const HeadColumns& q, const Segments& queries, const Mask& mask) const;

  /// The keys [N, G d] and values [N, G dv] in rows again, sequence after sequence.
  struct PlainRows {
    Tensor keys, values;
  };
  PlainRows rows() const;

 private:
  /// Sequences that are the same one, chosen twice, are one object.
  struct Sequence {
    std::vector<Index> pages;
    Index length = 0;
  };
  using SequencePtr = std::shared_ptr<Sequence>;

  SequencePtr made(Sequence sequence) const;
  void make_room(SequencePtr& sequence, Index fresh);
  Segments lengths() const;

  std::shared_ptr<PagePool> pool_;
  std::vector<SequencePtr> sequences_;
  Segments keys_;
  bool finite_ = true;
};

}  // namespace regard
