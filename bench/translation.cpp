// Translation as a worker in a race (see worker.h): the model is loaded and the lines are cut into
// tokens once; a task translates some of them, and its time is that of the search alone.
// usage: bench_translation MODEL LINES [--ref REF]
//        bench_translation --write-random PRESET MODEL LINES [--count 1024]
// The second form writes a model that nobody trained and so many lines of random words for it:
// times do not depend on what the weights are, where every translation has the same length.
#include <filesystem>

#include "bench/arguments.h"
#include "bench/numbered_words.h"
#include "bench/worker.h"
#include "regard/backend/cpu/cpu.h"
#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/decode/search.h"
#include "regard/measure/bleu.h"
#include "regard/model/model_folder.h"

namespace regard::bench {
namespace {

constexpr Index kRandomLength = 24;

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

int write_random(const Arguments& arguments) {
  check(arguments.words.size() == 2, "expected --write-random PRESET MODEL LINES");
  const std::string name = arguments.get("--write-random", ""), folder = arguments.words[0];
  ModelInfo info;
  info.spec = preset(name);
  info.spec.source_vocabulary = info.spec.target_vocabulary = name == "base" ? 32000 : 8000;
  info.source = info.target = numbered_words(info.spec.target_vocabulary);
  info.from = "a";
  info.to = "b";
  const auto model = make_sequence_model(info.spec, Rng(1));
  std::filesystem::create_directories(folder);
  save_weights(folder + "/" + std::string(kWeightsFile), parameters_of(*model));
  save_info(folder, info);
  std::string text;
  const Rng draws(2);
  for (Index i = 0; i < arguments.number("--count", 1024) * kRandomLength; ++i) {
    const auto ordinary = static_cast<std::uint64_t>(info.source->size() - kSpecials);
    const auto id = static_cast<std::int32_t>(draws.bits(static_cast<std::uint64_t>(i)) % ordinary);
    text += info.source->piece(id + static_cast<std::int32_t>(kSpecials));
    text += (i + 1) % kRandomLength == 0 ? '\n' : ' ';
  }
  write_file(arguments.words[1], text);
  return 0;
}

/// A model, its lines, and what it says of them.
class Worker {
 public:
  explicit Worker(const Arguments& arguments) : loaded_(load_translator(arguments.words.at(0))) {
    for (const std::string& line : lines_of(arguments.words.at(1))) {
      sources_.push_back(loaded_.info.source->encode(line));
      sources_.back().push_back(kEos);
    }
    if (arguments.options.contains("--ref")) reference_ = lines_of(arguments.get("--ref", ""));
  }

  Json answer(const nlohmann::json& task) {
    if (task.contains("write_tokens")) return write_tokens(task.at("write_tokens"));
    if (task.contains("bleu")) return score(task.at("bleu"));
    if (task.contains("threads")) Cpu::get().set_threads(task.at("threads"));
    const auto lines = std::min(sources_.size(), task.value("lines", sources_.size()));
    const std::size_t at_once = task.value("at_once", lines);
    std::vector<std::vector<Hypothesis>> said;
    const DecodeSpec spec = settings(task);
    const double spent = seconds_of([&] {
      for (std::size_t i = 0; i < lines; i += at_once) {
        auto more = translate(*loaded_.model,
                              std::span(sources_).subspan(i, std::min(at_once, lines - i)), spec);
        std::move(more.begin(), more.end(), std::back_inserter(said));
      }
    });
    std::size_t tokens = 0;
    for (const auto& best : said) tokens += best[0].ids.size();
    if (task.contains("say")) say(said, task.at("say"));
    return {{"seconds", spent},
            {"tokens", tokens},
            {"peak_mib", peak_mib()},
            {"batch_tokens", batch_tokens(*loaded_.model, spec)}};
  }

 private:
  static DecodeSpec settings(const nlohmann::json& task) {
    DecodeSpec spec{.beam = task.value("beam", Index{1}), .max_ratio = 0};
    const Index length = task.value("length", Index{0});
    if (length > 0) spec.min_length = spec.max_length = length;
    spec.batch_tokens = task.value("batch_tokens", spec.batch_tokens);
    return spec;
  }

  /// The sources as the vocabulary spells them, a list a line, without their ends.
  Json write_tokens(const std::string& path) const {
    std::string text;
    for (const auto& ids : sources_) {
      Json pieces = Json::array();
      for (const std::int32_t id : ids)
        if (id != kEos) pieces.push_back(loaded_.info.source->piece(id));
      text += pieces.dump() + "\n";
    }
    write_file(path, text);
    return {{"lines", sources_.size()}};
  }

  void say(const std::vector<std::vector<Hypothesis>>& all, const std::string& path) const {
    std::string text;
    for (const auto& best : all) {
      Json line{{"tokens", Json::array()}, {"log_p", best[0].token_log_probabilities}};
      for (const std::int32_t id : best[0].ids)
        line["tokens"].push_back(loaded_.info.target->piece(id));
      text += line.dump() + "\n";
    }
    write_file(path, text);
  }

  /// BLEU of what either program said, a line as `say` writes them.
  Json score(const std::string& path) const {
    check(!reference_.empty(), "no --ref to compare with");
    const Tokenizer& target = *loaded_.info.target;
    std::map<std::string, std::int32_t> ids;
    for (std::int32_t id = 0; id < target.size(); ++id) ids[target.piece(id)] = id;
    std::vector<std::string> texts;
    for (const std::string& line : lines_of(path)) {
      std::vector<std::int32_t> said;
      const nlohmann::json parsed = parse_json(line, path);
      for (const nlohmann::json& piece : parsed.at("tokens")) said.push_back(ids.at(piece));
      texts.push_back(target.decode(said));
    }
    const std::vector<std::string> reference(
        reference_.begin(), reference_.begin() + static_cast<std::ptrdiff_t>(texts.size()));
    return {{"bleu", bleu(texts, {reference}).score}};
  }

  LoadedModel loaded_;
  std::vector<std::vector<std::int32_t>> sources_;
  std::vector<std::string> reference_;
};

}  // namespace
}  // namespace regard::bench

int main(int argc, char** argv) {
  using namespace regard::bench;
  return guarded("bench_translation", [&] {
    const Arguments arguments(argc, argv);
    if (arguments.options.contains("--write-random")) return write_random(arguments);
    regard::check(arguments.words.size() == 2, "expected MODEL LINES");
    Worker worker(arguments);
    answer_tasks([&](const nlohmann::json& task) { return worker.answer(task); });
    return 0;
  });
}
