#include "regard/batch/po.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_set>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\f\v";
  const std::size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

/// The value of a number written in digits of a base at the start of the text, which are taken off
/// it: at most `max_digits` of them. 256 or more: too large for a byte; none: no digit.
std::optional<unsigned> take_number(std::string_view& text, unsigned base, int max_digits) {
  std::optional<unsigned> number;
  for (int i = 0; i < max_digits && !text.empty(); ++i) {
    const int c = std::tolower(static_cast<unsigned char>(text.front()));
    const unsigned digit = std::isdigit(c)        ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                                                  : 16u;
    if (digit >= base) break;
    number = std::min(number.value_or(0) * base + digit, 256u);
    text.remove_prefix(1);
  }
  return number;
}

/// Takes an escape sequence, its backslash gone already, off the text and appends the byte it
/// stands for; false: there is no such sequence.
bool take_escape(std::string_view& text, std::string& to) {
  constexpr std::string_view kNames = "ntrabfv\\\"", kMeanings = "\n\t\r\a\b\f\v\\\"";
  if (text.empty()) return false;
  const std::size_t known = kNames.find(text.front());
  if (known != std::string_view::npos) {
    to += kMeanings[known];
    text.remove_prefix(1);
    return true;
  }
  const bool hex = text.front() == 'x';
  if (hex) text.remove_prefix(1);
  constexpr int kAllDigits = 1 << 30;  // as in C, a hexadecimal escape takes all it can
  const std::optional<unsigned> byte =
      hex ? take_number(text, 16, kAllDigits) : take_number(text, 8, 3);
  if (!byte || *byte > 255) return false;
  to += static_cast<char>(*byte);
  return true;
}

/// Appends what a quoted string means. The fault found, or empty.
std::string append_quoted(std::string_view text, std::string& to) {
  if (!text.starts_with('"')) return "a quoted string is missing";
  text.remove_prefix(1);
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') return text.empty() ? "" : "text after the closing quote";
    if (c != '\\')
      to += c;
    else if (!take_escape(text, to))
      return "bad escape sequence";
  }
  return "string without closing quote";
}

/// A message as far as it was read.
struct Message {
  Index line = 0;  // of its first keyword; 0: not begun
  std::optional<std::string> context, id, plural;
  std::vector<std::string> forms;  // msgstr, or msgstr[0], msgstr[1], ...
  bool indexed = false, fuzzy = false;
  std::string fault;
  Index fault_line = 0;
};

class Reader {
 public:
  Reader(Lines& lines, PairFilter& filter) : lines_(lines), filter_(filter) {}

  void read() {
    while (const std::optional<TextLine> line = lines_.next()) {
      const std::string fault = fault_of_line(*line);
      if (fault.empty())
        take_line(trimmed(line->text));
      else
        blame(fault);
    }
    finish();
  }

 private:
  void take_line(std::string_view text) {
    if (text.empty()) return end_if_whole();
    if (text.front() == '#') return take_comment(text);
    if (text.front() == '"') return append(text);
    const std::size_t end = std::min(text.find_first_of(" \t\""), text.size());
    start_field(text.substr(0, end));
    append(trimmed(text.substr(end)));
  }

  void take_comment(std::string_view text) {
    end_if_whole();
    if (text.starts_with("#~")) {
      const std::string_view rest = trimmed(text.substr(2));
      if (rest.starts_with("msgid ") || rest.starts_with("msgid\"")) {
        filter_.drop("obsolete message");
        message_.fuzzy = false;  // said of this one, not of the next
      }
    } else if (text.starts_with("#,") && text.find("fuzzy") != std::string_view::npos) {
      message_.fuzzy = true;
    }
  }

  /// Makes the field that a keyword names the one that strings are appended to.
  void start_field(std::string_view keyword) {
    if (keyword == "msgctxt" || keyword == "msgid") end_if_whole();
    if (message_.line == 0) message_.line = lines_.number();
    field_ = nullptr;
    if (keyword == "msgctxt")
      start_once(message_.context);
    else if (keyword == "msgid")
      start_once(message_.id);
    else if (keyword == "msgid_plural")
      start_once(message_.plural);
    else if (keyword == "msgstr")
      start_form(0);
    else if (keyword.starts_with("msgstr["))
      start_indexed_form(keyword.substr(7));
    else
      blame("unknown keyword");
  }

  void start_once(std::optional<std::string>& field) {
    if (field) return blame("keyword given twice in one message");
    field_ = &field.emplace();
  }

  void start_indexed_form(std::string_view index) {
    const std::optional<unsigned> number = take_number(index, 10, 1 << 30);
    message_.indexed = true;
    if (!number || index != "]") return blame("bad index of msgstr[n]");
    start_form(*number);
  }

  void start_form(unsigned number) {
    const bool in_order = number == message_.forms.size();
    if (!in_order) return blame("msgstr out of order");
    field_ = &message_.forms.emplace_back();
  }

  void append(std::string_view quoted) {
    if (!message_.fault.empty()) return;
    if (!field_) return blame("string that belongs to no keyword");
    const std::string fault = append_quoted(quoted, *field_);
    if (!fault.empty()) blame(fault);
    if (static_cast<Index>(field_->size()) > filter_.filters().max_line_bytes) {
      field_->clear();
      blame("message too long");
    }
  }

  void blame(const std::string& fault) {
    if (message_.line == 0) message_.line = lines_.number();
    if (!message_.fault.empty()) return;
    message_.fault = fault;
    message_.fault_line = lines_.number();
  }

  /// A message is whole once it has a translation, or is past saving.
  void end_if_whole() {
    if (!message_.forms.empty() || !message_.fault.empty()) finish();
  }

  void finish() {
    const Message message = std::exchange(message_, {});
    field_ = nullptr;
    if (message.line == 0) return;
    const std::string fault = fault_of(message);
    if (!fault.empty())
      return filter_.bad(place(message.fault_line > 0 ? message.fault_line : message.line), fault);
    if (message.id->empty() && !message.context) return check_header(message);
    const std::string key = message.context.value_or("") + '\4' + *message.id;
    const bool empty = std::ranges::all_of(message.forms, &std::string::empty);
    if (message.fuzzy) return filter_.drop("fuzzy message");
    if (empty) return filter_.drop("untranslated message");
    if (!seen_.insert(key).second) return filter_.drop("repeated message");
    // A language without plural forms has one form for both, which says the plural better.
    if (!message.plural || message.forms.size() > 1) take(message, *message.id, 0);
    if (message.plural) take(message, *message.plural, message.forms.size() - 1);
  }

  static std::string fault_of(const Message& message) {
    if (!message.fault.empty()) return message.fault;
    if (!message.id) return "message without msgid";
    if (message.forms.empty()) return "message without msgstr";
    if (message.indexed != message.plural.has_value())
      return message.indexed ? "msgstr[n] without msgid_plural" : "msgid_plural without msgstr[n]";
    return {};
  }

  void take(const Message& message, const std::string& source, std::size_t form) {
    Pair pair{on_one_line(source), on_one_line(message.forms[form])};
    // Escape sequences can make bytes that the lines did not have.
    std::string fault = fault_of_text(pair.source);
    if (fault.empty()) fault = fault_of_text(pair.target);
    if (fault.empty())
      filter_.take(std::move(pair));
    else
      filter_.bad(place(message.line), fault);
  }

  void check_header(const Message& message) const {
    std::string text = message.forms.front();
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t found = text.find("charset=");
    if (found == std::string::npos) return;
    text.erase(0, found + std::string_view("charset=").size());
    const std::string name = text.substr(0, text.find_first_of(" \t\n;"));
    // A template has the word CHARSET still to be filled in.
    if (name == "utf-8" || name == "utf8" || name == "us-ascii" || name == "ascii" ||
        name == "charset")
      return;
    fail(Blame(Fault::input).at(lines_.path(), message.line), lines_.path(), ":", message.line,
         ": the header says charset ", name,
         ", expected UTF-8; convert it with `msgconv -t UTF-8`");
  }

  Place place(Index line) const { return {lines_.path(), line}; }

  Lines& lines_;
  PairFilter& filter_;
  Message message_;
  std::string* field_ = nullptr;  // of message_, where strings go
  std::unordered_set<std::string> seen_;
};

}  // namespace

void read_po(Lines& lines, PairFilter& filter) {
  Reader(lines, filter).read();
}

}  // namespace regard
