#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/serve/http/message.h"

namespace regard {

/// "Application/JSON; charset=utf-8" -> "application/json".
std::string media_type(std::string_view header);

/// The named values of a request, whether they came as JSON, as a form or in parts. What does not
/// fit is a HttpError that names the field.
class Fields {
 public:
  /// Those of the body, by its Content-Type; a body of nothing has none. Refuses with 400 what is
  /// malformed, with 415 what is of another type.
  static Fields of_body(const HttpRequest& request);
  /// Those after the '?'.
  static Fields of_query(std::string_view query);

  // Null, and an empty text or list, count as absent.

  bool given(std::string_view name) const;  ///< as anything but null

  /// A text; none if it is absent.
  std::optional<std::string> text(std::string_view name) const;
  /// A text, or a number or truth value as JSON writes it; none if it is absent.
  std::optional<std::string> word(std::string_view name) const;
  /// A text, or a list of them, which may be empty ones.
  struct Texts {
    std::vector<std::string> all;
    bool is_list = false;
  };
  std::optional<Texts> texts(std::string_view name) const;
  /// Every value of that name; of a form, there may be several.
  std::vector<std::string> list(std::string_view name) const;
  std::vector<std::int64_t> wholes(std::string_view name) const;
  std::optional<std::int64_t> whole(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  std::optional<bool> flag(std::string_view name) const;

  /// A text that must be there: refuses with "Invalid request: missing q parameter".
  std::string needed(std::string_view name) const;

 private:
  explicit Fields(nlohmann::json object) : object_(std::move(object)) {}
  const nlohmann::json* find(std::string_view name) const;

  nlohmann::json object_;  // of a form, each value is a list of texts
  bool form_ = false;
};

}  // namespace regard
