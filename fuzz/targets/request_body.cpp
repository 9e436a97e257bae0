#include <cmath>

#include "fuzz/target.h"
#include "regard/config/json.h"
#include "regard/serve/http_error.h"
#include "regard/serve/request/fields.h"
#include "regard/serve/request/form.h"
#include "regard/tokens/normalise.h"

namespace regard::targets {
namespace {

void ask_for_all(const Fields& fields) {
  for (const char* name : {"q", "source", "beam", "html", "alternatives", ""}) {
    const auto quietly = [](const auto& ask) {
      try {
        ask();
      } catch (const HttpError& refusal) {
        law(refusal.status == 400, "a field is refused with ", refusal.status);
      }
    };
    quietly([&] { fields.needed(name); });
    quietly([&] {
      if (const auto texts = fields.texts(name))
        for (const std::string& text : texts->all) law(valid_utf8(text), "a text is not UTF-8");
    });
    quietly([&] { fields.list(name); });
    quietly([&] { fields.wholes(name); });
    quietly([&] { fields.whole(name); });
    quietly([&] { law(std::isfinite(fields.number(name).value_or(0)), "a number is not finite"); });
    quietly([&] { fields.flag(name); });
    fields.given(name);
  }
}

/// A form written with every byte escaped.
std::string escaped_form(const Form& form) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  const auto add = [&](const std::string& part) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      ((text += '%') += kDigits[byte >> 4]) += kDigits[byte & 15];
    }
  };
  for (const auto& [name, value] : form) {
    add(name);
    text += '=';
    add(value);
    text += '&';
  }
  return text;
}

/// The type on the first line, then the body. Whatever they are: fields, or a refusal that is an
/// answer of JSON.
void try_request_body(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  HttpRequest request{.headers = {{"Content-Type", std::string(bytes.substr(0, end))}},
                      .body = std::string(bytes.substr(std::min(end + 1, bytes.size())))};
  try {
    ask_for_all(Fields::of_body(request));
    const Form form = url_form(request.body);
    law(url_form(escaped_form(form)) == form, "escaped, it is another form");
    ask_for_all(Fields::of_query(request.body));
  } catch (const HttpError& refusal) {
    law(refusal.status == 400 || refusal.status == 415, "refused with ", refusal.status);
    law(parse_json(response_of(refusal).body, "answer").contains("error"), "no answer");
  }
}

}  // namespace

extern const FuzzTarget request_body{.name = "request_body",
                                     .about = "bodies of requests: JSON, forms, parts",
                                     .max_bytes = 512,
                                     .attempt = try_request_body,
                                     .slow = true};

}  // namespace regard::targets
