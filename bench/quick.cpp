// A minute's look at speed: what our fast paths do for each GFLOP/s of multiply-adds that the
// machine gives in the same run, beside what was recorded on a machine of the same kind. Fails
// where one has fallen below 0.9 of that.
// usage: bench_quick RECORDED.json [--record yes]
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "bench/arguments.h"
#include "bench/numbered_words.h"
#include "bench/probe.h"
#include "bench/worker.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/base/core_count.h"
#include "regard/base/file.h"
#include "regard/batch/batch.h"
#include "regard/convert/target.h"
#include "regard/decode/search.h"
#include "regard/ops/attention.h"
#include "regard/tensor/memory.h"
#include "regard/train/learner.h"
#include "regard/train/loss.h"

namespace regard::bench {
namespace {

constexpr double kFloor = 0.9;      // of what was recorded
constexpr double kSecondsEach = 5;  // of a work, with its probes
constexpr int kLeastRounds = 6;     // however long one takes
constexpr Index kVocabulary = 8000, kLength = 24;

int threads() {
  return std::min(2, core_count());  // so that a machine of more cores is of the same kind
}

/// One thing to be quick at.
struct Work {
  std::string name;
  std::function<double()> run;  ///< one round: how much it did, in the unit of its name
};

Work product(Index M, Index N, Index K) {
  const auto a = std::make_shared<Tensor>(Tensor::uniform({M, K}, Rng(1)));
  const auto b = std::make_shared<Tensor>(Tensor::uniform({K, N}, Rng(2)));
  const auto c = std::make_shared<Tensor>(Shape{M, N});
  const auto calls = std::max<Index>(1, (Index{1} << 33) / (M * N * K));
  return {fmt::format("product {} x {} x {}, GFLOP", M, N, K), [=] {
            const Product<f32> product{.a = {a->span<f32>().data(), M, K, K},
                                       .b = {b->span<f32>().data(), K, N, N},
                                       .c = {c->span<f32>().data(), M, N, N}};
            for (Index i = 0; i < calls; ++i) kernel::matmul(Cpu::get(), product);
            return 2e-9 * static_cast<double>(calls * M * N * K);
          }};
}

Work attention_step(double dropout, bool causal) {
  constexpr Index kHeads = 8, kWidth = 64, kRows = 1024;
  const Var x(Tensor::normal({kRows, 3 * kHeads * kWidth}, Rng(1)), true);
  const Tensor dy = Tensor::normal({kRows, kHeads * kWidth}, Rng(2));
  return {
      fmt::format("attention of {}, dropout {}{}, GFLOP", kRows, dropout, causal ? ", causal" : ""),
      [=] {
        constexpr int kCalls = 8;
        const auto part = [&](Index i) {
          return HeadColumns{x, kHeads, kWidth, i * kHeads * kWidth};
        };
        const Segments rows = Segments::equal(1, kRows);
        for (int i = 0; i < kCalls; ++i) {
          backward(attention({part(0), part(1), part(2), rows, rows},
                             {.mask = causal ? Mask::causal() : Mask::full(),
                              .dropout = {dropout, Rng(3)}})
                       .output,
                   dy);
          x.clear_grad();
        }
        return 14e-9 * kCalls * static_cast<double>(kHeads * kRows * kRows * kWidth) /
               (causal ? 2 : 1);
      }};
}

ModelSpec small_spec() {
  ModelSpec spec = preset("small");
  spec.source_vocabulary = spec.target_vocabulary = kVocabulary;
  return spec;
}

/// Sentences of random words, their ends included.
std::vector<std::vector<std::int32_t>> sentences(Index count) {
  std::vector<std::vector<std::int32_t>> all(static_cast<std::size_t>(count));
  std::uint64_t drawn = 0;
  for (auto& ids : all) {
    for (Index i = 0; i < kLength; ++i)
      ids.push_back(static_cast<std::int32_t>(4 + Rng(5).bits(drawn++) % (kVocabulary - 4)));
    ids.push_back(kEos);
  }
  return all;
}

/// A model that learns the same batch again and again.
class Training {
 public:
  Training() : model_(make_sequence_model(small_spec(), Rng(1))), learner_(*model_, spec_) {
    std::vector<IdPair> pairs;
    std::vector<Index> all;
    for (const auto& ids : sentences(64)) {
      all.push_back(static_cast<Index>(pairs.size()));
      pairs.push_back({ids, {ids.begin(), ids.end() - 1}});
    }
    batch_ = batch_of(pairs, all);
  }

  double step() {
    const StepScope scope(arena_);
    const auto tokens = static_cast<double>(batch_.target_tokens());
    backward(batch_loss(*model_, batch_, spec_, 1 / tokens, Rng(3)).loss);
    learner_.take_gradients();
    learner_.step(spec_.learning_rate);
    return tokens;
  }

 private:
  const TrainSpec spec_{.learning_rate = 1e-4};
  std::unique_ptr<SequenceModel> model_;
  Learner learner_;
  Batch batch_;
  Arena arena_;
};

/// A fresh model in a folder of its own while it is read, in the form that is asked for.
LoadedModel translator(const std::string& form) {
  std::string folder = (std::filesystem::temp_directory_path() / "regard-bench-XXXXXX").string();
  check(mkdtemp(folder.data()) != nullptr, "no folder for a model in ", folder);
  Loaded<Model> plain;
  plain.info.spec = small_spec();
  plain.info.source = plain.info.target = numbered_words(kVocabulary);
  plain.model = make_model(plain.info.spec, Rng(1));
  if (form.empty()) {
    save_info(folder, plain.info);
    save_weights(folder + "/" + std::string(kWeightsFile), parameters_of(*plain.model));
  } else {
    find_convert_target(form).write(plain, folder);
  }
  LoadedModel loaded = load_translator(folder);
  std::filesystem::remove_all(folder);
  return loaded;
}

Work translation(const std::string& form, const std::shared_ptr<LoadedModel>& model, Index beam,
                 Index lines, bool one_by_one) {
  const std::string how = one_by_one ? "one line at a time" : fmt::format("{} lines", lines);
  return {fmt::format("translation {}, beam {}, {}, tokens", form, beam, how), [=] {
            const auto sources = sentences(lines);
            const DecodeSpec spec{
                .beam = beam, .max_length = kLength, .max_ratio = 0, .min_length = kLength};
            if (!one_by_one) translate(*model->model, sources, spec);
            for (std::size_t i = 0; one_by_one && i < sources.size(); ++i)
              translate(*model->model, std::span(sources).subspan(i, 1), spec);
            return static_cast<double>(lines * kLength);
          }};
}

std::vector<Work> works() {
  std::vector<Work> all{product(4096, 1024, 256), product(64, 512, 512), attention_step(0.1, false),
                        attention_step(0, true)};
  const auto training = std::make_shared<Training>();
  all.push_back({"training step of small, 1,600 tokens, target tokens",
                 [training] { return training->step(); }});
  for (const std::string form : {"", "int8"}) {
    const auto model = std::make_shared<LoadedModel>(translator(form));
    const std::string told = form.empty() ? "f32" : form;
    all.push_back(translation(told, model, 4, 48, false));
    all.push_back(translation(told, model, 1, 8, true));
  }
  return all;
}

/// What a work does for each GFLOP that the machine could do meanwhile: the best of its rounds over
/// the best of the probes between them, as other programs only ever slow either down.
double share(const Work& work) {
  double best = 0, peak = 0, spent = 0;
  work.run();
  for (int round = 0; round < kLeastRounds || spent < kSecondsEach; ++round) {
    double done = 0;
    const double seconds = seconds_of([&] { done = work.run(); });
    const double probe = seconds_of([&] { peak = std::max(peak, fma_rate(threads(), 0.05)); });
    best = std::max(best, done / seconds);
    spent += seconds + probe;
  }
  return best / peak;
}

/// Machines of one kind have the same: vector width, family and model of the processor, threads.
std::string kind_of_machine() {
  std::ifstream file("/proc/cpuinfo");
  std::string family, model;
  for (std::string line; std::getline(file, line) && (family.empty() || model.empty());) {
    const std::string value = line.substr(std::min(line.size(), line.find(':') + 2));
    if (line.starts_with("cpu family")) family = value;
    if (line.starts_with("model\t")) model = value;
  }
  return fmt::format("{}, family {}, model {}, {} threads", Cpu::get().isa(), family, model,
                     threads());
}

int run(const Arguments& arguments) {
  check(arguments.words.size() == 1, "expected the file of what was recorded");
  const std::string path = arguments.words[0], kind = kind_of_machine();
  const bool record = arguments.options.contains("--record");
  Json all =
      std::filesystem::exists(path) ? Json(parse_json(read_file(path), path)) : Json::object();
  const Json before = all.contains(kind) && !record ? all[kind] : Json::object();
  Cpu::get().set_threads(threads());
  fmt::print("{}; FMA {:.0f} GFLOP/s\n{:58} {:>9} {:>9} {:>6}\n", kind, fma_rate(threads()),
             "a second, for each GFLOP/s of the machine", "now", "recorded", "ratio");
  Json found = Json::object();
  int fallen = 0;
  for (const Work& work : works()) {
    const double now = share(work);
    found[work.name] = std::round(now * 1e4) / 1e4;
    const double then = before.value(work.name, 0.0);
    const bool low = then > 0 && now < kFloor * then;
    fallen += low;
    fmt::print("{:58} {:9.4f} {:>9} {:>6}{}\n", work.name, now,
               then > 0 ? fmt::format("{:.4f}", then) : "-",
               then > 0 ? fmt::format("{:.2f}", now / then) : "-",
               low ? "  FAIL: below 0.9 of what was recorded" : "");
    std::fflush(stdout);
  }
  for (const auto& [name, value] : before.items())
    if (!found.contains(name)) {
      fmt::print("{:58} FAIL: recorded, but no longer measured\n", name);
      ++fallen;
    }
  if (record) {
    all[kind] = found;
    write_file(path, all.dump(2) + "\n");
  }
  if (before.empty())
    fmt::print("{}: {}\n", path,
               record ? "recorded" : "nothing recorded for such a machine; add --record");
  return fallen == 0 ? 0 : 1;
}

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  return regard::bench::guarded(
      "bench_quick", [&] { return regard::bench::run(regard::bench::Arguments(argc, argv)); });
}
