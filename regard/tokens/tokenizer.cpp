#include "regard/tokens/tokenizer.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/tokens/normalise.h"
#include "regard/tokens/subword_tokenizer.h"
#include "regard/tokens/words.h"

namespace regard {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 28;

/// For each byte of a text the word it belongs to: space belongs to the word after it, space at the
/// end to the last word (-1 if there is no word at all).
std::vector<Index> word_of_bytes(std::string_view text) {
  std::vector<Index> result;
  result.reserve(text.size());
  Index word = -1;
  bool inside = false;
  while (!text.empty()) {
    const Character c = first_character(text);
    const bool space = is_space(c.code);
    if (!space && !inside) ++word;
    inside = !space;
    result.insert(result.end(), c.size, space ? word + 1 : word);
    text.remove_prefix(c.size);
  }
  for (Index& w : result) w = std::min(w, word);
  return result;
}

}  // namespace

void Tokenizer::check_id(std::int32_t id) const {
  check(id >= 0 && id < size(), "token id ", id, " is outside the vocabulary of ", size());
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) {
    check_id(id);
    text += spelling(id);
  }
  return normalise(text);
}

std::vector<Index> Tokenizer::words(std::span<const std::int32_t> ids) const {
  std::string text;
  std::vector<std::size_t> ends;
  ends.reserve(ids.size());
  for (const std::int32_t id : ids) {
    check_id(id);
    text += spelling(id);
    ends.push_back(text.size());
  }
  const std::vector<Index> word = word_of_bytes(text);
  std::vector<Index> result;
  result.reserve(ids.size());
  std::size_t start = 0;
  for (const std::size_t end : ends) {
    // Space counts for the word that follows it, so the first byte already names the right word,
    // unless a piece is space, end of a word and more, which no vocabulary of ours has.
    result.push_back(start == end ? -1 : word[start]);
    start = end;
  }
  return result;
}

std::shared_ptr<const Tokenizer> tokenizer_of(std::string_view bytes,
                                              const std::string& path_for_messages) {
  if (bytes.starts_with(kWordFileMark)) return word_tokenizer(bytes, path_for_messages);
  return subword_tokenizer(bytes, path_for_messages);
}

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path, Symlinks links) {
  return tokenizer_of(
      links == Symlinks::refuse ? read_own_file(path, kLargestFile) : read_file(path, kLargestFile),
      path);
}

}  // namespace regard
