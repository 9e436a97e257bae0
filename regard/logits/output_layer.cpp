#include "regard/logits/output_layer.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "regard/backend/launch.h"
#include "regard/backend/likely_tokens.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/ops/embedding.h"

namespace regard {
namespace {

/// The logits of rows [N, D] against a table [V, D], into c [N, V].
template <Real T>
Product<T> logits(const OutputLayer& output, const Tensor& rows, T* c) {
  const Index N = rows.size(0), D = rows.size(1), V = output.vocabulary();
  Product<T> product{.a = {rows.span<T>().data(), N, D, D},
                     .b = {},
                     .c = {c, N, V, V},
                     .bias = output.bias ? output.bias.value().span<T>().data() : nullptr};
  if constexpr (std::same_as<T, f32>) {
    if (output.packed_table) {
      output.packed_table.put_into(product);
      return product;
    }
  }
  product.b = {output.table.value().span<T>().data(), V, D, D};
  product.transpose_b = true;
  return product;
}

using RowNumbers = std::vector<std::int32_t>;

/// Some rows of [N, D].
Tensor chosen(const Tensor& rows, const RowNumbers& numbers) {
  if (static_cast<Index>(numbers.size()) == rows.size(0)) return rows;
  return embedding(Var(rows), numbers).value();
}

/// Of those rows the likeliest tokens.
template <Real T>
void answer_some(const OutputLayer& output, const Tensor& rows, std::span<const TokenAsk> asks,
                 const RowNumbers& numbers, std::vector<NextTokens>& result) {
  const auto N = static_cast<Index>(numbers.size());
  Index count = 0;
  std::vector<std::int32_t> named;
  for (const std::int32_t r : numbers) {
    const TokenAsk& ask = asks[static_cast<std::size_t>(r)];
    count = std::max(count, std::min(ask.top, output.vocabulary()));
    named.push_back(ask.named);
  }
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(N * count));
  std::vector<T> log_p(tokens.size()), named_log_p(named.size());
  const Tensor some = chosen(rows, numbers);
  launch(rows.device(), kernel::likely_tokens,
         TokenQuestion<T>{logits<T>(output, some, nullptr), named, count},
         TokenAnswer<T>{{tokens.data(), N, count}, {log_p.data(), N, count}, named_log_p.data()});
  for (Index n = 0; n < N; ++n) {
    const auto r = static_cast<std::size_t>(numbers[static_cast<std::size_t>(n)]);
    result[r].named = static_cast<double>(named_log_p[static_cast<std::size_t>(n)]);
    for (Index i = n * count; i < n * count + std::min(asks[r].top, count); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (tokens[at] >= 0 && log_p[at] != -std::numeric_limits<T>::infinity())
        result[r].candidates.push_back({tokens[at], static_cast<double>(log_p[at])});
    }
  }
}

/// Of those rows all tokens.
template <Real T>
void answer_whole(const OutputLayer& output, const Tensor& rows, std::span<const TokenAsk> asks,
                  const RowNumbers& numbers, std::vector<NextTokens>& result) {
  const Tensor all = output.log_probabilities(chosen(rows, numbers));
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const auto r = static_cast<std::size_t>(numbers[n]);
    result[r].all = all;
    result[r].row = static_cast<Index>(n);
    if (asks[r].named < 0) continue;
    const auto at = n * static_cast<std::size_t>(output.vocabulary());
    result[r].named =
        static_cast<double>(all.span<T>()[at + static_cast<std::size_t>(asks[r].named)]);
  }
}

}  // namespace

OutputLayer::OutputLayer(const OutputSpec& spec)
    : table(Tensor::normal({spec.vocabulary, spec.width}, spec.rng.fork("table"), spec.dtype,
                           1 / std::sqrt(static_cast<double>(spec.width))),
            /*trainable=*/true) {
  if (spec.bias) bias = Var(Tensor({spec.vocabulary}, spec.dtype), /*trainable=*/true);
}

void OutputLayer::pack() {
  if (packed_table || table.dtype() == Dtype::f64) return;
  packed_table = table_scale ? PackedWeight({table.value(), table_scale.value()}, true)
                             : PackedWeight(table.value(), /*transposed=*/true);
  table = without_elements(table);
  table_scale = {};
}

void OutputLayer::quantise() {
  const QuantisedWeight rounded = regard::quantise(table.value(), /*transposed=*/true);
  table = Var(rounded.q);
  table_scale = Var(rounded.scale);
}

Tensor OutputLayer::log_probabilities(const Tensor& rows) const {
  const Index N = rows.size(0), V = vocabulary();
  Tensor result = Tensor::empty({N, V}, rows.dtype());
  visit(rows.dtype(), [&]<class T>(T) {
    T* const c = result.span<T>().data();
    launch(rows.device(), kernel::matmul, logits<T>(*this, rows, c));
    launch(rows.device(), kernel::log_softmax, Rows<T>{c, N, V});
  });
  return result;
}

std::vector<Candidate> NextTokens::every() const {
  std::vector<Candidate> result;
  visit(all.dtype(), [&]<class T>(T) {
    const auto V = static_cast<std::size_t>(all.size(1));
    const auto logs = all.span<T>().subspan(static_cast<std::size_t>(row) * V, V);
    for (std::size_t v = 0; v < V; ++v)
      if (logs[v] != -std::numeric_limits<T>::infinity())
        result.push_back({static_cast<std::int32_t>(v), static_cast<double>(logs[v])});
  });
  return result;
}

std::vector<NextTokens> OutputLayer::next_tokens(const Tensor& rows,
                                                 std::span<const TokenAsk> asks) const {
  check(rows.rank() == 2 && rows.size(1) == table.size(1), "an output layer of [", vocabulary(),
        ", ", table.size(1), "] takes rows of that many columns, got ", rows.shape());
  check(rows.size(0) == static_cast<Index>(asks.size()), asks.size(), " questions came with ",
        rows.size(0), " rows");
  std::vector<std::int32_t> some, whole;  // rows
  for (std::size_t r = 0; r < asks.size(); ++r) {
    check(asks[r].named < vocabulary(), "token ", asks[r].named, " of a vocabulary of ",
          vocabulary(), " was asked for");
    (asks[r].all ? whole : some).push_back(static_cast<std::int32_t>(r));
  }
  std::vector<NextTokens> result(asks.size());
  visit(rows.dtype(), [&]<class T>(T) {
    if (!some.empty()) answer_some<T>(*this, rows, asks, some, result);
    if (!whole.empty()) answer_whole<T>(*this, rows, asks, whole, result);
  });
  return result;
}

}  // namespace regard
