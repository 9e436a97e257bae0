#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regard {

/// Names and values of a form, in their order.
using Form = std::vector<std::pair<std::string, std::string>>;

inline constexpr std::size_t kMaxFormFields = 1024;

/// "a=1&b=x+y%21" -> (a, 1), (b, "x y!"). Refuses a bad escape, text that is not UTF-8 and more
/// than kMaxFormFields fields.
Form url_form(std::string_view text);

/// The fields of a multipart/form-data body; what came as a file keeps its content only. Refuses
/// what is malformed, and more than kMaxFormFields parts.
Form multipart_form(std::string_view body, std::string_view content_type);

}  // namespace regard
