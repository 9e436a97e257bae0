// HTML through the server's reader and writer with translations that need no model: one JSON text a
// line in; out, the same with its words in capitals, and with a hostile sentence for each passage.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/serve/html_testing.h"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::string html = nlohmann::json::parse(line);
    const std::string hostile = regard::testing::rewritten(html, [](const regard::Passage&) {
      return regard::LineTranslation{
          "5; <b> </p> --> <!-- <script>x</script> ]]> \" ' &lt; & &amp </title> <"};
    });
    std::cout << nlohmann::json{regard::testing::in_capitals(html), hostile} << "\n";
  }
}
