#include "regard/batch/builtin/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/batch/corpus.h"
#include "regard/batch/pair_filter.h"
#include "regard/cli/command.h"
#include "regard/cli/options.h"
#include "regard/cli/output_file.h"
#include "regard/cli/output_folder.h"
#include "regard/cli/standard_output.h"
#include "regard/config/field_ref.h"
#include "regard/viewer/text.h"

namespace regard::commands {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::optional<std::string> split, out, from, to, max_words, max_ratio, on_bad_line;
  std::optional<Index> pairs, seed;
  bool check_only = false, json = false, overwrite = false;
};

constexpr const char* kFooter =
    R"(The built-in corpus is English and French by a grammar, with gold word alignments. Files may be two
that are aligned line by line, or one that is TSV, PO or TMX; gzip is fine.

Examples:
  regard corpus builtin:en-fr --split train --pairs 50000 --seed 1 --out data
      writes data/train.en, data/train.fr and data/train.align
  regard corpus builtin:en-fr --split test --pairs 10
      shows ten pairs: English, French, alignment
  regard corpus train.en train.de --check
      counts the pairs of your own files, and what training would leave out
  regard corpus memory.tmx --from en --to de --out data
      writes what is kept: data/kept.en and data/kept.de; of a TSV with word alignments in
      every line kept.align too)";

/// The files of a folder that a corpus is written to, and what goes into each.
struct Side {
  std::string name, content;
};

std::vector<Side> sides(const std::string& name, const std::vector<std::string>& languages,
                        const std::vector<Pair>& pairs) {
  std::vector<Side> all;
  for (const std::string& language : languages) all.push_back({name + "." + language, ""});
  for (const Pair& pair : pairs) {
    all[0].content += pair.source + "\n";
    all[1].content += pair.target + "\n";
    if (all.size() > 2) all[2].content += pair.alignment + "\n";
  }
  return all;
}

void check_free(const Options& options, const std::vector<Side>& files) {
  std::vector<OutputFile> outputs;
  for (const Side& file : files) outputs.push_back({"--out", *options.out + "/" + file.name});
  check_outputs(outputs, options.paths, options.overwrite);
}

void write(const Options& options, const std::vector<Side>& files) {
  std::vector<std::string> names;
  for (const Side& file : files) names.push_back(file.name);
  OutputFolder folder(*options.out, names);
  for (const Side& file : files) write_file(folder.draft() + "/" + file.name, file.content);
  folder.publish(options.overwrite);
}

Split split_of(const Options& options) {
  const std::string asked = options.split.value_or("train");
  constexpr std::string_view kNames[]{"train", "valid", "test"};
  for (const Split split : {Split::train, Split::valid, Split::test})
    if (name(split) == asked) return split;
  fail(Fault::usage, "--split is '", asked, "'", known_values(asked, kNames));
}

int write_builtin(const Options& options) {
  const Split split = split_of(options);
  const Index most = max_builtin_pairs(split);
  const Index pairs = options.pairs.value_or(split == Split::train ? 50000 : 1000);
  check(pairs <= most, "--pairs is ", pairs, ", but the ", name(split), " split has at most ",
        most);
  check(!options.check_only && !options.from && !options.to && !options.max_words &&
            !options.max_ratio && !options.on_bad_line,
        "--check, --from, --to, --max-words, --max-ratio and --on-bad-line are about files of ",
        "your own");
  const std::vector<std::string> languages{"en", "fr", "align"};
  if (options.out) check_free(options, sides(std::string(name(split)), languages, {}));
  const std::vector<Pair> made =
      builtin_en_fr({.split = split,
                     .pairs = pairs,
                     .seed = static_cast<std::uint64_t>(options.seed.value_or(1))});
  if (options.out) {
    write(options, sides(std::string(name(split)), languages, made));
    return 0;
  }
  std::string text;
  for (const Pair& pair : made)
    text += options.json ? nlohmann::ordered_json{{"schema", 1},
                                                  {"source", pair.source},
                                                  {"target", pair.target},
                                                  {"alignment", pair.alignment}}
                                   .dump() +
                               "\n"
                         : pair.source + "\t" + pair.target + "\t" + pair.alignment + "\n";
  write_output(text);
  return 0;
}

Filters filters_of(const Options& options) {
  Filters filters;
  const std::vector<FieldRef> fields = fields_of(filters);
  const auto set = [&](const char* flag, const char* key, const std::optional<std::string>& text) {
    if (!text) return;
    const auto problem = assign_text(*find(fields, key), *text);
    check(!problem, flag, " is '", *text, "': ", problem.value_or(""));
  };
  set("--max-words", "max_words", options.max_words);
  set("--max-ratio", "max_ratio", options.max_ratio);
  set("--on-bad-line", "on_bad_line", options.on_bad_line);
  return filters;
}

int read_own(const Options& options) {
  check(!options.split && !options.pairs && !options.seed,
        "--split, --pairs and --seed only apply to ", kBuiltinEnFr);
  std::vector<std::string> languages{options.from.value_or("source"), options.to.value_or("target"),
                                     "align"};
  const bool writes = options.out && !options.check_only;
  if (writes) check_free(options, sides("kept", languages, {}));
  CorpusReport report;
  const std::vector<Pair> pairs =
      read_corpus({options.paths, options.from.value_or(""), options.to.value_or("")},
                  filters_of(options), report);
  const bool aligned =
      std::ranges::all_of(pairs, [](const Pair& pair) { return !pair.alignment.empty(); });
  if (!aligned) languages.pop_back();
  if (writes) write(options, sides("kept", languages, pairs));
  Index source_words = 0, target_words = 0;
  for (const Pair& pair : pairs) {
    source_words += count_words(pair.source);
    target_words += count_words(pair.target);
  }
  if (options.json)
    write_output(nlohmann::ordered_json{{"schema", 1},
                                        {"read", report.read},
                                        {"kept", report.kept},
                                        {"dropped", report.dropped},
                                        {"errors", report.first_errors},
                                        {"source_words", source_words},
                                        {"target_words", target_words}}
                     .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                 "\n");
  else
    write_output(fmt::format("{}\nwords: {} and {}, {:.1f} and {:.1f} a sentence\n",
                             visible(report.text()), source_words, target_words,
                             static_cast<double>(source_words) / static_cast<double>(report.kept),
                             static_cast<double>(target_words) / static_cast<double>(report.kept)));
  return 0;
}

int run(const Options& options) {
  check(!options.paths.empty(), "corpus needs ", kBuiltinEnFr, ", or one or two files");
  check(!options.out || !options.out->empty(), "--out needs the name of a folder");
  if (is_builtin(options.paths.front())) {
    check(options.paths.size() == 1, kBuiltinEnFr, " is a corpus by itself; leave the rest out");
    return write_builtin(options);
  }
  check(options.paths.size() <= 2, "corpus takes one file or two, got ", options.paths.size());
  return read_own(options);
}

void declare(CLI::App& app, Options& options) {
  constexpr Index kMax = 1'000'000'000;
  add_words(app, {"files", "FILE..", "builtin:en-fr, or files of parallel text"}, options.paths);
  const std::string group = "Built-in corpus", own = "Your own files", output = "Output";
  add_option(app, {"--split", "NAME", "train (default), valid or test", group}, options.split);
  add_option(app, {"--pairs", "N", "how many (default: 50000, or 1000 to test)", group}, {1, kMax},
             options.pairs);
  add_option(app, {"--seed", "N", "other seeds, other sentences (default: 1)", group}, {0, kMax},
             options.seed);
  add_flag(app, {"--check", "", "only count", own}, options.check_only);
  add_option(app, {"--from", "LANG", "language of the source, as in en", own}, options.from);
  add_option(app, {"--to", "LANG", "language of the target, as in de", own}, options.to);
  add_option(app, {"--max-words", "N", "of a sentence (default: 250)", own}, options.max_words);
  add_option(app, {"--max-ratio", "X", "of words of the two sides (default: 9)", own},
             options.max_ratio);
  add_option(app, {"--on-bad-line", "skip|stop", "at a malformed line (default: skip)", own},
             options.on_bad_line);
  add_option(app, {"-o,--out", "DIR", "write files into this folder", output}, options.out);
  add_flag(app, {"--overwrite", "", "replace existing files", output}, options.overwrite);
  add_flag(app, {"--json", "", "one JSON object, or one per pair", output}, options.json);
  add_footer(app, kFooter);
}

}  // namespace

extern const Command corpus{
    .name = "corpus",
    .summary = "write the built-in corpus, or check files of your own",
    .prepare = [](CLI::App& app) -> Command::Action {
      auto options = std::make_shared<Options>();
      declare(app, *options);
      return [options](const Settings&) { return run(*options); };
    },
};

}  // namespace regard::commands
