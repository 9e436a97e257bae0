#include "regard/decode/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/base/log.h"
#include "regard/batch/lines.h"
#include "regard/cli/command.h"
#include "regard/cli/line_output.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/shipped_model.h"
#include "regard/cli/source.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/target_length.h"
#include "regard/cli/translate/waiting_lines.h"
#include "regard/cli/unknown_report.h"
#include "regard/model/architecture.h"
#include "regard/trace/trace_json.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

constexpr std::size_t kBlock = 512;

struct Options {
  ModelOption model;
  std::vector<std::string> files;  // pairs; or sources, and their translations
  std::optional<std::string> input, output;
  bool per_token = false, json = false, overwrite = false;
};

constexpr const char* kFooter =
    R"(Reads lines of "source TAB translation", or two files that are aligned line by line, and writes
log p(translation | source) for each, the end of the sentence counted; --per-token adds a tab and every
token with its own, the end last. A model of architecture language reads lines of text alone; their
perplexity stands on standard error at the end.

Examples:
  regard score --model runs/demo test.en test.fr
  regard score --model runs/writer test.en
  paste test.en test.fr | regard score --model runs/demo
  printf 'I am home.\tJe suis chez moi.\n' | regard score --model runs/demo --per-token)";

struct Row {
  std::string_view source{}, target;  // of a model that reads no source the target alone
  std::vector<UnknownText> unknown_source{}, unknown_target{};
  bool has_source = true;
};

Row row_of(std::string_view line, const InputSource& from, Index number) {
  const std::size_t tab = line.find('\t');
  if (tab == line.npos || line.find('\t', tab + 1) != line.npos)
    fail_at(from, number, "expected source, a tab and its translation, got ",
            tab == line.npos ? "no tab" : "more than one tab");
  return {.source = line.substr(0, tab), .target = line.substr(tab + 1)};
}

double perplexity(double log_probability, std::size_t tokens) {
  return elementary::exp(-log_probability / static_cast<double>(tokens));
}

/// How well a model expects all that was scored.
struct Total {
  double log_probability = 0;
  std::size_t lines = 0, tokens = 0;  // ends counted

  void add(const PairScore& score) {
    log_probability += score.log_probability;
    tokens += score.tokens.size();
    ++lines;
  }
  std::string text() const {
    return fmt::format("perplexity {:.4f} per token: {} lines, {} tokens with their ends",
                       perplexity(log_probability, tokens), lines, tokens);
  }
};

std::string shown(const Row& row, const std::vector<std::int32_t>& ids, const PairScore& score,
                  const Tokenizer& tokenizer, const Options& options) {
  std::vector<std::string> pieces;
  for (const std::int32_t id : ids) pieces.push_back(token_text(tokenizer, id));
  pieces.push_back(token_text(tokenizer, kEos));
  if (options.json) {
    nlohmann::ordered_json object{{"schema", 1}};
    if (row.has_source) object["source"] = row.source;
    object["target"] = row.target;
    if (row.has_source) object["unknown"] = unknown_json(row.unknown_source);
    object["unknown_target"] = unknown_json(row.unknown_target);
    object["log_probability"] = score.log_probability;
    object["perplexity"] = perplexity(score.log_probability, pieces.size());
    if (options.per_token) {
      object["tokens"] = pieces;
      object["token_log_probabilities"] = score.tokens;
    }
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  std::string text = fmt::format("{:.4f}", score.log_probability);
  for (std::size_t i = 0; options.per_token && i < pieces.size(); ++i)
    text += fmt::format("{}{} {:.4f}", i == 0 ? '\t' : ' ', visible(pieces[i]), score.tokens[i]);
  return text + "\n";
}

/// The lines of the second file, one for each of the first.
class Translations {
 public:
  Translations(const std::string& path, std::string sources)
      : lines_(path, kLongestLine, {}, Reading::any_text),
        name_(path == "-" ? "standard input" : path),
        sources_(std::move(sources)) {}

  std::string next() {
    const auto line = lines_.next();
    if (!line) fail(Fault::input, name_, " has fewer lines than ", sources_, kAligned);
    if (line->too_long)
      warn(name_, ":", line->number, ": more than ", kLongestLine,
           " bytes in a line; it counts as empty");
    return std::string(line->text);
  }
  void check_end() {
    if (lines_.next()) fail(Fault::input, name_, " has more lines than ", sources_, kAligned);
  }

 private:
  static constexpr const char* kAligned = "; the files must be aligned line by line";
  Lines lines_;
  std::string name_, sources_;
};

/// The ids of a text, and what the vocabulary does not have of it.
std::vector<std::int32_t> encoded(const Tokenizer& tokenizer, std::string_view text,
                                  std::vector<UnknownText>& unknown) {
  const std::vector<Token> tokens = tokenizer.tokens(text);
  unknown = unknown_text(tokenizer, text, tokens);
  std::vector<std::int32_t> ids;
  for (const Token& token : tokens) ids.push_back(token.id);
  return ids;
}

/// Lines that are scored together.
struct Block {
  std::vector<Row> rows{};
  std::deque<std::string> second{};  // whose lines the rows view
  std::vector<std::vector<std::int32_t>> sources{}, targets{};
  std::exception_ptr fault{};  // told when the lines before it are scored
};

/// All lines, block after block.
class Scoring {
 public:
  Scoring(const Options& options, const LoadedModel& loaded, InputSource from)
      : options_(options),
        model_(*loaded.model),
        info_(loaded.info),
        translates_(translates(info_.spec)),
        from_(std::move(from)),
        unknown_source_(*info_.source, "source"),
        unknown_target_(*info_.target, translates_ ? "target" : "model's") {
    if (options.files.size() == 2) translations_.emplace(options.files[1], from_.name);
  }

  void score(std::span<const std::string> lines, LineOutput& out) {
    const Block block = read(lines);
    const std::vector<PairScore> scores = score_pairs(model_, block.sources, block.targets);
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      out.write(shown(block.rows[i], block.targets[i], scores[i], *info_.target, options_));
      total_.add(scores[i]);
    }
    if (!block.fault) return;
    tell_unknown();
    std::rethrow_exception(block.fault);
  }

  void end() {
    if (translations_ && StopSignal::caught() == 0) translations_->check_end();
    tell_unknown();
    if (!translates_ && total_.lines > 0) write_error_line(total_.text());
  }

 private:
  Block read(std::span<const std::string> lines) {
    Block block;
    for (const std::string& line : lines) try {
        ++number_;
        add(line, block);
      } catch (const Error&) {
        block.fault = std::current_exception();
        break;
      }
    return block;
  }

  void add(const std::string& line, Block& block) {
    Row row = !translates_    ? Row{.target = line, .has_source = false}
              : translations_ ? Row{line, block.second.emplace_back(translations_->next())}
                              : row_of(line, from_, number_);
    std::vector<std::int32_t> source = encoded(*info_.source, row.source, row.unknown_source);
    std::vector<std::int32_t> target = encoded(*info_.target, row.target, row.unknown_target);
    check_length(info_, std::max(source.size(), target.size()), from_, number_);
    source.push_back(kEos);
    unknown_source_.add(number_, row.unknown_source);
    unknown_target_.add(number_, row.unknown_target);
    block.rows.push_back(std::move(row));
    block.sources.push_back(std::move(source));
    block.targets.push_back(std::move(target));
  }

  void tell_unknown() {
    unknown_source_.tell();
    unknown_target_.tell();
  }

  const Options& options_;
  const SequenceModel& model_;
  const ModelInfo& info_;
  const bool translates_;
  const InputSource from_;
  std::optional<Translations> translations_;
  UnknownReport unknown_source_, unknown_target_;
  Total total_;
  Index number_ = 0;  // of the line
};

LoadedModel open_scorer(const Options& options) {
  LoadedModel loaded = open_kind<SequenceModel>(options.model);
  const ModelSpec& spec = loaded.info.spec;
  const Architecture& made = find_architecture(spec.architecture);
  check(translates(spec) || !made.reads_source(), "a model of architecture ", made.name,
        " reads no text, so it cannot score any; use: regard ", made.command);
  check(translates(spec) || options.files.size() < 2, "a model of architecture ", made.name,
        " reads text alone, not its translation; give one file");
  return loaded;
}

int run(const Options& options) {
  check(options.files.size() <= 2, "score takes one file or two, got ", options.files.size());
  check(options.files.size() < 2 || !options.input, "give files or --input, not both");
  const std::optional<std::string> first =
      options.files.empty() ? std::nullopt : std::optional(options.files.front());
  const std::string input = named_input(first, options.input);
  const std::string output = options.output.value_or("-");
  std::vector<std::string> inputs = model_files(options.model);
  inputs.push_back(input);
  if (options.files.size() == 2) inputs.push_back(options.files[1]);
  check(std::ranges::count(inputs, "-") <= 1, "standard input can be read once; name a file too");
  check_outputs({{"--output", output}}, inputs, options.overwrite);
  const LoadedModel loaded = open_scorer(options);
  const StopSignal signals;
  LineOutput out(output, if_there(options.overwrite));
  Scoring scoring(options, loaded,
                  {.name = input == "-" ? "standard input" : input, .is_file = true});
  each_block(input, kBlock, [&](std::span<const std::string> lines) { scoring.score(lines, out); });
  scoring.end();
  return out.end();
}

void declare(CLI::App& app, Options& options) {
  add_words(app, {"files", "FILE..", "the pairs, or sources and their translations; or text alone"},
            options.files);
  declare_or_shipped(app, options.model);
  const std::string group = "Input and output";
  add_option(app, {"-i,--input", "FILE", "the pairs, or the text (default: standard input)", group},
             options.input);
  add_option(app, {"-o,--output", "FILE", "output file (default: standard output)", group},
             options.output);
  add_flag(app, {"--overwrite", "", "replace an existing output", group}, options.overwrite);
  add_flag(app, {"--per-token", "", "every token with its log-probability", group},
           options.per_token);
  add_flag(app, {"--json", "", "one JSON object per line", group}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command score{
    .name = "score",
    .summary = "log-probability of given translations; perplexity of text",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings& settings) {
        take_shipped_model(options->model, settings);
        return run(*options);
      };
    },
};

}  // namespace regard::commands
