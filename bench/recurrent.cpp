// Training steps of Bahdanau's model on random sentences of one length: target tokens a second, as
// one line of JSON.
// usage: bench_recurrent [--width 256] [--layers 2] [--vocabulary 8000] [--batch 128] [--length 16]
//                        [--steps 10] [--dropout 0.1]
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "bench/rounds.h"
#include "regard/tensor/memory.h"
#include "regard/train/learner.h"
#include "regard/train/loss.h"

namespace regard::bench {
namespace {

constexpr Index kWarmUp = 3;
constexpr std::int32_t kFirstWord = 4;

TokenIds random_ids(Index rows, Index length, Index vocabulary, Rng rng) {
  std::vector<std::int32_t> ids;
  for (Index i = 0; i < rows * length; ++i)
    ids.push_back(kFirstWord +
                  static_cast<std::int32_t>(rng.bits(static_cast<std::uint64_t>(i)) %
                                            static_cast<std::uint64_t>(vocabulary - kFirstWord)));
  return {std::move(ids), Segments::equal(rows, length)};
}

void run(std::map<std::string, std::string> options) {
  const auto number = [&](const char* name, Index otherwise) {
    return options.contains(name) ? std::atoll(options[name].c_str()) : otherwise;
  };
  const Index vocabulary = number("--vocabulary", 8000), width = number("--width", 256);
  const Index layers = number("--layers", 2), rows = number("--batch", 128);
  const Index length = number("--length", 16), steps = number("--steps", 10);
  const double dropout =
      options.contains("--dropout") ? std::atof(options["--dropout"].c_str()) : 0.1;
  const auto model = make_model({.architecture = "bahdanau",
                                 .source_vocabulary = vocabulary,
                                 .target_vocabulary = vocabulary,
                                 .width = width,
                                 .hidden = width,
                                 .encoder_layers = layers,
                                 .decoder_layers = layers,
                                 .mechanism = "additive",
                                 .tied = "none",
                                 .dropout = dropout,
                                 .attention_dropout = dropout},
                                Rng(1));
  const TrainSpec train{.learning_rate = 1e-4};
  Learner learner(*model, train);
  const Batch batch{random_ids(rows, length, vocabulary, Rng(2)),
                    random_ids(rows, length, vocabulary, Rng(3)),
                    random_ids(rows, length, vocabulary, Rng(4)).ids};
  Arena arena;
  std::vector<double> times;
  for (Index i = 0; i < steps + kWarmUp; ++i) {
    const auto started = std::chrono::steady_clock::now();
    const StepScope scope(arena);
    backward(batch_loss(*model, batch, train, 1 / static_cast<double>(batch.target_tokens()),
                        Rng(5).fork(static_cast<std::uint64_t>(i)))
                 .loss);
    learner.take_gradients();
    learner.step(train.learning_rate);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    if (i >= kWarmUp) times.push_back(spent.count());
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"name\": \"regard\", \"parameters\": %lld, \"median_step_s\": %.4f, "
      "\"target_tokens_per_s\": %.1f, \"peak_rss_mib\": %ld}\n",
      static_cast<long long>(parameter_count(*model)), median(times),
      static_cast<double>(rows * length) / median(times), usage.ru_maxrss / 1024);
}

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  std::map<std::string, std::string> options;
  for (int i = 1; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  try {
    regard::bench::run(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_recurrent: %s\n", error.what());
    return 1;
  }
}
