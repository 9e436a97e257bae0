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
#include "regard/tokens/word_parts.h"

namespace regard {
namespace {

constexpr std::string_view kSpecialWords[] = {"<pad>", "<bos>", "<eos>", "<unk>"};

bool is_special(std::string_view word) {
  return std::ranges::find(kSpecialWords, word) != std::end(kSpecialWords);
}

class WordTokenizer final : public Tokenizer {
 public:
  /// REQUIRES the specials first and no word twice.
  WordTokenizer(std::vector<std::string> words, WordForm form)
      : form_(form), words_(std::move(words)) {
    texts_.reserve(words_.size());
    for (const std::string& word : words_) texts_.push_back(text_of_word(word, form_));
    for (std::size_t i = kSpecials; i < words_.size(); ++i)
      ids_.emplace(words_[i], static_cast<std::int32_t>(i));
  }

  std::vector<std::int32_t> encode(std::string_view text) const override {
    const std::string normal = normalise(text);
    std::vector<std::int32_t> ids;
    for (const WordPart& part : word_parts(normal, form_))
      ids.push_back(id(spelt_word(part, form_)));
    return ids;
  }

  std::vector<Token> tokens(std::string_view text) const override {
    const std::string normal = normalise(text);
    std::vector<Token> result;
    for (const WordPart& part : word_parts(normal, form_)) {
      std::string word = spelt_word(part, form_);
      const std::int32_t known = id(word);
      result.push_back({.id = known,
                        .text = std::move(word),
                        .start = part.start,
                        .end = part.start + static_cast<Index>(part.text.size()),
                        .word = part.word});
    }
    return result;
  }

  Index size() const override { return static_cast<Index>(words_.size()); }

  std::string piece(std::int32_t id) const override {
    check_id(id);
    return words_[static_cast<std::size_t>(id)];
  }

  std::string type() const override { return "words"; }

  std::string bytes() const override {
    std::string file = std::string(kWordFileMark) + std::to_string(form_.version) +
                       " lower_case=" + (form_.lower_case ? "1" : "0") +
                       " split_punctuation=" + (form_.split_punctuation ? "1" : "0") +
                       " size=" + std::to_string(size()) + "\n";
    for (const std::string& word : words_) file.append(word).push_back('\n');
    return file;
  }

 protected:
  std::string_view spelling(std::int32_t id) const override {
    if (id < kUnk) return {};
    return texts_[static_cast<std::size_t>(id)];
  }

 private:
  std::int32_t id(const std::string& word) const {
    const auto found = ids_.find(word);
    return found == ids_.end() ? kUnk : found->second;
  }

  WordForm form_;
  std::vector<std::string> words_, texts_;  // of each id, and what it adds to a text
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
Index read_header(std::string_view header, const std::string& path, WordForm& form) {
  if (!header.starts_with(kWordFileMark))
    fail(Fault::input, path, ":1: not a word vocabulary: expected '", kWordFileMark, "'");
  header.remove_prefix(kWordFileMark.size());
  if (!header.starts_with("1 ") && !header.starts_with("2 "))
    fail(Fault::input, path,
         ":1: a word vocabulary of a version this program does not know: expected 1 or 2");
  form.version = header.front() - '0';
  header.remove_prefix(1);
  const Index lower = take_setting(header, "lower_case");
  const Index split = take_setting(header, "split_punctuation");
  const Index size = take_setting(header, "size");
  if (lower < 0 || lower > 1 || split < 0 || split > 1 || size < kSpecials || !header.empty())
    fail(Fault::input, path, ":1: broken header of a word vocabulary: expected '", kWordFileMark,
         "1|2 lower_case=0|1 split_punctuation=0|1 size=N'");
  form.lower_case = lower == 1;
  form.split_punctuation = split == 1;
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
  WordForm form;
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
      promised = read_header(line, path, form);
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
  return std::make_shared<WordTokenizer>(std::move(words), form);
}

std::shared_ptr<const Tokenizer> word_vocabulary(std::span<const std::string> lines,
                                                 const WordSpec& spec) {
  check(spec.min_frequency >= 1, "min_frequency is ", spec.min_frequency, "; expected 1 or more");
  check(spec.most == 0 || spec.most > kSpecials, "a vocabulary of at most ", spec.most,
        " words leaves no room beside the ", kSpecials, " specials");
  const WordForm form{.lower_case = spec.lower_case, .split_punctuation = spec.split_punctuation};
  std::map<std::string, Index> counts;
  for (const std::string& line : lines) {
    const std::string text = normalise(line);
    for (const WordPart& part : word_parts(text, form)) ++counts[spelt_word(part, form)];
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
  return std::make_shared<WordTokenizer>(std::move(words), form);
}

}  // namespace regard
