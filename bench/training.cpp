// Training as a worker in a race (see worker.h): a task takes some steps on real sentences.
// usage: bench_training IDS [--preset small] [--size 8000] [--tokens 4096] [--dropout 0.1]
//                           [--arch transformer]
//        bench_training --write-ids IDS SOURCE TARGET [--size 8000]
// IDS holds "source ids<TAB>target ids" a line, so that PyTorch can train on the very same
// sentences.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "bench/arguments.h"
#include "bench/worker.h"
#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/batch/batch.h"
#include "regard/batch/corpus.h"
#include "regard/model/model_folder.h"
#include "regard/tensor/memory.h"
#include "regard/tokens/subwords.h"
#include "regard/train/learner.h"
#include "regard/train/loss.h"

namespace regard::bench {
namespace {

constexpr std::size_t kCompared = 64;  // sentences that both programs score

std::string joined(const std::vector<std::int32_t>& ids) {
  std::string text;
  for (const std::int32_t id : ids) {
    if (!text.empty()) text += ' ';
    text += std::to_string(id);
  }
  return text;
}

int write_ids(const Arguments& arguments) {
  check(arguments.words.size() == 2, "expected --write-ids IDS SOURCE TARGET");
  CorpusReport report;
  const std::vector<Pair> pairs =
      read_corpus({{arguments.words[0], arguments.words[1]}, "", ""}, {}, report);
  std::vector<std::string> lines;
  for (const Pair& pair : pairs) lines.insert(lines.end(), {pair.source, pair.target});
  const auto tokens = train_subwords(lines, {.size = arguments.number("--size", 8000)});
  std::string text;
  for (const Pair& pair : pairs)
    text.append(joined(tokens->encode(pair.source)))
        .append("\t")
        .append(joined(tokens->encode(pair.target)) + '\n');
  write_file(arguments.get("--write-ids", ""), text);
  return 0;
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

ModelSpec model_spec(const Arguments& arguments, double dropout) {
  ModelSpec spec = preset(arguments.get("--preset", "small"));
  spec.source_vocabulary = spec.target_vocabulary = arguments.number("--size", 8000);
  spec.dropout = spec.attention_dropout = spec.ffn_dropout = dropout;
  spec.architecture = arguments.get("--arch", "transformer");
  if (spec.architecture == "bahdanau") {  // as `regard train` settles it
    spec.hidden = spec.width;
    spec.mechanism = "additive";
  }
  return spec;
}

/// A model that is trained, batch after batch.
class Worker {
 public:
  explicit Worker(const Arguments& arguments)
      : arguments_(arguments),
        pairs_(read_ids(arguments.words[0])),
        model_(make_sequence_model(
            model_spec(arguments, std::atof(arguments.get("--dropout", "0.1").c_str())), Rng(1))),
        learner_(*model_, train_),
        plan_(batches_of_epoch(pairs_, {.tokens = arguments.number("--tokens", 4096)}, Rng(2))) {
    std::ranges::stable_sort(plan_, {}, [&](const auto& chosen) {
      double tokens = 0;
      for (const Index i : chosen)
        tokens += static_cast<double>(pairs_[static_cast<std::size_t>(i)].target.size());
      return tokens / static_cast<double>(chosen.size());
    });
  }

  Json answer(const nlohmann::json& task) {
    if (task.contains("compare")) return compared(task.at("compare"));
    Index tokens = 0;
    double spent = 0;
    const auto steps = task.value("steps", std::size_t{1});
    for (std::size_t i = 0; i < steps; ++i) {
      // Batches of short, middling and long sentences, the same every time.
      const Batch batch = batch_of(pairs_, plan_[(2 * i + 1) * plan_.size() / (2 * steps)]);
      spent += seconds_of([&] { step(batch); });
      tokens += batch.target_tokens();
    }
    return {{"seconds", spent}, {"tokens", tokens}, {"peak_mib", peak_mib()}};
  }

 private:
  void step(const Batch& batch) {
    const StepScope scope(arena_);
    {
      const TokenLoss found =
          batch_loss(*model_, batch, train_, 1 / static_cast<double>(batch.target_tokens()),
                     Rng(3).fork(static_cast<std::uint64_t>(done_++)));
      backward(found.loss);
    }
    learner_.take_gradients();
    learner_.step(train_.learning_rate);
  }

  /// Writes fresh weights to the file, and judges some sentences with them, without dropout: the
  /// loss of a target token and the squared length of its gradient, parameter by parameter.
  Json compared(const std::string& path) const {
    const auto fresh = make_sequence_model(model_spec(arguments_, 0), Rng(1));
    save_weights(path, parameters_of(*fresh));
    std::vector<Index> first(std::min(kCompared, pairs_.size()));
    std::iota(first.begin(), first.end(), 0);
    const Batch batch = batch_of(pairs_, first);
    const TokenLoss found =
        batch_loss(*fresh, batch, train_, 1 / static_cast<double>(batch.target_tokens()), Rng(3));
    backward(found.loss);
    Json squares = Json::object();
    for (const NamedParameter& each : parameters_of(*fresh)) {
      double sum = 0;
      for (const double x : each.parameter.grad().values()) sum += x * x;
      squares[each.name] = sum;
    }
    return {{"loss", found.loss.value().item()}, {"squares", squares}, {"sentences", first.size()}};
  }

  const Arguments& arguments_;
  const std::vector<IdPair> pairs_;
  const TrainSpec train_{.learning_rate = 1e-4};
  std::unique_ptr<SequenceModel> model_;
  Learner learner_;
  std::vector<std::vector<Index>> plan_;  // by the length of their sentences
  Arena arena_;
  std::size_t done_ = 0;
};

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  using namespace regard::bench;
  return guarded("bench_training", [&] {
    const Arguments arguments(argc, argv);
    if (arguments.options.contains("--write-ids")) return write_ids(arguments);
    regard::check(arguments.words.size() == 1, "expected the file of ids");
    Worker worker(arguments);
    answer_tasks([&](const nlohmann::json& task) { return worker.answer(task); });
    return 0;
  });
}
