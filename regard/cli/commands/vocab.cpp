#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/batch/lines.h"
#include "regard/cli/command.h"
#include "regard/cli/number.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/source.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/translate/waiting_lines.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::optional<std::string> type, out, show, encode, decode;
  std::optional<Index> size, min_frequency;
  bool joint = false, lower_case = false, whole = false;
  bool ids = false, json = false, overwrite = false;
};

constexpr const char* kFooter =
    R"(A vocabulary is trained by itself inside `regard train`; this is for looking and trying. --encode and
--decode turn lines of standard input into pieces with spaces between, and back; with --ids, numbers.

Examples:
  regard vocab --input train.en train.de --size 8k --type bpe --out joint.tokens
  regard vocab --show runs/demo/source.tokens
  echo 'a black cat' | regard vocab --encode joint.tokens
  echo 'a black cat' | regard vocab --encode joint.tokens | regard vocab --decode joint.tokens)";

std::vector<std::string> text_of(const std::vector<std::string>& paths) {
  std::vector<std::string> text;
  for (const std::string& path : paths) {
    Lines lines(path);
    Index too_long = 0;
    while (const auto line = lines.next()) {
      if (line->too_long && too_long++ == 0)
        warn(path, ":", line->number, ": more than ", Lines::kMostBytes,
             " bytes in a line; such lines are left out");
      if (!line->text.empty()) text.emplace_back(line->text);
    }
    if (too_long > 1) warn(path, ": ", too_long, " lines left out for their length");
  }
  return text;
}

std::shared_ptr<const Tokenizer> trained(const Options& options,
                                         const std::vector<std::string>& text) {
  const std::string type = options.type.value_or("bpe");
  if (type == "words")
    return word_vocabulary(text, {.min_frequency = options.min_frequency.value_or(2),
                                  .most = options.size.value_or(0),
                                  .lower_case = options.lower_case,
                                  .split_punctuation = !options.whole});
  check(!options.lower_case && !options.whole && !options.min_frequency,
        "--lowercase, --no-split-punctuation and --min-frequency are about --type words");
  return train_subwords(text, {.size = options.size.value_or(8000), .type = type});
}

int train(const Options& options) {
  const std::string type = options.type.value_or("bpe");
  check(type == "bpe" || type == "unigram" || type == "words", "--type is '", type,
        "', expected bpe, unigram or words");
  check(options.out.has_value(), "--input needs --out, the file to write the vocabulary to");
  check_outputs({{"--out", *options.out}}, options.inputs, options.overwrite);
  const auto vocabulary = trained(options, text_of(options.inputs));
  write_file(*options.out, vocabulary->bytes(), if_there(options.overwrite));
  const nlohmann::ordered_json about{{"schema", 1},
                                     {"file", *options.out},
                                     {"kind", vocabulary->kind()},
                                     {"size", vocabulary->size()}};
  // A file may have any bytes for its name; JSON is UTF-8.
  write_output(options.json
                   ? about.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                         "\n"
                   : fmt::format("{}: {} {}\n", visible(*options.out), vocabulary->size(),
                                 vocabulary->kind()));
  return 0;
}

int show(const Options& options) {
  constexpr Index kShown = 40;
  const auto vocabulary = load_tokenizer(*options.show);
  std::vector<std::string> pieces;
  const Index count = options.json ? vocabulary->size() : std::min(kShown, vocabulary->size());
  for (Index id = 0; id < count; ++id)
    pieces.push_back(vocabulary->piece(static_cast<std::int32_t>(id)));
  if (options.json) {
    write_output(nlohmann::ordered_json{{"schema", 1},
                                        {"kind", vocabulary->kind()},
                                        {"size", vocabulary->size()},
                                        {"pieces", pieces}}
                     .dump() +
                 "\n");
    return 0;
  }
  std::string text = fmt::format("{} {}\n", vocabulary->size(), vocabulary->kind());
  for (Index id = 0; id < count; ++id)
    text += fmt::format("{:>6}  {}\n", id, visible(pieces[static_cast<std::size_t>(id)]));
  if (count < vocabulary->size())
    text += fmt::format("   and {} more; all with --json\n", vocabulary->size() - count);
  write_output(text);
  return 0;
}

std::string encoded(const Tokenizer& vocabulary, std::string_view line, bool ids) {
  std::string text;
  for (const Token& token : vocabulary.tokens(line))
    text += (text.empty() ? "" : " ") + (ids ? std::to_string(token.id) : token.text);
  return text;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(' ', at)) != line.npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

int run_lines(const Options& options, const Tokenizer& vocabulary) {
  std::unordered_map<std::string, std::int32_t> id_of;
  if (options.decode && !options.ids)
    for (Index id = 0; id < vocabulary.size(); ++id)
      id_of.emplace(vocabulary.piece(static_cast<std::int32_t>(id)), static_cast<std::int32_t>(id));
  const InputSource from{.name = "standard input", .is_file = true};
  const auto decoded = [&](const TextLine& line) {
    std::vector<std::int32_t> ids;
    for (const std::string_view word : words_of(line.text)) {
      if (!options.ids) {
        const auto known = id_of.find(std::string(word));
        ids.push_back(known == id_of.end() ? kUnk : known->second);
        continue;
      }
      const std::optional<Index> id = parse_whole(word);
      if (!id || *id < 0 || *id >= vocabulary.size())
        fail_at(from, line.number, "'", word, "' is no id, expected 0 to ", vocabulary.size() - 1);
      ids.push_back(static_cast<std::int32_t>(*id));
    }
    return vocabulary.decode(ids);
  };
  Lines lines("-", kLongestLine, {}, Reading::any_text);
  while (const auto line = lines.next()) {
    if (line->too_long)
      warn(from.name, ":", line->number, ": more than ", kLongestLine,
           " bytes in a line; it counts as empty");
    write_output((options.encode ? encoded(vocabulary, line->text, options.ids) : decoded(*line)) +
                 "\n");
  }
  return 0;
}

int run(const Options& options) {
  const int asked = !options.inputs.empty() + options.show.has_value() +
                    options.encode.has_value() + options.decode.has_value();
  check(asked == 1, "vocab needs one of --input, --show, --encode and --decode");
  check(!options.ids || options.encode || options.decode, "--ids goes with --encode or --decode");
  if (!options.inputs.empty()) return train(options);
  check(!options.out && !options.type && !options.size, "--out, --type and --size go with --input");
  check(!options.joint && !options.lower_case && !options.whole && !options.min_frequency &&
            !options.overwrite,
        "--joint, --lowercase, --no-split-punctuation, --min-frequency and --overwrite go with "
        "--input; a vocabulary knows its own");
  if (options.show) return show(options);
  return run_lines(options, *load_tokenizer(options.encode ? *options.encode : *options.decode));
}

void declare(CLI::App& app, Options& options) {
  constexpr Index kMost = 1 << 24;
  const std::string group = "Training", use = "Use";
  add_list(app, {"-i,--input", "FILE..", "text to learn one vocabulary from", group},
           options.inputs);
  add_flag(app, {"--joint", "", "one vocabulary for all of them; so it is anyway", group},
           options.joint);
  add_option(app, {"--size", "N", "of the vocabulary (default: 8000)", group}, {5, kMost},
             options.size);
  add_option(app, {"--type", "NAME", "bpe (default), unigram or words", group}, options.type);
  add_option(app,
             {"--min-frequency", "N", "words: seen less often are unknown (default: 2)", group},
             {1, kMost}, options.min_frequency);
  add_flag(app, {"--lowercase", "", "words: in lower case", group}, options.lower_case);
  add_flag(app, {"--no-split-punctuation", "", "words: cut at spaces only", group}, options.whole);
  add_option(app, {"-o,--out", "FILE", "the vocabulary to write", group}, options.out);
  add_flag(app, {"--overwrite", "", "replace it if it is there", group}, options.overwrite);
  add_option(app, {"--show", "FILE", "kind, size and first pieces of a vocabulary", use},
             options.show);
  add_option(app, {"--encode", "FILE", "lines to pieces, by this vocabulary", use}, options.encode);
  add_option(app, {"--decode", "FILE", "pieces to lines, by this vocabulary", use}, options.decode);
  add_flag(app, {"--ids", "", "numbers instead of pieces", use}, options.ids);
  add_flag(app, {"--json", "", "JSON; --show: with all pieces", use}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command vocab{
    .name = "vocab",
    .summary = "train, show or try a vocabulary of sub-words or words",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
