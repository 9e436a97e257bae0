#include "regard/serve/request/form.h"

#include <algorithm>
#include <optional>

#include "regard/serve/http/message.h"
#include "regard/serve/http_error.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr std::size_t kMaxBoundary = 70;  // RFC 2046
constexpr std::size_t kMaxPartHead = 8192;

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded_field(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      result += ' ';
    } else if (text[i] == '%') {
      const bool whole = i + 2 < text.size();
      const int high = whole ? digit(text[i + 1]) : -1, low = whole ? digit(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        refuse("Invalid request: a % in the form is not followed by two hexadecimal digits");
      result += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

void add(Form& form, std::string name, std::string value) {
  if (form.size() >= kMaxFormFields)
    refuse("Invalid request: more than ", kMaxFormFields, " fields in the form");
  if (!valid_utf8(name) || !valid_utf8(value))
    refuse("Invalid request: the form is not valid UTF-8");
  form.emplace_back(std::move(name), std::move(value));
}

/// The value of a parameter as in: form-data; name="q"; filename="x".
std::optional<std::string> parameter(std::string_view header, std::string_view wanted) {
  std::size_t at = header.find(';');
  while (at != header.npos) {
    std::size_t begin = header.find_first_not_of(" \t;", at);
    if (begin == header.npos) return {};
    const std::size_t equals = header.find('=', begin);
    if (equals == header.npos) return {};
    const std::string_view name = header.substr(begin, equals - begin);
    std::string value;
    std::size_t end = equals + 1;
    if (end < header.size() && header[end] == '"') {
      for (++end; end < header.size() && header[end] != '"'; ++end) {
        if (header[end] == '\\' && end + 1 < header.size()) ++end;
        value += header[end];
      }
      at = header.find(';', end);
    } else {
      at = header.find(';', end);
      value = header.substr(end, at == header.npos ? at : at - end);
      while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.pop_back();
    }
    if (same_word(name, wanted)) return value;
  }
  return {};
}

/// What "Content-Disposition" says in the head of a part.
std::string_view disposition(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != line.npos && same_word(line.substr(0, colon), "content-disposition"))
      return line.substr(colon + 1);
    head.remove_prefix(std::min(end + 2, head.size()));
  }
  return {};
}

}  // namespace

Form url_form(std::string_view text) {
  Form form;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (field.empty()) continue;
    const std::size_t equals = std::min(field.find('='), field.size());
    add(form, decoded_field(field.substr(0, equals)),
        equals < field.size() ? decoded_field(field.substr(equals + 1)) : "");
  }
  return form;
}

Form multipart_form(std::string_view body, std::string_view content_type) {
  const std::optional<std::string> boundary = parameter(content_type, "boundary");
  if (!boundary || boundary->empty() || boundary->size() > kMaxBoundary)
    refuse("Invalid request: multipart without a boundary of 1 to ", kMaxBoundary, " characters");
  const std::string mark = "--" + *boundary, next = "\r\n" + mark;
  Form form;
  if (!body.starts_with(mark))
    refuse("Invalid request: multipart does not begin with its boundary");
  body.remove_prefix(mark.size());
  while (!body.starts_with("--")) {
    if (!body.starts_with("\r\n")) refuse("Invalid request: malformed multipart boundary");
    body.remove_prefix(2);
    const std::size_t head = body.find("\r\n\r\n");
    if (head > kMaxPartHead)  // or npos
      refuse("Invalid request: a part of the form has no end of its head");
    const std::size_t end = body.find(next, head + 2);
    if (end == body.npos) refuse("Invalid request: the last part of the form has no end");
    const std::optional<std::string> name = parameter(disposition(body.substr(0, head)), "name");
    if (!name) refuse("Invalid request: a part of the form has no name");
    const std::size_t begin = std::min(head + 4, end);
    add(form, *name, std::string(body.substr(begin, end - begin)));
    body.remove_prefix(end + next.size());
  }
  return form;
}

}  // namespace regard
