// The Transformer block: its shapes step by step, what residual connections are for, and layer norm
// beside batch norm.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "examples/show.h"
#include "regard/model/transformer.h"
#include "regard/ops/add.h"
#include "regard/ops/concat.h"
#include "regard/ops/layer_norm.h"
#include "regard/ops/pad.h"
#include "regard/ops/reshape.h"
#include "regard/ops/slice.h"
#include "regard/ops/transpose.h"

namespace regard::examples {
namespace {

constexpr Index kVocabulary = 200, kTokens = 100, kWidth = 24, kHeads = 8, kHidden = 48;

double largest_gap(const Var& a, const Var& b) {
  const std::vector<double> left = a.value().values(), right = b.value().values();
  double gap = 0;
  for (std::size_t i = 0; i < left.size(); ++i) gap = std::max(gap, std::abs(left[i] - right[i]));
  return gap;
}

/// Prints the shape of a step's result, and hands it on.
Var told(std::string_view step, const Var& x) {
  std::ostringstream shape;
  shape << x.shape();
  fmt::print("{:<40}{}\n", step, shape.str());
  return x;
}

/// What the block does, spelled out: two sub-layers, each added to what went in, and normed.
Var by_hand(const EncoderBlock& block, const Var& x, const Layout& layout) {
  const auto& [attention, around_attention, feed, around_feed] = block;
  const Var seen = told("  self-attention, 8 heads 3 wide", attention(x, layout, {}));
  const Var y = told("  added and normed", around_attention.norm(add(x, seen)));
  const Var hidden = told("  feed-forward, widened", feed.widen(y, feed.activation));
  const Var change = told("  feed-forward, narrowed", feed.narrow(hidden));
  return told("  added and normed", around_feed.norm(add(y, change)));
}

/// Two sequences of 100 ids, of which 3 and 2 are valid, through encoder and decoder.
void shapes() {
  const TransformerSpec spec{
      .vocabulary = kVocabulary, .width = kWidth, .heads = kHeads, .hidden = kHidden, .layers = 2};
  const Encoder encoder(spec, Rng(1).fork("encoder"));
  const Decoder decoder(spec, Rng(1).fork("decoder"));
  std::vector<std::int32_t> ids;
  std::vector<Index> places;
  for (Index n = 0; n < 2 * kTokens; ++n) {
    ids.push_back(static_cast<std::int32_t>(n % kVocabulary));
    places.push_back(n % kTokens);
  }
  const TokenIds source = TokenIds::box(ids, 2, {3, 2}), target = TokenIds::box(ids, 2);
  const Layout layout = Layout::self(source.segments, source.mask());

  fmt::print("{:<40}[2, 100]\n", "ids");
  const Var x =
      told("embedded, with positions", reshape(encoder.embed(ids, places), {2, kTokens, kWidth}));
  const Var y = by_hand(encoder.stack.blocks[0], x, layout);
  const double gap = largest_gap(y, encoder.stack.blocks[0](x, layout, {}));
  check(gap < 1e-5, "the block and its spelled-out form differ by ", gap);
  const EncoderOutput read = encoder.source(source, {});
  told("encoder of 2 blocks", read.rows);
  told("decoder of 2 blocks", decoder(target, read, {}));
  fmt::print("Spelled out by hand: the same as the block to 1e-5.\n");
}

/// Changes the fourth of six tokens; which rows of each sub-layer change?
void by_position() {
  const EncoderBlock block({.width = kWidth, .heads = kHeads, .hidden = kHidden, .rng = Rng(2)});
  const Tensor before = Tensor::normal({6, kWidth}, Rng(3));
  Tensor after = before.clone();
  for (float& feature : after.span<f32>().subspan(3 * kWidth, kWidth)) feature += 1;
  const Layout layout = Layout::self(Segments::equal(1, 6));
  const auto report = [&](std::string_view name, const auto& run) {
    fmt::print("{:<16}", name);
    for (Index t = 0; t < 6; ++t) {
      const auto row = [&](const Tensor& x) { return slice(run(Var(x)), 0, t, t + 1); };
      fmt::print("{:>9}", largest_gap(row(before), row(after)) == 0 ? "same" : "CHANGED");
    }
    fmt::print("\n");
  };
  fmt::print("\nThe fourth of six tokens changed; which rows change by so much as a bit?\n\n");
  report("self-attention", [&](const Var& x) { return block.self(x, layout, {}); });
  report("feed-forward", [&](const Var& x) { return block.feed(x, {}); });
}

/// How a block closes its residual connections.
enum class Residual { none, post_norm, pre_norm };

/// The length of the gradient that reaches the input of a stack, for one of length 1 at its output.
double gradient_below(Index depth, Residual residual) {
  constexpr Index kRows = 16, kWide = 64;
  Var x(Tensor::normal({kRows, kWide}, Rng(4)), true);
  const Layout layout = Layout::self(Segments::equal(1, kRows));
  Var y = x;
  for (Index i = 0; i < depth; ++i) {
    const EncoderBlock block({.width = kWide,
                              .heads = 4,
                              .hidden = 2 * kWide,
                              .pre_norm = residual == Residual::pre_norm,
                              .rng = Rng(5).fork(static_cast<std::uint64_t>(i))});
    y = residual == Residual::none ? block.feed(block.self(y, layout, {}), {})
                                   : block(y, layout, {});
  }
  const auto length = [](const Tensor& g) {
    double squares = 0;
    for (const double each : g.values()) squares += each * each;
    return std::sqrt(squares);
  };
  const Tensor dy = Tensor::normal(y.shape(), Rng(6));
  backward(y, dy);
  return length(x.grad()) / length(dy);
}

void residuals(const std::string& folder) {
  const std::vector<std::pair<std::string, Residual>> kinds{{"no residual", Residual::none},
                                                            {"post-norm", Residual::post_norm},
                                                            {"pre-norm", Residual::pre_norm}};
  LinePlot plot{.title = "What is left of a gradient below a stack of blocks",
                .x_axis = "blocks",
                .y_axis = "length of the gradient",
                .log_y = true};
  for (const auto& [name, residual] : kinds) {
    plot.curves.push_back({.name = name});
    for (Index depth = 1; depth <= 24; ++depth) {
      plot.curves.back().x.push_back(static_cast<double>(depth));
      plot.curves.back().y.push_back(gradient_below(depth, residual));
    }
  }
  fmt::print(
      "\nA gradient of length 1 enters a stack of untrained blocks; what reaches its input:\n\n");
  fmt::print("blocks");
  for (const Curve& curve : plot.curves) fmt::print("{:>16}", curve.name);
  fmt::print("\n");
  for (const std::size_t depth : {1, 6, 12, 24}) {
    fmt::print("{:6}", depth);
    for (const Curve& curve : plot.curves) fmt::print("{:16.2g}", curve.y[depth - 1]);
    fmt::print("\n");
  }
  show(plot, folder + "/block_depth");
}

/// Every feature brought to mean 0 and variance 1 over all rows: layer norm of the columns.
Var batch_norm(const Var& rows) {
  const Index N = rows.size(0);
  const Var gain(Tensor::full({N}, 1)), shift(Tensor::full({N}, 0));
  return transpose(layer_norm(transpose(rows), gain, shift));
}

/// A sentence's vectors as they enter an encoder, of 3 to 30 random words.   [T, D]
Var sentence(const TokenEmbedding& embed, Rng rng) {
  std::vector<std::int32_t> ids;
  std::vector<Index> places;
  const std::uint64_t length = 3 + rng.below(0, 28);
  for (std::uint64_t t = 0; t < length; ++t) {
    ids.push_back(static_cast<std::int32_t>(rng.below(t + 1, kVocabulary)));
    places.push_back(static_cast<Index>(t));
  }
  return embed(ids, places);
}

/// A batch of ragged sentences, one after another.
struct Ragged {
  std::vector<Var> sentences;

  Var rows() const { return concat(sentences, 0); }
  /// The same in a box: zeros fill up the shorter ones.
  Var padded_rows() const {
    Index longest = 0;
    std::vector<Index> offsets{0};
    for (const Var& each : sentences) {
      longest = std::max(longest, each.size(0));
      offsets.push_back(offsets.back() + each.size(0));
    }
    return reshape(pad(rows(), offsets, longest), {std::ssize(sentences) * longest, kWidth});
  }
};

/// How far a norm moves the first sentence of a batch from where it expects it: the root of the
/// mean square.
double moved(const Var& rows, const Var& expected) {
  const Var gap = subtract(slice(rows, 0, 0, expected.size(0)), expected);
  double squares = 0;
  for (const double each : gap.value().values()) squares += each * each;
  return std::sqrt(squares / static_cast<double>(gap.value().count()));
}

void norms(const std::string& folder) {
  const NoGrad quiet;
  const Var two(Tensor::of({2, 2}, {1, 2, 2, 3}));
  print("\nLayer norm of the tokens (1, 2) and (2, 3):", LayerNorm({2})(two).value());
  print("batch norm of the same:", batch_norm(two).value());

  const TokenEmbedding embed({.vocabulary = kVocabulary, .width = kWidth, .rng = Rng(7)});
  const LayerNorm norm({kWidth});
  const Var first = sentence(embed, Rng(8));
  const auto batch = [&](std::size_t size, std::uint64_t trial) {
    Ragged found{{first}};
    for (std::uint64_t i = 1; i < size; ++i)
      found.sentences.push_back(sentence(embed, Rng(9).fork(trial).fork(i)));
    return found;
  };
  // What a model would translate with: the statistics of all text, and no batch at all.
  const Var all = slice(batch_norm(batch(4096, 0).rows()), 0, 0, first.size(0));
  const Var alone = norm(first);

  LinePlot plot{.title = "How far its batch moves a sentence",
                .x_axis = "sentences in the batch",
                .y_axis = "root of the mean square",
                .curves = {{.name = "layer norm"},
                           {.name = "batch norm"},
                           {.name = "batch norm, padding counted"}},
                .log_x = true};
  fmt::print("\nHow far its batch moves a sentence, in features of deviation 1:\n\n");
  fmt::print("sentences      layer norm      batch norm   with padding\n");
  for (std::size_t size = 1; size <= 256; size *= 4) {
    constexpr std::uint64_t kTrials = 16;
    std::vector<double> means(3);
    for (std::uint64_t trial = 1; trial <= kTrials; ++trial) {
      const Ragged ragged = batch(size, trial);
      const std::vector<double> gaps{moved(norm(ragged.rows()), alone),
                                     moved(batch_norm(ragged.rows()), all),
                                     moved(batch_norm(ragged.padded_rows()), all)};
      for (std::size_t i = 0; i < 3; ++i) means[i] += gaps[i] / kTrials;
    }
    check(means[0] == 0, "layer norm moved a sentence by ", means[0]);
    fmt::print("{:9}{:16.4f}{:16.4f}{:15.4f}\n", size, means[0], means[1], means[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      plot.curves[i].x.push_back(static_cast<double>(size));
      plot.curves[i].y.push_back(means[i]);
    }
  }
  show(plot, folder + "/block_norms");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [](const std::string& folder) {
    regard::examples::shapes();
    regard::examples::by_position();
    regard::examples::residuals(folder);
    regard::examples::norms(folder);
  });
}
