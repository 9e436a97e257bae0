#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "regard/backend/cpu/cpu.h"
#include "regard/base/check.h"
#include "regard/cli/command.h"
#include "regard/cli/for_shell.h"
#include "regard/cli/line_output.h"
#include "regard/cli/model_option.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/shipped_model.h"
#include "regard/cli/stop_signal.h"
#include "regard/cli/translate/decode_options.h"
#include "regard/cli/translate/line_report.h"
#include "regard/cli/translate/show.h"
#include "regard/cli/translate/waiting_lines.h"

namespace regard::commands {
namespace {

constexpr std::size_t kBlock = 512;  // lines at a time for a core

struct Options {
  ModelOption model;
  DecodeOptions decode;
  std::optional<std::string> file, input, output, prefix, alignment;
  bool split = false;
  bool scores = false, json = false, overwrite = false, interactive = false;
};

constexpr const char* kFooter =
    R"(One line of text gives one line of translation, always: an empty line an empty one. Input may be
gzip. With --n-best N a line gives up to N, as Moses writes them: number ||| translation ||| score.
With --split a line may hold several sentences: they are translated one by one and joined with the
spaces of the line. Words that the model does not know are named in a warning at the end.

Examples:
  echo 'The black cat sleeps.' | regard translate --model runs/demo
  regard translate --model runs/demo test.en --alignment --scores
  regard translate --model runs/demo --split letter.txt
  regard translate --model runs/demo --n-best 3 --json -i test.en.gz -o test.fr.jsonl
  echo 'I am home.' | regard translate --model runs/demo --sample --temperature 0.8 --seed 7)";

void declare(CLI::App& app, Options& options) {
  add_word(app, {"file", "FILE", "text to translate (default: standard input)"}, options.file);
  declare_or_shipped(app, options.model);
  declare(app, options.decode);
  add_option(app, {"--prefix", "TEXT", "forced target prefix", "Search"}, options.prefix);
  const std::string group = "Input and output";
  add_option(app, {"-i,--input", "FILE", "text to translate, same as FILE", group}, options.input);
  add_option(app, {"-o,--output", "FILE", "output file (default: standard output)", group},
             options.output);
  add_flag(app, {"--split", "", "translate each sentence of a line by itself", group},
           options.split);
  add_flag(app, {"--overwrite", "", "replace an existing output", group}, options.overwrite);
  add_flag(app, {"--scores", "", "add a tab and the score", group}, options.scores);
  add_optional(
      app,
      {"--alignment", "[moses|soft]",
       "add a tab and which words correspond: 0-0 1-2;\nsoft: the weights, as JSON", group},
      "moses", options.alignment);
  add_flag(app, {"--json", "", "one JSON object per line", group}, options.json);
  add_flag(app, {"--interactive", "", "translate each line before reading the next", group},
           options.interactive);
  add_footer(app, kFooter);
}

/// Lines at a time. At the end of a block all cores wait for the last one, so more cores get larger
/// blocks; less so with many translations of each line, as those of a block are kept until then.
std::size_t lines_of_a_block(const Options& options, const DecodeSpec& decode) {
  if (options.interactive) return 1;
  return kBlock *
         static_cast<std::size_t>(std::max<Index>(1, Cpu::get().concurrency() / decode.n_best));
}

/// Thrown past the search when a signal came; never leaves this file.
struct Stopped {};

bool is_alignment(std::string_view value) {
  return value == "moses" || value == "soft";
}

/// "--alignment test.en": the value was left out, and FILE follows.
void take_file_of_alignment(Options& options) {
  struct stat about {};
  if (!options.file && options.alignment && !is_alignment(*options.alignment) &&
      ::stat(options.alignment->c_str(), &about) == 0)
    options.file = std::exchange(options.alignment, "moses");
}

ShowSpec show_spec(const Options& options, const DecodeSpec& decode) {
  check(!options.alignment || is_alignment(*options.alignment), "--alignment is '",
        options.alignment.value_or(""), "', expected moses or soft");
  return {.json = options.json,
          .scores = options.scores,
          .links = options.alignment == "moses",
          .soft = options.alignment == "soft",
          .n_best = decode.n_best > 1,
          .split = options.split};
}

/// Text in place of a file is a common mistake; a name with a space is probably one.
void check_no_text(const std::string& file, const std::optional<std::string>& model) {
  struct stat about {};
  if (file.find(' ') == file.npos || ::stat(file.c_str(), &about) == 0) return;
  const int why = errno;
  if (why != ENOENT && why != ENOTDIR && why != ENAMETOOLONG) return;
  fail(Blame(Fault::input).at(file), file, ": cannot open: ", std::strerror(why),
       "; to translate a text, pipe it: echo ", for_shell(file), " | regard translate",
       model ? " --model " + for_shell(*model) : "");
}

int run(const Options& options) {
  const DecodeSpec decode = decode_spec(options.decode);
  const ShowSpec show = show_spec(options, decode);
  const std::string input = named_input(options.file, options.input);
  const std::string output = options.output.value_or("-");
  std::vector<std::string> inputs = model_files(options.model);
  inputs.insert(inputs.end(), {input, options.decode.config.value_or("")});
  check_outputs({{"--output", output}}, inputs, options.overwrite);
  const LoadedModel model = open_translator(options.model);
  LineTranslator translate(model, {.decode = decode,
                                   .align = show.links || show.soft,
                                   .soft = show.soft,
                                   .split = options.split,
                                   .prefix = options.prefix.value_or("")});
  const StopSignal signals;
  LineOutput out(output, if_there(options.overwrite),
                 options.interactive ? Pace::at_once : Pace::usual);
  LineReport report(*model.info.source);
  Index number = 0;
  try {
    each_block(input, lines_of_a_block(options, decode), [&](std::span<const std::string> lines) {
      translate(lines, [&](const TranslatedLine& line) {
        out.write(shown(line, number++, *model.info.target, show));
        report.add(number, line);
        if (options.interactive) report.tell();
        if (StopSignal::caught() != 0) throw Stopped();
      });
    });
  } catch (const Stopped&) {
    // What is done is kept below.
  }
  report.tell();
  return out.end();
}

}  // namespace

extern const Command translate{
    .name = "translate",
    .summary = "translate text, line by line",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings& settings) {
        take_file_of_alignment(*options);
        if (options->file) check_no_text(*options->file, options->model.folder);
        take_shipped_model(options->model, settings);
        return run(*options);
      };
    },
};

}  // namespace regard::commands
