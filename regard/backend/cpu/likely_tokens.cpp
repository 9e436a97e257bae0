#include "regard/backend/likely_tokens.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "regard/backend/cpu/logit_blocks.h"
#include "regard/backend/cpu/matmul_one.h"
#include "regard/backend/cpu/quantised_rows.h"
#include "regard/base/elementary.h"

namespace regard::kernel {
namespace {

constexpr Index kRows = 144;              // of a task, whose block of logits stays in a cache
constexpr Index kCols = 4 * kLogitBlock;  // of a task, where several threads share them

Index pieces(Index n, Index piece) {
  return (n + piece - 1) / piece;
}

/// z - log sum e^z, where `rest` is the logarithm; NaN if that is.
template <Real T>
T log_p(T x, T peak, T rest) {
  if (peak == -std::numeric_limits<T>::infinity() && !std::isnan(rest))
    return peak;  // not where one is NaN
  return (x == peak ? 0 : x - peak) - rest;
}

template <Real T>
T log_of(T total) {
  return static_cast<T>(elementary::log(static_cast<f64>(total)));
}

/// The largest logits of a row, largest first, lower tokens first where equal.
template <Real T>
class Largest {
 public:
  Largest(std::int32_t* tokens, T* logits, Index most)
      : tokens_(tokens), logits_(logits), most_(most) {
    std::fill_n(tokens, most, -1);
    std::fill_n(logits, most, std::numeric_limits<T>::lowest());
  }

  /// What a logit must reach to be among them: never -infinity, which is no probability.
  T least() const { return logits_[most_ - 1]; }

  Index most() const { return most_; }
  bool full() const { return count_ == most_; }

  /// Of equal logits, lower tokens come first.
  void add(std::int32_t token, T logit) {
    if (!(logit >= std::numeric_limits<T>::lowest())) return;
    if (count_ == most_ && !(logit > logits_[most_ - 1])) return;
    Index at = count_ < most_ ? count_++ : most_ - 1;
    for (; at > 0 && logits_[at - 1] < logit; --at) {
      logits_[at] = logits_[at - 1];
      tokens_[at] = tokens_[at - 1];
    }
    logits_[at] = logit;
    tokens_[at] = token;
  }

 private:
  std::int32_t* tokens_;
  T* logits_;
  Index most_, count_ = 0;
};

/// Of every row: the sums of its blocks, and of each task's columns the largest logits.
struct Found {
  Index blocks, cols, parts, count;  // cols, count: of each part
  std::vector<BlockSum> sums;        // [N, blocks]
  std::vector<std::int32_t> tokens;  // [N, parts, count]
  std::vector<f32> logits;           // [N, parts, count]
  std::vector<f32> named;            // [N]: logits

  // A cut that follows where it runs changes no result: of all columns the same are the largest.
  Found(Index rows, Index columns, Index count)
      : blocks(logit_blocks(columns)),
        cols(runs_in_place() ? blocks * kLogitBlock : kCols),
        parts(pieces(columns, cols)),
        count(std::min(count, cols)),
        sums(static_cast<std::size_t>(rows * blocks)),
        tokens(static_cast<std::size_t>(rows * parts * this->count)),
        logits(tokens.size()),
        named(static_cast<std::size_t>(rows)) {}

  Largest<f32> largest(Index row, Index part) {
    const Index at = (row * parts + part) * count;
    return {tokens.data() + at, logits.data() + at, count};
  }
};

/// The logits of some rows and columns of a question: [rows, cols], close together.
void multiply_part(Cpu& cpu, const TokenQuestion<f32>& question, Index row, Index col,
                   Matrix<f32> c) {
  Product<f32> part = question.logits;
  const Index D = part.a.cols;
  part.a = {part.a.row(row), c.rows, D, part.a.stride};
  part.c = c;
  if (part.int8) {
    part.int8 = part.int8.from(col);
    part.int8_rows = part.int8_rows.from(row);
  } else if (part.panels) {
    part.panels += col * D;
  } else if (part.transpose_b) {
    part.b = {part.b.row(col), c.cols, D, part.b.stride};
  } else {
    part.b = {part.b.data + col, D, c.cols, part.b.stride};
  }
  if (part.bias) part.bias += col;
  multiply(cpu, part);
}

/// A number that `count` elements of the block reach, so that none below it need be looked at.
f32 reached(std::span<const f32> block, Index count) {
  if (count > kStrides) return std::numeric_limits<f32>::lowest();
  f32 peaks[kStrides];
  stride_peaks(block, peaks);
  std::nth_element(peaks, peaks + count - 1, peaks + kStrides, std::greater{});
  return peaks[count - 1];
}

/// A block of logits of one row: its sum, its largest, and the named token if it is there.
void read_block(std::span<const f32> block, Index col, std::int32_t named, Largest<f32>* largest,
                BlockSum& sum, f32& named_logit) {
  sum = block_sum(block);
  const Index at = named - col;
  if (at >= 0 && at < static_cast<Index>(block.size()))
    named_logit = block[static_cast<std::size_t>(at)];
  if (!largest || !(sum.peak >= largest->least())) return;
  std::int32_t places[kLogitBlock + kStrides];
  const f32 least = largest->full() ? largest->least()
                                    : std::max(largest->least(), reached(block, largest->most()));
  const Index found = places_of(block, least, places);
  for (Index i = 0; i < found; ++i)
    largest->add(static_cast<std::int32_t>(col) + places[i],
                 block[static_cast<std::size_t>(places[i])]);
}

void find(Cpu& cpu, const TokenQuestion<f32>& question, Found& found) {
  const Index N = question.logits.c.rows, V = question.logits.c.cols;
  cpu.parallel(pieces(N, kRows) * found.parts, [&](Index task) {
    const Index part = task % found.parts, first = task / found.parts * kRows;
    const Index rows = std::min(kRows, N - first);
    f32* logits = reinterpret_cast<f32*>(
        scratch_bytes(static_cast<std::size_t>(rows * kLogitBlock) * sizeof(f32)));
    std::vector<Largest<f32>> largest;
    for (Index r = 0; r < rows && found.count > 0; ++r)
      largest.push_back(found.largest(first + r, part));
    for (Index col = part * found.cols; col < std::min(V, (part + 1) * found.cols);
         col += kLogitBlock) {
      const Index cols = std::min(kLogitBlock, V - col);
      multiply_part(cpu, question, first, col, {logits, rows, cols, kLogitBlock});
      for (Index r = 0; r < rows; ++r) {
        const auto row = static_cast<std::size_t>(first + r);
        read_block({logits + r * kLogitBlock, static_cast<std::size_t>(cols)}, col,
                   question.named[row],
                   largest.empty() ? nullptr : &largest[static_cast<std::size_t>(r)],
                   found.sums[row * static_cast<std::size_t>(found.blocks) +
                              static_cast<std::size_t>(col / kLogitBlock)],
                   found.named[row]);
      }
    }
  });
}

/// What was found of one row, all parts together.
void answer_row(const Found& found, std::int32_t named, Index row, const TokenAnswer<f32>& answer) {
  const std::size_t blocks = static_cast<std::size_t>(found.blocks);
  const BlockSum sum =
      row_sum({found.sums.data() + static_cast<std::size_t>(row) * blocks, blocks});
  const f32 rest = log_of(sum.total);
  if (named >= 0)
    answer.named[row] = log_p(found.named[static_cast<std::size_t>(row)], sum.peak, rest);
  const std::span<f32> best = answer.log_p[row];
  if (best.empty()) return;
  Largest<f32> largest(answer.tokens[row].data(), best.data(), answer.tokens.width);
  for (Index i = 0; i < found.parts * found.count; ++i) {
    const auto at = static_cast<std::size_t>(row * found.parts * found.count + i);
    if (found.tokens[at] >= 0) largest.add(found.tokens[at], found.logits[at]);
  }
  for (f32& x : best) x = log_p(x, sum.peak, rest);
}

/// Plain: all logits of a row at once.
template <Real T>
void log_softmax_row(std::span<T> x) {
  T peak = -std::numeric_limits<T>::infinity(), total = 0;
  for (const T v : x) peak = v > peak ? v : peak;
  for (const T v : x) total += elementary::exp(v == peak ? 0 : v - peak);
  const T rest = log_of(total);
  for (T& v : x) v = log_p(v, peak, rest);
}

void log_softmax_row(std::span<f32> x) {
  std::vector<BlockSum> sums;
  for (std::size_t col = 0; col < x.size(); col += kLogitBlock)
    sums.push_back(block_sum(x.subspan(col, std::min<std::size_t>(kLogitBlock, x.size() - col))));
  const BlockSum sum = row_sum(sums);
  const f32 rest = log_of(sum.total);
  for (f32& v : x) v = log_p(v, sum.peak, rest);
}

}  // namespace

void LikelyTokens::operator()(Cpu& cpu, const TokenQuestion<f32>& question,
                              const TokenAnswer<f32>& answer) const {
  const Index N = question.logits.c.rows;
  Found found(N, question.logits.c.cols, question.count);
  if (question.logits.int8) {  // its rows are rounded once for all columns
    const QuantisedRows rows(cpu, question.logits.a);
    TokenQuestion<f32> rounded = question;
    rounded.logits.int8_rows = rows.rows();
    find(cpu, rounded, found);
  } else {
    find(cpu, question, found);
  }
  for (Index row = 0; row < N; ++row)
    answer_row(found, question.named[static_cast<std::size_t>(row)], row, answer);
}

void LikelyTokens::operator()(Cpu& cpu, const TokenQuestion<f64>& question,
                              const TokenAnswer<f64>& answer) const {
  const Index N = question.logits.c.rows, V = question.logits.c.cols;
  std::vector<f64> logits(static_cast<std::size_t>(N * V));
  Product<f64> product = question.logits;
  product.c = {logits.data(), N, V, V};
  multiply(cpu, product);
  for (Index row = 0; row < N; ++row) {
    const std::span<const f64> x(logits.data() + row * V, static_cast<std::size_t>(V));
    std::vector<f64> logs(x.begin(), x.end());
    log_softmax_row(std::span<f64>(logs));
    const std::int32_t named = question.named[static_cast<std::size_t>(row)];
    if (named >= 0) answer.named[row] = logs[static_cast<std::size_t>(named)];
    if (question.count == 0) continue;
    const std::span<std::int32_t> tokens = answer.tokens[row];
    const std::span<f64> best = answer.log_p[row];
    Largest<f64> largest(tokens.data(), best.data(), question.count);
    for (Index v = 0; v < V; ++v)
      largest.add(static_cast<std::int32_t>(v), x[static_cast<std::size_t>(v)]);
    for (std::size_t i = 0; i < tokens.size() && tokens[i] >= 0; ++i)
      best[i] = logs[static_cast<std::size_t>(tokens[i])];
  }
}

void LogSoftmax::operator()(Cpu& cpu, Rows<f32> x) const {
  cpu.parallel(x.count, [&](Index row) { log_softmax_row(x[row]); });
}
void LogSoftmax::operator()(Cpu& cpu, Rows<f64> x) const {
  cpu.parallel(x.count, [&](Index row) { log_softmax_row(x[row]); });
}

}  // namespace regard::kernel
