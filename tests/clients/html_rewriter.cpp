// HTML through the server's reader and writer with translations that need no model: one JSON text a
// line in; out, the same with its words in capitals, and with a hostile sentence for each passage.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "regard/serve/text/html.h"

namespace {

using regard::LineTranslation;
using regard::Passage;

LineTranslation in_capitals(const Passage& passage) {
  LineTranslation result{.text = passage.text};
  for (char& c : result.text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  for (regard::Index i = 0; i <= std::ranges::count(passage.text, ' '); ++i)
    result.links.emplace_back(i, i);
  return result;
}

LineTranslation hostile(const Passage&) {
  return {.text = "5; <b> </p> --> <!-- <script>x</script> ]]> \" ' &lt; & &amp </title> <"};
}

std::string rewritten(const std::string& html, LineTranslation (*translate)(const Passage&)) {
  const regard::Document document = regard::html_document(html);
  std::vector<LineTranslation> all;
  for (const Passage& passage : document.passages) all.push_back(translate(passage));
  std::vector<const LineTranslation*> by;
  for (const LineTranslation& each : all) by.push_back(&each);
  return rendered(document, by);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string html = nlohmann::json::parse(line);
    std::cout << nlohmann::json{rewritten(html, in_capitals), rewritten(html, hostile)} << "\n";
  }
}
