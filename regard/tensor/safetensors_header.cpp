#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "regard/base/check.h"
#include "regard/tensor/safetensors.h"

namespace regard {
namespace {

/// A name as a message shows it: in quotes, on one line, not too long.
std::string quoted(std::string_view name) {
  constexpr std::size_t kShown = 100;
  std::string text = "'";
  for (const char c : name.substr(0, kShown))
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text + (name.size() > kShown ? "...'" : "'");
}

/// Reads the JSON of a header. The format has three fixed levels, so there is no recursion, and a
/// deeply nested text is refused at the first bracket that has no business there.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  SafetensorsHeader read() {
    SafetensorsHeader header;
    bool has_metadata = false;
    if (!text_.starts_with('{')) blame("expected '{' as the header's first byte");
    object([&](std::string name) {
      if (name == "__metadata__") {
        if (std::exchange(has_metadata, true)) blame("__metadata__ comes twice");
        header.metadata = metadata();
      } else {
        if (header.entries.size() == SafetensorsHeader::kMaxTensors)
          fail(Fault::input, path_, ": more than ", SafetensorsHeader::kMaxTensors, " tensors");
        header.entries.push_back(entry(std::move(name)));
      }
    });
    skip_space();
    if (at_ != text_.size()) blame("expected nothing but spaces after the header's last '}'");
    return header;
  }

 private:
  [[noreturn]] void blame(const std::string& what) const {
    constexpr std::size_t kLength = 8;  // the header's own length stands before it
    fail(Fault::input, path_, ": damaged .safetensors file: @", at_ + kLength, ": ", what);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) blame(std::string("expected '") + c + "'");
  }

  template <class Visit>
  void object(const Visit& visit) {
    expect('{');
    if (accept('}')) return;
    do {
      std::string key = string();
      if (key.size() > SafetensorsHeader::kMaxName)
        blame("a name of " + std::to_string(key.size()) + " bytes is too long");
      if (key.find('\0') != std::string::npos) blame("a name holds a NUL");
      expect(':');
      visit(std::move(key));
    } while (accept(','));
    expect('}');
  }

  SafetensorsMetadata metadata() {
    SafetensorsMetadata metadata;
    object([&](std::string key) {
      if (metadata.size() == SafetensorsHeader::kMaxTensors) blame("too much metadata");
      std::string value = string();
      if (!metadata.emplace(key, std::move(value)).second)
        blame("metadata " + quoted(key) + " comes twice");
    });
    return metadata;
  }

  SafetensorsEntry entry(std::string name) {
    std::optional<std::string> dtype;
    std::optional<std::vector<Index>> shape, offsets;
    const auto set = [&](auto& place, const std::string& key, auto value) {
      if (place) blame("tensor " + quoted(name) + " has two entries '" + key + "'");
      place = std::move(value);
    };
    object([&](const std::string& key) {
      if (key == "dtype")
        set(dtype, key, string());
      else if (key == "shape")
        set(shape, key, numbers(Shape::kMaxRank, "axes of tensor " + quoted(name)));
      else if (key == "data_offsets")
        set(offsets, key, numbers(2, "data_offsets of tensor " + quoted(name)));
      else
        blame("tensor " + quoted(name) + " has an unknown entry " + quoted(key));
    });
    if (!dtype || !shape || !offsets || offsets->size() != 2)
      blame("tensor " + quoted(name) + " needs dtype, shape and data_offsets [BEGIN, END]");
    return checked(std::move(name), std::move(*dtype), *shape, *offsets);
  }

  SafetensorsEntry checked(std::string name, std::string dtype, const std::vector<Index>& sizes,
                           const std::vector<Index>& offsets) const {
    const std::size_t width = safetensors_byte_size(dtype);
    if (width == 0)
      fail(Fault::input, path_, ": unsupported dtype ", quoted(dtype), " for tensor ", quoted(name),
           "; F64, F32, F16, BF16, BOOL, I8 to I64 and U8 to U64 are");
    // What Shape takes too: a size of 0 does not excuse the others.
    constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 56;
    std::uint64_t product = 1, bytes = width;
    for (const Index size : sizes) {
      const auto count = static_cast<std::uint64_t>(size);
      if (__builtin_mul_overflow(product, std::max<std::uint64_t>(count, 1), &product) ||
          product > kMaxCount)
        blame("the shape of tensor " + quoted(name) + " has too many elements");
      bytes *= count;
    }
    const auto begin = static_cast<std::uint64_t>(offsets[0]);
    const auto end = static_cast<std::uint64_t>(offsets[1]);
    if (end < begin) blame("tensor " + quoted(name) + " ends before it begins");
    if (end - begin != bytes)
      blame("tensor " + quoted(name) + " has " + std::to_string(end - begin) +
            " bytes, its shape and dtype need " + std::to_string(bytes));
    return {std::move(name), std::move(dtype), Shape(std::span(sizes)), begin, end};
  }

  std::vector<Index> numbers(std::size_t most, const std::string& what) {
    std::vector<Index> numbers;
    expect('[');
    if (accept(']')) return numbers;
    do {
      if (numbers.size() == most) blame("more than " + std::to_string(most) + " " + what);
      numbers.push_back(number(what));
    } while (accept(','));
    expect(']');
    return numbers;
  }

  Index number(const std::string& what) {
    skip_space();
    Index value = 0;
    const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    const bool plain =
        peek() != '-' && (peek() != '0' || stop == begin + 1) &&
        (stop == end || std::string_view(".eE").find(*stop) == std::string_view::npos);
    if (error != std::errc() || !plain)
      blame("expected whole numbers from 0 to 2^63 - 1 as " + what);
    at_ += static_cast<std::size_t>(stop - begin);
    return value;
  }

  std::string string() {
    expect('"');
    std::string result;
    for (;;) {
      if (at_ == text_.size()) blame("a text has no end");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) blame("a text holds a control character");
      if (c >= 0x80) {
        const std::size_t length = utf8_length();
        result += text_.substr(at_, length);
        at_ += length;
        continue;
      }
      ++at_;
      if (c == '"') return result;
      if (c == '\\')
        escaped(result);
      else
        result += static_cast<char>(c);
    }
  }

  /// Bytes of the character here, one of the well-formed ones: not overlong, no surrogate, at most
  /// U+10FFFF (The Unicode Standard, table 3-7).
  std::size_t utf8_length() const {
    const auto byte = [&](std::size_t i) {
      return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0;
    };
    const int lead = byte(0);
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    bool good = lead >= 0xc2 && lead <= 0xf4 && byte(1) >= low && byte(1) <= high;
    for (std::size_t i = 2; i < length; ++i) good = good && (byte(i) & 0xc0) == 0x80;
    if (!good) blame("not UTF-8");
    return length;
  }

  void escaped(std::string& result) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = peek();
    if (letter == 'u') {
      ++at_;
      append_utf8(result, code_point());
      return;
    }
    const std::size_t which = at_ < text_.size() ? kLetters.find(letter) : std::string_view::npos;
    if (which == std::string_view::npos) blame("unknown escape after '\\'");
    result += kMeanings[which];
    ++at_;
  }

  std::uint32_t code_point() {
    const std::uint32_t first = four_digits();
    if (first < 0xd800 || first > 0xdfff) return first;
    if (first <= 0xdbff && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const std::uint32_t second = four_digits();
      if (second >= 0xdc00 && second <= 0xdfff)
        return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    }
    blame("half of a surrogate pair");
  }

  std::uint32_t four_digits() {
    std::uint32_t value = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || stop != digits.data() + 4) blame("expected \\u and four digits");
    at_ += 4;
    return value;
  }

  static void append_utf8(std::string& text, std::uint32_t c) {
    const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
      text += static_cast<char>(c);
    } else if (c < 0x800) {
      text += static_cast<char>(0xc0 | c >> 6);
      tail(0);
    } else if (c < 0x10000) {
      text += static_cast<char>(0xe0 | c >> 12);
      tail(6), tail(0);
    } else {
      text += static_cast<char>(0xf0 | c >> 18);
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

/// Every byte of the data belongs to one tensor: no hole, no overlap, nothing after the last.
void check_layout(const std::vector<SafetensorsEntry>& entries, std::uint64_t data_size,
                  const std::string& path) {
  std::vector<const SafetensorsEntry*> order;
  for (const SafetensorsEntry& entry : entries) order.push_back(&entry);
  std::ranges::sort(order, {}, [](const auto* e) { return std::pair(e->begin, e->end); });
  std::uint64_t expected = 0;
  for (const SafetensorsEntry* entry : order) {
    if (entry->begin != expected)
      fail(Fault::input, path, ": tensor ", quoted(entry->name), " begins at ", entry->begin,
           entry->begin < expected ? ", inside of another, which ends at " : ", after a hole from ",
           expected);
    expected = entry->end;
    if (expected > data_size)
      fail(Fault::input, path, ": tensor ", quoted(entry->name), " ends at ", expected, " of only ",
           data_size, " bytes: the file is cut short");
  }
  if (expected != data_size)
    fail(Fault::input, path, ": ", data_size - expected, " bytes too many after ",
         order.empty() ? "the header" : "tensor " + quoted(order.back()->name), ", the last");
}

}  // namespace

bool SafetensorsEntry::reads_as(Dtype wanted) const {
  if (!is_real(wanted)) return dtype == safetensors_name(wanted);
  return dtype == "F32" || dtype == "F64" || dtype == "F16" || dtype == "BF16";
}

std::string_view safetensors_name(Dtype dtype) {
  constexpr std::string_view kNames[] = {"F32", "F64", "I8", "I32"};
  return kNames[static_cast<int>(dtype)];
}

std::size_t safetensors_byte_size(std::string_view dtype) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 13> kSizes{{
      {"BOOL", 1},
      {"U8", 1},
      {"I8", 1},
      {"U16", 2},
      {"I16", 2},
      {"F16", 2},
      {"BF16", 2},
      {"U32", 4},
      {"I32", 4},
      {"F32", 4},
      {"U64", 8},
      {"I64", 8},
      {"F64", 8},
  }};
  const auto* found =
      std::ranges::find(kSizes, dtype, &std::pair<std::string_view, std::size_t>::first);
  return found == kSizes.end() ? 0 : found->second;
}

SafetensorsHeader parse_safetensors_header(std::string_view text, std::uint64_t data_size,
                                           const std::string& path) {
  SafetensorsHeader header = HeaderReader(text, path).read();
  std::ranges::sort(header.entries, {}, &SafetensorsEntry::name);
  const auto twin = std::ranges::adjacent_find(header.entries, {}, &SafetensorsEntry::name);
  if (twin != header.entries.end())
    fail(Fault::input, path, ": tensor ", quoted(twin->name), " comes twice");
  check_layout(header.entries, data_size, path);
  return header;
}

}  // namespace regard
