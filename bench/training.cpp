// Training steps of a preset on real sentences: target tokens a second, as one line of JSON.
// usage: bench_training IDS [--preset small] [--tokens 4096] [--steps 20] [--dropout 0.1]
//        bench_training --write-ids IDS SOURCE TARGET [--size 8000]
// IDS holds "source ids<TAB>target ids" a line, so that a rival can train on the very same
// sentences.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/batch/corpus.h"
#include "regard/tensor/memory.h"
#include "regard/tokens/subwords.h"
#include "regard/train/batch.h"
#include "regard/train/learner.h"
#include "regard/train/loss.h"

namespace regard::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kWarmUp = 3;

struct Arguments {
  std::vector<std::string> words;
  std::map<std::string, std::string> options;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--"))
        words.push_back(word);
      else if (word == "--write-ids")
        options[word];
      else if (i + 1 < argc)
        options[word] = argv[++i];
    }
  }
  std::string get(const std::string& name, const std::string& otherwise) const {
    const auto found = options.find(name);
    return found == options.end() ? otherwise : found->second;
  }
  Index number(const std::string& name, Index otherwise) const {
    return std::atoll(get(name, std::to_string(otherwise)).c_str());
  }
};

std::string joined(const std::vector<std::int32_t>& ids) {
  std::string text;
  for (const std::int32_t id : ids) {
    if (!text.empty()) text += ' ';
    text += std::to_string(id);
  }
  return text;
}

void write_ids(const Arguments& arguments) {
  check(arguments.words.size() == 3, "expected --write-ids IDS SOURCE TARGET");
  CorpusReport report;
  const std::vector<Pair> pairs =
      read_corpus({{arguments.words[1], arguments.words[2]}, "", ""}, {}, report);
  std::vector<std::string> lines;
  for (const Pair& pair : pairs) lines.insert(lines.end(), {pair.source, pair.target});
  const auto tokens = train_subwords(lines, {.size = arguments.number("--size", 8000)});
  std::string text;
  for (const Pair& pair : pairs)
    text.append(joined(tokens->encode(pair.source)))
        .append("\t")
        .append(joined(tokens->encode(pair.target)) + '\n');
  write_file(arguments.words[0], text);
}

std::vector<IdPair> read_ids(const std::string& path) {
  std::vector<IdPair> pairs;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    IdPair pair;
    std::istringstream source(line.substr(0, line.find('\t'))),
        target(line.substr(line.find('\t') + 1));
    for (std::int32_t id; source >> id;) pair.source.push_back(id);
    for (std::int32_t id; target >> id;) pair.target.push_back(id);
    pair.source.push_back(kEos);
    pairs.push_back(std::move(pair));
  }
  check(!pairs.empty(), path, ": no pairs; make it with --write-ids");
  return pairs;
}

void run(const Arguments& arguments) {
  check(arguments.words.size() == 1, "expected the file of ids");
  const std::vector<IdPair> pairs = read_ids(arguments.words[0]);
  ModelSpec spec = preset(arguments.get("--preset", "small"));
  spec.source_vocabulary = spec.target_vocabulary = arguments.number("--size", 8000);
  spec.dropout = spec.attention_dropout = spec.hidden_dropout =
      std::atof(arguments.get("--dropout", "0.1").c_str());
  const auto model = make_model(spec, Rng(1));
  const TrainSpec train{.learning_rate = 1e-4};
  Learner learner(*model, train);
  const auto plan = batches_of_epoch(pairs, {.tokens = arguments.number("--tokens", 4096)}, Rng(2));
  const auto steps = static_cast<std::size_t>(arguments.number("--steps", 20));
  Arena arena;
  Index tokens = 0;
  double seconds = 0;
  for (std::size_t i = 0; i < steps + kWarmUp; ++i) {
    const Batch batch = batch_of(pairs, plan[i % plan.size()]);
    const auto started = Clock::now();
    const StepScope scope(arena);
    {
      const TokenLoss found =
          batch_loss(*model, batch, train, 1 / static_cast<double>(batch.target_tokens()),
                     Rng(3).fork(static_cast<std::uint64_t>(i)));
      backward(found.loss);
    }
    learner.take_gradients();
    learner.step(train.learning_rate);
    if (i < kWarmUp) continue;
    seconds += std::chrono::duration<double>(Clock::now() - started).count();
    tokens += batch.target_tokens();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"name\": \"regard\", \"parameters\": %lld, \"steps\": %zu, \"target_tokens\": %lld, "
      "\"seconds\": %.4f, \"target_tokens_per_s\": %.1f, \"peak_rss_mib\": %ld}\n",
      static_cast<long long>(parameter_count(*model)), steps, static_cast<long long>(tokens),
      seconds, static_cast<double>(tokens) / seconds, usage.ru_maxrss / 1024);
}

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  try {
    const regard::bench::Arguments arguments(argc, argv);
    if (arguments.options.contains("--write-ids"))
      regard::bench::write_ids(arguments);
    else
      regard::bench::run(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_training: %s\n", error.what());
    return 1;
  }
}
