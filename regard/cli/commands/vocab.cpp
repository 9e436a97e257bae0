#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/base/open_file.h"
#include "regard/batch/lines.h"
#include "regard/cli/command.h"
#include "regard/cli/number.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/source.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/translate/waiting_lines.h"
#include "regard/tokens/spaced_words.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"
#include "regard/trace/traced_text.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

struct Options {
  std::vector<std::string> files, inputs;  // as bare words, and by --input
  std::optional<std::string> type, out, show, encode, decode;
  std::optional<Index> size, min_frequency;
  bool joint = false, lower_case = false, whole = false;
  bool ids = false, json = false, overwrite = false;
};

constexpr const char* kFooter =
    R"(`regard train` builds its own vocabulary; this is to inspect one or to try settings. --encode and
--decode turn lines of a file or of standard input into pieces with spaces between, and back; with
--ids, token IDs. With --json each line gives an object: --encode the text, its ids and, without --ids,
its pieces; --decode the text.

Examples:
  regard vocab train.en train.de --size 8k --type bpe --out joint.tokens
  regard vocab runs/demo/source.tokens
  echo 'a black cat' | regard vocab --encode joint.tokens
  echo 'a black cat' | regard vocab --encode joint.tokens | regard vocab --decode joint.tokens)";

/// In one line. Names of files and lines of text may be any bytes; JSON is UTF-8.
std::string dumped(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> text_of(const std::vector<std::string>& paths) {
  std::vector<std::string> text;
  for (const std::string& path : paths) {
    Lines lines(path);
    Index too_long = 0;
    while (const auto line = lines.next()) {
      if (line->too_long && too_long++ == 0)
        warn(path, ":", line->number, ": more than ", Lines::kMaxBytes,
             " bytes in a line; such lines are skipped");
      if (!line->text.empty()) text.emplace_back(line->text);
    }
    if (too_long > 1) warn(path, ": ", too_long, " lines skipped: too long");
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
        "--lowercase, --no-split-punctuation and --min-frequency only apply to --type words");
  return train_subwords(text, {.size = options.size.value_or(8000), .type = type});
}

int train(const Options& options) {
  const std::string type = options.type.value_or("bpe");
  check(type == "bpe" || type == "unigram" || type == "words", "--type is '", type,
        "', expected bpe, unigram or words");
  check(options.out.has_value(), "training a vocabulary needs --out, the file to write it to");
  check_outputs({{"--out", *options.out}}, options.inputs, options.overwrite);
  const auto vocabulary = trained(options, text_of(options.inputs));
  write_file(*options.out, vocabulary->bytes(), if_there(options.overwrite));
  const nlohmann::ordered_json about{{"schema", 1},
                                     {"file", *options.out},
                                     {"type", vocabulary->type()},
                                     {"size", vocabulary->size()}};
  write_output(options.json ? dumped(about)
                            : fmt::format("{}: {} {}\n", visible(*options.out), vocabulary->size(),
                                          vocabulary->kind()));
  return 0;
}

/// A text given for a vocabulary is told what was expected, not what a reader stumbled over.
std::shared_ptr<const Tokenizer> load_vocabulary(const std::string& path) {
  try {
    return load_tokenizer(path);
  } catch (const Error& error) {
    if (error.fault != Fault::input || !is_there(path)) throw;
    fail(Blame(Fault::input).at(path), path,
         ": not a vocabulary; to train one from text: ", "regard vocab ", path, " --out FILE (",
         error.what(), ")");
  }
}

int show(const Options& options) {
  constexpr Index kShown = 40;
  const auto vocabulary = load_vocabulary(*options.show);
  std::vector<std::string> pieces;
  const Index count = options.json ? vocabulary->size() : std::min(kShown, vocabulary->size());
  for (Index id = 0; id < count; ++id)
    pieces.push_back(token_text(*vocabulary, static_cast<std::int32_t>(id)));
  if (options.json) {
    write_output(nlohmann::ordered_json{{"schema", 1},
                                        {"type", vocabulary->type()},
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

/// A line as its pieces or ids, or as an object that has them.
std::string encoded(const Tokenizer& vocabulary, std::string_view line, const Options& options) {
  const std::vector<Token> tokens = vocabulary.tokens(line);
  if (options.json) {
    std::vector<std::int32_t> ids;
    std::vector<std::string> pieces;
    for (const Token& token : tokens) {
      ids.push_back(token.id);
      pieces.push_back(token.text);
    }
    nlohmann::ordered_json object{{"schema", 1}, {"text", line}, {"ids", ids}};
    if (!options.ids) object["pieces"] = pieces;
    return dumped(object);
  }
  std::string text;
  for (const Token& token : tokens)
    text += (text.empty() ? "" : " ") + (options.ids ? std::to_string(token.id) : token.text);
  return text + "\n";
}

/// Turns lines of pieces or ids into text.
class LineDecoder {
 public:
  LineDecoder(const Tokenizer& vocabulary, const Options& options, InputSource from)
      : vocabulary_(vocabulary), options_(options), from_(std::move(from)) {
    for (Index id = 0; !options.ids && id < vocabulary.size(); ++id)
      id_of_.emplace(vocabulary.piece(static_cast<std::int32_t>(id)),
                     static_cast<std::int32_t>(id));
    for (const std::int32_t id : {kBos, kEos})  // as they are shown
      if (!options.ids) id_of_.emplace(token_text(vocabulary, id), id);
  }

  std::string operator()(const TextLine& line) const {
    std::vector<std::int32_t> ids;
    for (const std::string& word : spaced_words(line.text))
      ids.push_back(options_.ids ? given_id(word, line.number) : id_of(word));
    const std::string text = vocabulary_.decode(ids);
    return options_.json ? dumped({{"schema", 1}, {"text", text}}) : text + "\n";
  }

 private:
  std::int32_t id_of(std::string_view piece) const {
    const auto known = id_of_.find(std::string(piece));
    return known == id_of_.end() ? kUnk : known->second;
  }
  std::int32_t given_id(std::string_view word, Index number) const {
    const std::optional<Index> id = parse_whole(word);
    if (!id || *id < 0 || *id >= vocabulary_.size())
      fail_at(from_, number, "'", word, "' is no id, expected 0 to ", vocabulary_.size() - 1);
    return static_cast<std::int32_t>(*id);
  }

  const Tokenizer& vocabulary_;
  const Options& options_;
  InputSource from_;
  std::unordered_map<std::string, std::int32_t> id_of_;
};

int run_lines(const Options& options, const Tokenizer& vocabulary) {
  const std::string input = options.inputs.empty() ? "-" : options.inputs.front();
  const InputSource from{.name = input == "-" ? "standard input" : input, .is_file = true};
  std::optional<LineDecoder> decode;
  if (options.decode) decode.emplace(vocabulary, options, from);
  Lines lines(input, kLongestLine, {}, Reading::any_text);
  while (const auto line = lines.next()) {
    if (line->too_long)
      warn(from.name, ":", line->number, ": more than ", kLongestLine,
           " bytes in a line; it counts as empty");
    write_output(decode ? (*decode)(*line) : encoded(vocabulary, line->text, options));
  }
  return 0;
}

/// Was an option given that only training has?
bool trains(const Options& options) {
  return options.out || options.type || options.size || options.min_frequency || options.joint ||
         options.lower_case || options.whole || options.overwrite;
}

/// One file without a word of training is shown; files otherwise are text, as --input names it.
Options settled(Options options) {
  const bool uses = options.show || options.encode || options.decode;
  if (!uses && !trains(options) && options.inputs.empty() && options.files.size() == 1)
    options.show = options.files.front();
  else
    options.inputs.insert(options.inputs.end(), options.files.begin(), options.files.end());
  options.files.clear();
  return options;
}

int run(const Options& given) {
  const Options options = settled(given);
  const int uses =
      options.show.has_value() + options.encode.has_value() + options.decode.has_value();
  check(uses <= 1, "give one of --show, --encode and --decode");
  check(!options.ids || options.encode || options.decode, "--ids goes with --encode or --decode");
  if (uses == 0) {
    check(!options.inputs.empty(),
          "vocab needs a vocabulary to show, text and --out to train one, "
          "or --encode or --decode");
    return train(options);
  }
  check(!options.out && !options.type && !options.size,
        "--out, --type and --size only apply to training a vocabulary");
  check(!options.joint && !options.lower_case && !options.whole && !options.min_frequency &&
            !options.overwrite,
        "--joint, --lowercase, --no-split-punctuation, --min-frequency and --overwrite only "
        "apply to training");
  check(!options.show || options.inputs.empty(), "--show takes a vocabulary and no text");
  check(options.inputs.size() <= 1, options.encode ? "--encode" : "--decode",
        " takes one text at a time, got ", options.inputs.size());
  if (options.show) return show(options);
  return run_lines(options, *load_vocabulary(options.encode ? *options.encode : *options.decode));
}

void declare(CLI::App& app, Options& options) {
  constexpr Index kMax = 1 << 24;
  const std::string group = "Training", use = "Use";
  add_words(app, {"files", "FILE..", "a vocabulary to show, or text"}, options.files);
  add_list(app, {"-i,--input", "FILE..", "text: to build one vocabulary from, to encode or decode"},
           options.inputs);
  add_option(app, {"--size", "N", "vocabulary size (default: 8000)", group}, {5, kMax},
             options.size);
  add_option(app, {"--type", "NAME", "bpe (default), unigram or words", group}, options.type);
  add_option(app, {"--min-frequency", "N", "words: rarer ones become <unk> (default: 2)", group},
             {1, kMax}, options.min_frequency);
  add_flag(app, {"--lowercase", "", "words: convert to lower case", group}, options.lower_case);
  add_flag(app, {"--no-split-punctuation", "", "words: cut at spaces only", group}, options.whole);
  add_option(app, {"-o,--out", "FILE", "the vocabulary to write", group}, options.out);
  add_flag(app, {"--overwrite", "", "replace an existing file", group}, options.overwrite);
  add_flag(app, {"--joint", "", "no effect: files always share one vocabulary", group},
           options.joint);
  add_option(app, {"--show", "FILE", "type, size and first pieces of a vocabulary", use},
             options.show);
  add_option(app, {"--encode", "FILE", "encode lines with this vocabulary", use}, options.encode);
  add_option(app, {"--decode", "FILE", "decode pieces with this vocabulary", use}, options.decode);
  add_flag(app, {"--ids", "", "token IDs instead of pieces", use}, options.ids);
  add_flag(app,
           {"--json", "",
            "one JSON object; --show: with all pieces;\n--encode, --decode: one per line", use},
           options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command vocab{
    .name = "vocab",
    .summary = "train, show or try a vocabulary of subwords or words",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
