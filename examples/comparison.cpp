// Self-attention beside convolution and recurrence: the textbook's complexities, measured.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <functional>

#include "examples/show.h"
#include "regard/block/attention/self_attention.h"
#include "regard/block/gru.h"
#include "regard/ops/convolution.h"

namespace regard::examples {
namespace {

constexpr Index kWidth = 128, kHeads = 2, kKernel = 3;
constexpr Index kMaxTokens = 65536;  // beyond, self-attention takes minutes a call

/// Seconds of one call: the fastest of several, since other work can only slow a run down.
double seconds(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  const auto passed = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  double best = 1e9;
  const auto start = Clock::now();
  for (int runs = 0; runs < 3 || (runs < 1000 && passed(start) < 0.25); ++runs) {
    const auto begin = Clock::now();
    call();
    best = std::min(best, passed(begin));
  }
  return best;
}

/// One layer of the three, each from [1, n, D] to [1, n, D].
struct Layers {
  SelfAttention attention{{.width = kWidth, .heads = kHeads, .rng = Rng(1)}};
  Var kernel{Tensor::normal({kKernel, kWidth, kWidth}, Rng(2), Dtype::f32, 0.05)};
  Gru gru{{.in = kWidth, .hidden = kWidth, .rng = Rng(3)}};

  std::vector<double> times(Index n) const {
    const NoGrad quiet;
    const Var x(Tensor::normal({1, n, kWidth}, Rng(4)));
    const Segments one = Segments::equal(1, n);
    return {seconds([&] { attention(x, Layout::self(one), {}); }),
            seconds([&] { convolution(x, kernel, {}, Padding::same(kKernel)); }),
            seconds([&] { gru(x, one, {}, {}); })};
  }
};

void comparison(const std::string& folder, Index longest) {
  fmt::print(
      "layer              products            steps in a row   longest path\n"
      "self-attention     2 n^2 d + 4 n d^2   1                1\n"
      "convolution        k n d^2             1                n / k\n"
      "recurrence (GRU)   6 n d^2             n                n\n\n"
      "Milliseconds of one layer forward, d = {}, k = {}; g is the growth: time ~ n^g\n\n"
      "      n   self-attention       g      convolution       g       recurrence       g\n",
      kWidth, kKernel);
  const Layers layers;
  std::vector<Curve> curves{
      {.name = "self-attention"}, {.name = "convolution"}, {.name = "recurrence (GRU)"}};
  for (Index n = 32; n <= longest; n *= 2) {
    const std::vector<double> times = layers.times(n);
    fmt::print("{:7}", n);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double before = curves[i].y.empty() ? NAN : curves[i].y.back();
      curves[i].x.push_back(static_cast<double>(n));
      curves[i].y.push_back(1e3 * times[i]);
      fmt::print(
          "{:17.3f} {:>7}", curves[i].y.back(),
          std::isnan(before) ? "" : fmt::format("{:.2f}", std::log2(1e3 * times[i] / before)));
    }
    fmt::print("\n");
  }
  const LinePlot plot{.title = "Time of one layer against the length of the sequence",
                      .x_axis = "tokens n",
                      .y_axis = "milliseconds",
                      .curves = curves,
                      .log_x = true,
                      .log_y = true};
  show(plot, folder + "/comparison");
}

Index longest_in(std::string_view word) {
  Index longest = 0;
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, longest);
  check(read.ec == std::errc() && read.ptr == end && longest >= 64 && longest <= kMaxTokens,
        "the longest sequence is '", word, "', expected a whole number from 64 to ", kMaxTokens);
  return longest;
}

}  // namespace
}  // namespace regard::examples

/// comparison [FOLDER [LONGEST]]: up to n = 4096, or as far as asked.
int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [&](const std::string& folder) {
    regard::examples::comparison(folder, regard::examples::longest_in(argc > 2 ? argv[2] : "4096"));
  });
}
