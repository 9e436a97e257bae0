#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/generate/continued.h"
#include "regard/cli/line_output.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/source.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/cli/translate/waiting_lines.h"
#include "regard/cli/unknown_report.h"
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/model/architecture.h"
#include "regard/trace/trace_json.h"

namespace regard::commands {
namespace {

constexpr std::size_t kBlock = 64;  // prompts at a time

struct Options {
  ModelOption model{.hint = {.flags = "--arch language ",
                             .text = "TEXT",
                             .builtin = "builtin:en",
                             .folder = "runs/writer"}};
  DecodeOptions decode;
  std::optional<std::string> prompt, input, output;
  bool scores = false, json = false, overwrite = false;
};

constexpr const char* kFooter =
    R"(Continues a text with a model of architecture language: the prompt as it was typed, then what the
model adds. The likeliest continuation is searched for; --sample draws one instead. What is drawn
follows --seed and the number of the line, so the same prompt on another line goes on differently.
--max-length counts the tokens of the prompt too. With --input every line of a file is a prompt, and
gives one line; without --prompt and --input so does every line of standard input.

Examples:
  regard generate --model runs/writer --prompt "The old king"
  regard generate --model runs/writer --prompt "The old king" --sample --temperature 0.8 --seed 3
  regard generate --model runs/writer --prompt "The old king" --sample --n-best 5
  regard generate --model runs/writer --input prompts.txt --json -o texts.jsonl)";

/// A text to continue.
struct Prompt {
  std::string text;
  std::vector<std::int32_t> ids{};
  std::vector<UnknownText> unknown{};
};

/// Refuses a prompt that no token can follow.
void check_room(const ModelSpec& spec, Index tokens, Index max_length, const InputSource& from,
                Index line) {
  if (max_output_tokens(spec, tokens + 1) <= tokens)
    fail_at(from, line, "a prompt of ", tokens,
            " tokens leaves no room for another: the model has only ", max_positions(spec),
            " positions, one of them for the end; shorten it");
  if (max_length <= tokens)
    fail_at(from, line, "a prompt of ", tokens, " tokens leaves no room for another: --max-length ",
            max_length, " counts them too; shorten it or raise --max-length");
}

Prompt prompt_of(const ModelInfo& info, Index max_length, const std::string& text,
                 const InputSource& from, Index line) {
  Prompt prompt{text};
  const std::vector<Token> tokens = info.target->tokens(text);
  if (tokens.empty()) fail_at(from, line, "empty prompt; give the words that the text begins with");
  prompt.unknown = unknown_text(*info.target, text, tokens);
  for (const Token& token : tokens) prompt.ids.push_back(token.id);
  check_room(info.spec, static_cast<Index>(tokens.size()), max_length, from, line);
  return prompt;
}

using Json = nlohmann::ordered_json;

void describe(Json& object, const Prompt& prompt, const Hypothesis& found,
              const Tokenizer& tokenizer) {
  Json pieces = Json::array();
  for (const std::int32_t id : found.ids) pieces.push_back(tokenizer.piece(id));
  const auto [text, continuation] = continued(prompt.text, prompt.ids.size(), found.ids, tokenizer);
  object["text"] = text;
  object["continuation"] = continuation;
  object["score"] = found.score;
  object["log_probability"] = found.log_probability;
  object["tokens"] = std::move(pieces);
  object["token_log_probabilities"] = found.token_log_probabilities;
  object["finished"] = found.finished;
}

std::string as_json(const Prompt& prompt, const std::vector<Hypothesis>& best,
                    const Tokenizer& tokenizer, bool n_best) {
  Json object{{"schema", 1},
              {"prompt", prompt.text},
              {"prompt_tokens", prompt.ids.size()},
              {"unknown", unknown_json(prompt.unknown)}};
  describe(object, prompt, best.front(), tokenizer);
  if (n_best) {
    Json& all = object["hypotheses"] = Json::array();
    for (const Hypothesis& each : best)
      describe(all.emplace_back(Json::object()), prompt, each, tokenizer);
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// One line for each text of the prompt's; numbered as Moses does where there are several.
std::string shown(const Prompt& prompt, const std::vector<Hypothesis>& best, Index number,
                  const Tokenizer& tokenizer, const Options& options, bool n_best) {
  if (options.json) return as_json(prompt, best, tokenizer, n_best);
  std::string lines;
  for (const Hypothesis& each : best) {
    const std::string text =
        on_a_line(continued(prompt.text, prompt.ids.size(), each.ids, tokenizer).text);
    if (n_best)
      lines += fmt::format("{} ||| {} ||| {:.4f}\n", number, text, each.score);
    else if (options.scores)
      lines += fmt::format("{}\t{:.4f}\n", text, each.score);
    else
      lines += text + "\n";
    if (!n_best) break;
  }
  return lines;
}

LoadedModel open_writer(const ModelOption& option) {
  LoadedModel loaded = open_kind<SequenceModel>(option);
  if (reads_source(loaded.info.spec))
    fail(Blame(Fault::usage).at(*option.folder), *option.folder, ": a model of architecture ",
         loaded.info.spec.architecture,
         translates(loaded.info.spec) ? " translates" : " does not continue a text",
         "; use: regard ", find_architecture(loaded.info.spec.architecture).command, " --model ",
         *option.folder, ", or train a model that writes: regard train --arch language");
  return loaded;
}

int run(const Options& options) {
  const bool asks = options.prompt || options.input;
  check(asks ? !options.prompt || !options.input : !isatty(STDIN_FILENO),
        "generate needs --prompt TEXT, or --input FILE of prompts, and not both");
  const std::string input = named_input(std::nullopt, options.input);
  DecodeSpec decode = decode_spec(options.decode);
  decode.max_ratio = 0;  // there is no source to be as long as
  const std::string output = options.output.value_or("-");
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), {options.prompt ? "" : input, options.decode.config.value_or("")});
  check_outputs({{"--output", output}}, inputs, options.overwrite);
  const LoadedModel model = open_writer(options.model);
  const Tokenizer& tokenizer = *model.info.target;
  decode.max_length = max_output_tokens(model.info.spec, decode.max_length);
  const InputSource from = options.prompt
                               ? InputSource{"--prompt", false}
                               : InputSource{input == "-" ? "standard input" : input, true};
  const StopSignal signals;
  LineOutput out(output, if_there(options.overwrite));
  UnknownReport unknown(tokenizer, "model's");
  Index number = 0;
  const auto continue_all = [&](std::span<const std::string> lines) {
    std::vector<Prompt> prompts;
    std::vector<std::vector<std::int32_t>> prefixes;
    std::vector<SourcePlace> places;
    std::exception_ptr fault;  // told when the prompts before it are continued
    for (const std::string& line : lines) try {
        ++number;
        prompts.push_back(prompt_of(model.info, decode.max_length, line, from, number));
        unknown.add(options.prompt ? 0 : number, prompts.back().unknown);
        prefixes.push_back(prompts.back().ids);
        places.push_back({.line = number - 1});
      } catch (const Error&) {
        fault = std::current_exception();
        break;
      }
    const std::vector<std::vector<std::int32_t>> sources(prompts.size(), {kEos});
    translate(*model.model, sources, decode,
              {.prefixes = prefixes,
               .places = places,
               .done = [&](Index i, const std::vector<Hypothesis>& best) {
                 const auto at = static_cast<std::size_t>(i);
                 out.write(shown(prompts[at], best, places[at].line, tokenizer, options,
                                 decode.n_best > 1));
               }});
    if (!fault) return;
    unknown.tell();
    std::rethrow_exception(fault);
  };
  if (options.prompt)
    continue_all(std::span(&*options.prompt, 1));
  else
    each_block(input, kBlock, continue_all);
  unknown.tell();
  return out.end();
}

void declare(CLI::App& app, Options& options) {
  declare(app, options.model);
  add_option(app, {"-p,--prompt", "TEXT", "what the text begins with"}, options.prompt);
  declare(app, options.decode, "prompts");
  const std::string group = "Input and output";
  add_option(app, {"-i,--input", "FILE", "prompts, one per line (default: standard input)", group},
             options.input);
  add_option(app, {"-o,--output", "FILE", "output file (default: standard output)", group},
             options.output);
  add_flag(app, {"--overwrite", "", "replace an existing output", group}, options.overwrite);
  add_flag(app, {"--scores", "", "add a tab and the score", group}, options.scores);
  add_flag(app, {"--json", "", "one JSON object per prompt", group}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command generate{
    .name = "generate",
    .summary = "continue a text",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
