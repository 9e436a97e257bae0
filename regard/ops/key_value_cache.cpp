#include "regard/ops/key_value_cache.h"

#include <cmath>
#include <cstring>

#include "regard/backend/launch.h"
#include "regard/base/check.h"
#include "regard/tensor/memory.h"

namespace regard {
namespace {

constexpr Index kChunkPages = 16;

Index pages_for(Index keys) {
  return (keys + kPageKeys - 1) / kPageKeys;
}

/// What PagedKeys points to.
struct PageTable {
  std::vector<std::byte*> pages;
  std::vector<std::uint8_t*> flags;
  std::vector<Index> first;

  void add(PagePool& pool, std::span<const Index> of_sequence) {
    first.push_back(static_cast<Index>(pages.size()));
    for (const Index page : of_sequence) {
      pages.push_back(pool.data(page));
      flags.push_back(pool.flags(page));
    }
  }

  template <Real T>
  PagedKeys<T> view(const PageShape& shape, bool finite) const {
    return {shape, reinterpret_cast<T* const*>(pages.data()), flags.data(), first.data(), finite};
  }
};

}  // namespace

Index PagePool::page_bytes() const {
  return shape_.size() * static_cast<Index>(byte_size(dtype_));
}

std::byte* PagePool::data(Index page) {
  Tensor& chunk = chunks_[static_cast<std::size_t>(page / kChunkPages)];
  return static_cast<std::byte*>(chunk.data()) + page % kChunkPages * page_bytes();
}

std::uint8_t* PagePool::flags(Index page) {
  return flags_[static_cast<std::size_t>(page / kChunkPages)].data() +
         page % kChunkPages * shape_.heads * kPageKeys;
}

Index PagePool::take() {
  if (free_.empty()) {
    const LastingScope outlives_the_step;
    const auto first = static_cast<Index>(uses_.size());
    chunks_.push_back(Tensor::empty({kChunkPages, shape_.size()}, dtype_));
    flags_.emplace_back(static_cast<std::size_t>(kChunkPages * shape_.heads * kPageKeys));
    uses_.resize(static_cast<std::size_t>(first + kChunkPages));
    for (Index page = first + kChunkPages; page-- > first;) free_.push_back(page);
  }
  const Index page = free_.back();
  free_.pop_back();
  use(page);
  return page;
}

Index PagePool::take_copy(PagePool& of, Index other) {
  const Index page = take();
  std::memcpy(data(page), of.data(other), static_cast<std::size_t>(page_bytes()));
  std::memcpy(flags(page), of.flags(other), static_cast<std::size_t>(shape_.heads * kPageKeys));
  return page;
}

void PagePool::leave(Index page) {
  if (--uses_[static_cast<std::size_t>(page)] == 0) free_.push_back(page);
}

KeyValueCache::KeyValueCache(const PageShape& shape, Dtype dtype, Index sequences)
    : pool_(std::make_shared<PagePool>(shape, dtype)), keys_(Segments::equal(sequences, 0)) {
  for (Index b = 0; b < sequences; ++b) sequences_.push_back(made({}));
}

/// The last owner gives the pages back.
KeyValueCache::SequencePtr KeyValueCache::made(Sequence sequence) const {
  return {new Sequence(std::move(sequence)), [pool = pool_](const Sequence* one) {
            for (const Index page : one->pages) pool->leave(page);
            delete one;
          }};
}

/// Makes the sequence one's own, with a page of its own for every fresh key.
void KeyValueCache::make_room(SequencePtr& sequence, Index fresh) {
  if (sequence.use_count() > 1) {
    for (const Index page : sequence->pages) pool_->use(page);
    sequence = made(*sequence);
  }
  std::vector<Index>& pages = sequence->pages;
  if (sequence->length % kPageKeys != 0 && pool_->shared(pages.back())) {
    const Index copy = pool_->take_copy(*pool_, pages.back());
    pool_->leave(pages.back());
    pages.back() = copy;
  }
  sequence->length += fresh;
  while (static_cast<Index>(pages.size()) < pages_for(sequence->length))
    pages.push_back(pool_->take());
}

void KeyValueCache::append(const HeadColumns& k, const HeadColumns& v, const Segments& fresh) {
  const PageShape& shape = pool_->shape();
  check(fresh.count() == keys_.count(), "keys of ", fresh.count(),
        " sequences cannot follow those of ", keys_.count());
  check_columns("k", k, fresh);
  check_columns("v", v, fresh);
  check(k.heads == shape.heads && v.heads == shape.heads && k.width == shape.width &&
            v.width == shape.value_width && k.rows.dtype() == dtype() && v.rows.dtype() == dtype(),
        "a cache of ", shape.heads, " heads of ", shape.width, " and ", shape.value_width,
        " columns of ", name(dtype()), " got other ones");
  PageTable table;
  for (Index b = 0; b < fresh.count(); ++b) {
    SequencePtr& sequence = sequences_[static_cast<std::size_t>(b)];
    if (fresh.length(b) > 0) make_room(sequence, fresh.length(b));
    table.add(*pool_, sequence->pages);
  }
  keys_ = lengths();
  visit(dtype(), [&]<class T>(T) {
    const auto heads = [](const HeadColumns& columns) {
      return heads_at(columns.rows.value().template span<T>().data(), columns);
    };
    finite_ &= kernel::keep_in_pages(Cpu::get(), heads(k), heads(v), fresh.view(), keys_.view(),
                                     table.view<T>(shape, finite_));
  });
}

void KeyValueCache::reorder(std::span<const Index> chosen) {
  std::vector<SequencePtr> next;
  for (const Index b : chosen) {
    check(b >= 0 && b < keys_.count(), "sequence ", b, " was chosen, but there are only ",
          keys_.count());
    next.push_back(sequences_[static_cast<std::size_t>(b)]);
  }
  sequences_ = std::move(next);
  keys_ = lengths();
}

void KeyValueCache::join(const KeyValueCache& more) {
  check(more.pool_->shape() == pool_->shape() && more.dtype() == dtype(),
        "a cache of other heads cannot join");
  SequencePtr before, copy;
  for (const SequencePtr& other : more.sequences_) {
    if (other != before) {  // what was one sequence there is one here
      Sequence own{{}, other->length};
      for (const Index page : other->pages)
        own.pages.push_back(pool_->take_copy(*more.pool_, page));
      copy = made(std::move(own));
    }
    sequences_.push_back(copy);
    before = other;
  }
  finite_ &= more.finite_;
  keys_ = lengths();
}

Segments KeyValueCache::lengths() const {
  std::vector<Index> lengths;
  for (const SequencePtr& sequence : sequences_) lengths.push_back(sequence->length);
  return Segments::of_lengths(lengths);
}

Tensor KeyValueCache::attend(const HeadColumns& q, const Segments& queries,
                             const Mask& mask) const {
  const PageShape& shape = pool_->shape();
  check(queries.count() == keys_.count(), "queries of ", queries.count(),
        " sequences cannot read a cache of ", keys_.count());
  check_columns("q", q, queries);
  check(q.width == shape.width && q.heads % shape.heads == 0 && q.rows.dtype() == dtype(),
        "queries of ", q.heads, " heads of ", q.width, " columns cannot read a cache of ",
        shape.heads, " of ", shape.width);
  // Queries of neighbours that read one sequence read it together, where the mask shows them all.
  const bool together = mask.is_full();
  std::vector<Index> rows, lengths;
  PageTable table;
  const Sequence* before = nullptr;
  for (Index b = 0; b < queries.count(); ++b) {
    const Sequence* sequence = sequences_[static_cast<std::size_t>(b)].get();
    if (together && sequence == before) {
      rows.back() += queries.length(b);
      continue;
    }
    rows.push_back(queries.length(b));
    lengths.push_back(sequence->length);
    table.add(*pool_, sequence->pages);
    before = sequence;
  }
  const Segments groups = Segments::of_lengths(rows), keys = Segments::of_lengths(lengths);
  const Index columns = q.heads * shape.value_width;
  Tensor y = Tensor::empty({q.rows.size(0), columns}, dtype());
  visit(dtype(), [&]<class T>(T) {
    Tensor keeper;
    const ScoreShape scores{groups.count(), q.heads, groups.longest(), keys.longest()};
    const MaskView<std::byte> seen = mask.view(scores, dtype(), keeper).view;
    check_mask(seen, groups, keys);
    const AttentionProblem<T> problem{
        .q = heads_at(q.rows.value().span<T>().data(), q),
        .k = {nullptr, 0, shape.heads, shape.width, 0, 0},
        .v = {nullptr, 0, shape.heads, shape.value_width, 0, 0},
        .queries = groups.view(),
        .keys = keys.view(),
        .mask = seen.template cast<T>(),
        .scale = static_cast<T>(1 / std::sqrt(static_cast<double>(shape.width))),
        .dropout = {}};
    launch(y.device(), kernel::paged_attention, problem, table.view<T>(shape, finite_),
           Heads<T>{y.span<T>().data(), y.size(0), q.heads, shape.value_width, columns,
                    shape.value_width});
  });
  return y;
}

KeyValueCache::PlainRows KeyValueCache::rows() const {
  const PageShape& shape = pool_->shape();
  PlainRows plain{Tensor::empty({keys_.rows(), shape.heads * shape.width}, dtype()),
                  Tensor::empty({keys_.rows(), shape.heads * shape.value_width}, dtype())};
  visit(dtype(), [&]<class T>(T) {
    PageTable table;
    for (const SequencePtr& sequence : sequences_) table.add(*pool_, sequence->pages);
    launch(plain.keys.device(), kernel::rows_from_pages, table.view<T>(shape, finite_),
           keys_.view(), plain.keys.span<T>().data(), plain.values.span<T>().data());
  });
  return plain;
}

}  // namespace regard
