#include "regard/cli/inspect/sentences.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/batch/lines.h"
#include "regard/tokens/sentences.h"

namespace regard {
namespace {

constexpr std::size_t kLargestInput = std::size_t{1} << 20;

std::string one_sentence(const std::vector<std::string>& words) {
  if (!words.empty() && words != std::vector<std::string>{"-"}) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }
  check(words.size() == 1 || !isatty(STDIN_FILENO),
        "no text to inspect; write it after the options, in quotes, or pipe it in");
  std::string text = read_file("-", kLargestInput);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const auto more = std::ranges::count(text, '\n');
  if (more > 0)
    fail(Fault::input, "standard input:2: got ", more + 1,
         " lines; to inspect each of them give --input -");
  return text;
}

}  // namespace

Sentences sentences_of(const std::vector<std::string>& words,
                       const std::optional<std::string>& input) {
  if (!input) return {.texts = {one_sentence(words)}, .file = {}};
  check(words.empty(), "the text is given twice: by --input and after the options");
  check(!input->empty(), "--input needs the name of a file");
  Sentences all{.texts = {}, .file = *input == "-" ? "standard input" : *input};
  Lines lines(*input);
  while (const auto line = lines.next()) {
    if (line->too_long)
      fail(Blame(Fault::input).at(all.file, line->number), all.file, ":", line->number,
           ": a line of more than ", Lines::kMaxBytes, " bytes; is this text?");
    all.texts.emplace_back(line->text);
  }
  if (all.texts.empty()) fail(Blame(Fault::input).at(all.file), all.file, ": no lines to inspect");
  return all;
}

Sentences for_page(Sentences sentences) {
  if (sentences.many()) return sentences;
  const std::string text = std::exchange(sentences.texts.front(), {});
  const std::vector<SentenceRange> ranges = split_sentences(text);
  sentences.texts.front() = ranges.size() > 1 ? std::string(ranges.front().of(text)) : text;
  if (ranges.size() > 1)
    warn("the text has ", ranges.size(), " sentences, and --html saves one: the first; to save ",
         "each, put them on lines of a file and give it with --input FILE");
  return sentences;
}

void fail_in(const Sentences& sentences, std::size_t number, const Error& error) {
  if (!sentences.many()) throw error;
  const auto line = static_cast<Index>(number);
  throw Error(error.fault, sentences.file + ":" + std::to_string(number) + ": " + error.what(),
              error.file, error.line, {sentences.file, line});
}

}  // namespace regard
