#include "regard/tokens/words.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "regard/base/check.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr std::string_view kSpecialWords[] = {"<pad>", "<bos>", "<eos>", "<unk>"};
constexpr std::string_view kPunctuation = ".,!?;:";

bool is_special(std::string_view word) {
  return std::ranges::find(kSpecialWords, word) != std::end(kSpecialWords);
}

struct Settings {
  bool lower_case = false;
  bool split_punctuation = false;
};

/// A word of a normalised text, where it stands and between which spaces.
struct Part {
  std::string_view text;
  Index start, word;
};

void add_parts(std::string_view word, Part at, bool split, std::vector<Part>& parts) {
  std::size_t front = 0, back = word.size();
  if (split) {
    while (front < back && kPunctuation.find(word[front]) != std::string_view::npos) ++front;
    while (back > front && kPunctuation.find(word[back - 1]) != std::string_view::npos) --back;
  }
  const auto add = [&](std::size_t begin, std::size_t end) {
    parts.push_back(
        {word.substr(begin, end - begin), at.start + static_cast<Index>(begin), at.word});
  };
  for (std::size_t i = 0; i < front; ++i) add(i, i + 1);
  if (front < back) add(front, back);
  for (std::size_t i = back; i < word.size(); ++i) add(i, i + 1);
}

/// REQUIRES text normalised.
std::vector<Part> parts_of(std::string_view text, const Settings& settings) {
  std::vector<Part> parts;
  Index word = 0;
  for (std::size_t start = 0; start < text.size(); ++word) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    add_parts(text.substr(start, end - start),
              {.text = {}, .start = static_cast<Index>(start), .word = word},
              settings.split_punctuation, parts);
    start = end + 1;
  }
  return parts;
}

class WordTokenizer final : public Tokenizer {
 public:
  /// REQUIRES the specials first and no word twice.
  WordTokenizer(const std::vector<std::string>& words, Settings settings) : settings_(settings) {
    spellings_.reserve(words.size());
    for (const std::string& word : words) spellings_.push_back(" " + word);
    for (std::size_t i = kSpecials; i < words.size(); ++i)
      ids_.emplace(words[i], static_cast<std::int32_t>(i));
  }

  std::vector<std::int32_t> encode(std::string_view text) const override {
    const std::string normal = normalise(text);
    std::vector<std::int32_t> ids;
    for (const Part& part : parts_of(normal, settings_)) ids.push_back(id(spelt(part.text)));
    return ids;
  }

  std::vector<Token> tokens(std::string_view text) const override {
    const std::string normal = normalise(text);
    std::vector<Token> result;
    for (const Part& part : parts_of(normal, settings_)) {
      std::string word = spelt(part.text);
      const std::int32_t known = id(word);
      result.push_back({.id = known,
                        .text = std::move(word),
                        .start = part.start,
                        .end = part.start + static_cast<Index>(part.text.size()),
                        .word = part.word});
    }
    return result;
  }

  Index size() const override { return static_cast<Index>(spellings_.size()); }

  std::string piece(std::int32_t id) const override {
    check_id(id);
    return spellings_[static_cast<std::size_t>(id)].substr(1);
  }

  std::string kind() const override { return "words"; }

  std::string bytes() const override {
    std::string file = std::string(kWordFileMark) +
                       "1 lower_case=" + (settings_.lower_case ? "1" : "0") +
                       " split_punctuation=" + (settings_.split_punctuation ? "1" : "0") +
                       " size=" + std::to_string(size()) + "\n";
    for (const std::string& spelling : spellings_) file.append(spelling, 1).push_back('\n');
    return file;
  }

 protected:
  std::string_view spelling(std::int32_t id) const override {
    if (id < kUnk) return {};
    return spellings_[static_cast<std::size_t>(id)];
  }

 private:
  std::string spelt(std::string_view word) const {
    return settings_.lower_case ? lower_case(word) : std::string(word);
  }

  std::int32_t id(const std::string& word) const {
    const auto found = ids_.find(word);
    return found == ids_.end() ? kUnk : found->second;
  }

  Settings settings_;
  std::vector<std::string> spellings_;  // of each id, after a space
  std::unordered_map<std::string, std::int32_t> ids_;
};

/// The value of " name=" at the front of a header, which is taken off; -1 if it is not there.
Index take_setting(std::string_view& header, const std::string& name) {
  const std::string start = " " + name + "=";
  if (!header.starts_with(start)) return -1;
  header.remove_prefix(start.size());
  Index value = -1;
  const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), value);
  if (error != std::errc() || value < 0) return -1;
  const auto digits = static_cast<std::size_t>(end - header.data());
  if (header.substr(0, digits) != std::to_string(value))
    return -1;  // "05" is not how it is written
  header.remove_prefix(digits);
  return value;
}

/// The size the header promises.
Index read_header(std::string_view header, const std::string& path, Settings& settings) {
  if (!header.starts_with(kWordFileMark))
    fail(Fault::input, path, ":1: not a word vocabulary: expected '", kWordFileMark, "'");
  header.remove_prefix(kWordFileMark.size());
  if (!header.starts_with("1 "))
    fail(Fault::input, path,
         ":1: a word vocabulary of a version this program does not know: ", "expected 1");
  header.remove_prefix(1);
  const Index lower = take_setting(header, "lower_case");
  const Index split = take_setting(header, "split_punctuation");
  const Index size = take_setting(header, "size");
  if (lower < 0 || lower > 1 || split < 0 || split > 1 || size < kSpecials || !header.empty())
    fail(Fault::input, path, ":1: broken header of a word vocabulary: expected '", kWordFileMark,
         "1 lower_case=0|1 split_punctuation=0|1 size=N'");
  settings = {.lower_case = lower == 1, .split_punctuation = split == 1};
  return size;
}

void check_word(const std::string& word, std::size_t id, const std::string& path) {
  const std::string at = path + ":" + std::to_string(id + 2) + ": ";
  if (id < kSpecials && word != kSpecialWords[id])
    fail(Fault::input, at, "expected the special word ", kSpecialWords[id]);
  if (id >= kSpecials && is_special(word)) fail(Fault::input, at, "special word ", word, " again");
  if (word.size() > kLongestPiece)
    fail(Fault::input, at, "a word of ", word.size(), " bytes; the limit is ", kLongestPiece);
  if (word.empty() || word.find(' ') != std::string::npos || normalise(word) != word)
    fail(Fault::input, at, "not a word: empty, with white space, or not in Unicode form NFC");
}

}  // namespace

std::shared_ptr<const Tokenizer> word_tokenizer(std::string_view bytes, const std::string& path) {
  Settings settings;
  Index promised = -1;
  std::vector<std::string> words;
  std::unordered_map<std::string_view, std::size_t> lines;
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = bytes.find('\n', start);
    if (end == std::string_view::npos)
      fail(Fault::input, path, ": truncated: the last line has no end");
    const std::string_view line = bytes.substr(start, end - start);
    start = end + 1;
    if (promised < 0) {
      promised = read_header(line, path, settings);
      continue;
    }
    check_word(std::string(line), words.size(), path);
    const auto [earlier, added] = lines.emplace(line, words.size() + 2);
    if (!added)
      fail(Fault::input, path, ":", words.size() + 2, ": the word '", line, "' is already on line ",
           earlier->second);
    words.emplace_back(line);
  }
  if (static_cast<Index>(words.size()) != promised)
    fail(Fault::input, path, ": the header promises ", promised, " words, the file has ",
         words.size());
  return std::make_shared<WordTokenizer>(words, settings);
}

std::shared_ptr<const Tokenizer> word_vocabulary(std::span<const std::string> lines,
                                                 const WordSpec& spec) {
  check(spec.min_frequency >= 1, "min_frequency is ", spec.min_frequency, "; expected 1 or more");
  check(spec.most == 0 || spec.most > kSpecials, "a vocabulary of at most ", spec.most,
        " words leaves no room beside the ", kSpecials, " specials");
  const Settings settings{.lower_case = spec.lower_case,
                          .split_punctuation = spec.split_punctuation};
  std::map<std::string, Index> counts;
  for (const std::string& line : lines) {
    const std::string text = normalise(line);
    for (const Part& part : parts_of(text, settings))
      ++counts[spec.lower_case ? lower_case(part.text) : std::string(part.text)];
  }
  std::vector<std::pair<std::string, Index>> kept;
  for (const auto& [word, count] : counts)
    if (count >= spec.min_frequency && !is_special(word) && word.size() <= kLongestPiece)
      kept.emplace_back(word, count);
  if (kept.empty())
    fail(Fault::input, "no word for a vocabulary: ", lines.size(), " lines with ", counts.size(),
         " different words, none of them seen ", spec.min_frequency, " times or more");
  std::ranges::stable_sort(kept, [](const auto& a, const auto& b) { return a.second > b.second; });

  std::vector<std::string> words(std::begin(kSpecialWords), std::end(kSpecialWords));
  for (const auto& [word, count] : kept) {
    if (spec.most > 0 && static_cast<Index>(words.size()) == spec.most) break;
    words.push_back(word);
  }
  return std::make_shared<WordTokenizer>(words, settings);
}

}  // namespace regard
