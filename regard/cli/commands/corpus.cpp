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
#include "regard/cli/corpus/scene_files.h"
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
    R"(The built-in corpus is English and French by a grammar, with gold word alignments; builtin:en is its
English side alone. builtin:kinds are its sentences with what each is about (person, people, animal,
animals, thing, things), as texts and labels. builtin:scenes is pictures of one to three shapes, 64 x
64 pixels, with a caption in English and in French and the box of the object that each word names; every second scene
of its test split holds a pair of shape and colour that the other splits never show. builtin:shapes is
such pictures with a label each, the shape of the largest object; of every second one of its test split
that object is such a pair. Files of your own
may be two that are aligned line by line, or one that is TSV, PO or TMX; gzip is fine. One that is
none of these is counted as a text alone.

Examples:
  regard corpus builtin:en-fr --split train --pairs 50000 --seed 1 --out data
      writes data/train.en, data/train.fr and data/train.align
  regard corpus builtin:en-fr --split test --pairs 10
      shows ten pairs: English, French, alignment
  regard corpus builtin:en --split test --pairs 10
      shows ten sentences
  regard corpus builtin:kinds --split test --out data
      writes data/test.tsv: a text, a tab and its label on each line
  regard corpus builtin:scenes --split test --pairs 100 --out data
      writes data/test/000000.png and so on, data/test.en.tsv and data/test.fr.tsv with the captions
      (path, tab, caption), and data/test.boxes.jsonl with objects and boxes, one scene per line
  regard corpus builtin:shapes --split test --pairs 100 --out data
      the same with labels: data/test.tsv has path, tab and label
  regard corpus train.en train.de --check
      counts the pairs of your own files, and what training would leave out
  regard corpus text.en --check
      counts the lines of a text alone
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
    if (all.size() == 1) {
      all[0].content += pair.target + "\n";
      continue;
    }
    all[0].content += pair.source + "\n";
    all[1].content += pair.target + "\n";
    if (all.size() > 2) all[2].content += pair.alignment + "\n";
  }
  return all;
}

/// A line of standard output, as the files of the corpus have it; with `json` an object.
std::string shown(PairKind kind, const Pair& pair, bool json) {
  using Json = nlohmann::ordered_json;
  switch (kind) {
    case PairKind::text:
      return json ? Json{{"schema", 1}, {"text", pair.target}}.dump() + "\n" : pair.target + "\n";
    case PairKind::label:
      return json ? Json{{"schema", 1}, {"text", pair.source}, {"label", pair.target}}.dump() + "\n"
                  : pair.source + "\t" + pair.target + "\n";
    case PairKind::translation:
      return json ? Json{{"schema", 1},
                         {"source", pair.source},
                         {"target", pair.target},
                         {"alignment", pair.alignment}}
                            .dump() +
                        "\n"
                  : pair.source + "\t" + pair.target + "\t" + pair.alignment + "\n";
  }
  fail(Fault::bug, "pairs of no kind");
}

/// The files of a split: a language each, or one of texts and their labels.
std::vector<Side> builtin_sides(const BuiltinCorpus& corpus, const std::string& split,
                                const std::vector<Pair>& pairs) {
  if (corpus.holds != PairKind::label) {
    std::vector<std::string> languages{std::string(corpus.target)};
    if (corpus.is_parallel()) languages = {std::string(corpus.source), languages.front(), "align"};
    return sides(split, languages, pairs);
  }
  Side file{split + ".tsv", ""};
  for (const Pair& pair : pairs) file.content += shown(corpus.holds, pair, false);
  return {file};
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

/// How many pairs of a built-in corpus are wanted.
Index pairs_of(const Options& options, Split split, Index usual, Index most) {
  const Index pairs = options.pairs.value_or(usual);
  check(pairs <= most, "--pairs is ", pairs, ", but the ", name(split), " split has at most ",
        most);
  check(!options.check_only && !options.from && !options.to && !options.max_words &&
            !options.max_ratio && !options.on_bad_line,
        "--check, --from, --to, --max-words, --max-ratio and --on-bad-line are about files of ",
        "your own");
  return pairs;
}

int write_builtin_scenes(const PictureCorpus& corpus, const Options& options,
                         const Settings& settings) {
  const Split split = split_of(options);
  const ScenesRequest request{
      .corpus = corpus,
      .spec = {.split = split, .seed = static_cast<std::uint64_t>(options.seed.value_or(1))},
      .count = pairs_of(options, split, scenes::usual_scenes(split), scenes::kMaxScenes)};
  if (options.out) return write_scenes(request, *options.out, options.overwrite, settings);
  show_scenes(request, options.json);
  return 0;
}

int write_builtin(const BuiltinCorpus& corpus, const Options& options) {
  const Split split = split_of(options);
  const Index pairs =
      pairs_of(options, split, split == Split::train ? BuiltinSpec().pairs : corpus.held_out_pairs,
               corpus.max_pairs(split));
  const std::string name_of_split(name(split));
  if (options.out) check_free(options, builtin_sides(corpus, name_of_split, {}));
  const std::vector<Pair> made =
      corpus.make({.split = split,
                   .pairs = pairs,
                   .seed = static_cast<std::uint64_t>(options.seed.value_or(1))});
  if (options.out) {
    write(options, builtin_sides(corpus, name_of_split, made));
    return 0;
  }
  std::string text;
  for (const Pair& pair : made) text += shown(corpus.holds, pair, options.json);
  write_output(text);
  return 0;
}

Filters filters_of(const Options& options) {
  Filters filters;
  const std::vector<FieldRef> fields = fields_of(filters);
  const auto set = [&](const char* flag, const char* key, const std::optional<std::string>& text) {
    if (!text) return;
    const auto problem = assign_text(*find(fields, key), *text);
    check(!problem, flag, " is '", *text, "', ", problem.value_or(""));
  };
  set("--max-words", "max_words", options.max_words);
  set("--max-ratio", "max_ratio", options.max_ratio);
  set("--on-bad-line", "on_bad_line", options.on_bad_line);
  return filters;
}

int read_own(const Options& options) {
  check(!options.split && !options.pairs && !options.seed,
        "--split, --pairs and --seed only apply to a built-in corpus");
  std::vector<std::string> languages{options.from.value_or("source"), options.to.value_or("target"),
                                     "align"};
  const bool writes = options.out && !options.check_only;
  if (writes) check_free(options, sides("kept", languages, {}));
  CorpusReport report;
  const std::vector<Pair> pairs = read_corpus({.paths = options.paths,
                                               .from = options.from.value_or(""),
                                               .to = options.to.value_or(""),
                                               .or_text = !writes},
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
  const bool parallel = report.what == "pair";
  if (options.json) {
    nlohmann::ordered_json object{{"schema", 1},
                                  {"read", report.read},
                                  {"kept", report.kept},
                                  {"dropped", report.dropped},
                                  {"errors", report.first_errors}};
    if (parallel) object["source_words"] = source_words;
    object[parallel ? "target_words" : "words"] = target_words;
    write_output(object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                 "\n");
    return 0;
  }
  const auto each = [&](Index words) {
    return static_cast<double>(words) / static_cast<double>(report.kept);
  };
  write_output(
      visible(report.text()) + "\n" +
      (parallel ? fmt::format("words: {} and {}, {:.1f} and {:.1f} per sentence\n", source_words,
                              target_words, each(source_words), each(target_words))
                : fmt::format("words: {}, {:.1f} per line\n", target_words, each(target_words))));
  return 0;
}

int run(const Options& options, const Settings& settings) {
  check(!options.paths.empty(), "corpus needs ", kBuiltinEnFr, ", or one or two files");
  check(!options.out || !options.out->empty(), "--out needs the name of a folder");
  if (const PictureCorpus* pictures = find_picture_corpus(options.paths.front())) {
    check(options.paths.size() == 1, pictures->name, " is a corpus by itself; leave the rest out");
    return write_builtin_scenes(*pictures, options, settings);
  }
  if (const BuiltinCorpus* builtin = find_builtin(options.paths.front())) {
    check(options.paths.size() == 1, builtin->name, " is a corpus by itself; leave the rest out");
    return write_builtin(*builtin, options);
  }
  check(options.paths.size() <= 2, "corpus takes one file or two, got ", options.paths.size());
  return read_own(options);
}

void declare(CLI::App& app, Options& options) {
  constexpr Index kMax = 1'000'000'000;
  add_words(app, {"files", "FILE..", "a built-in corpus, or files of parallel text"},
            options.paths);
  const std::string group = "Built-in corpus", own = "Your own files", output = "Output";
  add_option(app, {"--split", "NAME", "train (default), valid or test", group}, options.split);
  add_option(
      app,
      {"--pairs", "N",
       "pairs to write (default: 50000, of pictures 20000;\n1000 for valid and test)", group},
      {1, kMax}, options.pairs);
  add_option(app, {"--seed", "N", "random seed (default: 1)", group}, {0, kMax}, options.seed);
  add_flag(app, {"--check", "", "count pairs, write nothing", own}, options.check_only);
  add_option(app, {"--from", "LANG", "language of the source, as in en", own}, options.from);
  add_option(app, {"--to", "LANG", "language of the target, as in de", own}, options.to);
  add_option(app, {"--max-words", "N", "maximum words per sentence (default: 250)", own},
             options.max_words);
  add_option(app,
             {"--max-ratio", "X", "maximum length ratio, longer to shorter side (default: 9)", own},
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
      return [options](const Settings& settings) { return run(*options, settings); };
    },
};

}  // namespace regard::commands
