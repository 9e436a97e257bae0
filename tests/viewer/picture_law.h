#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "regard/base/rng.h"
#include "regard/viewer/heat_map.h"
#include "regard/viewer/text.h"

namespace regard {

inline constexpr double kHidden = std::numeric_limits<double>::quiet_NaN();

/// Random values in [low, high), a tenth of them hidden where asked.
inline Panel random_panel(std::int64_t rows, std::int64_t cols, Rng rng, double low = 0,
                          bool hides = false) {
  Panel panel{.rows = rows, .cols = cols};
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    const auto draw = static_cast<std::uint64_t>(i);
    const bool hidden = hides && rng.fork("hidden").uniform(draw) < 0.1;
    panel.values.push_back(hidden ? kHidden : low + (1 - low) * rng.uniform(draw));
  }
  return panel;
}

/// "" for a document whose tags nest and whose attributes and text are escaped, else what is wrong.
inline std::string xml_fault(const std::string& document) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < document.size();) {
    if (document[at] == '&') {
      const std::size_t end = document.find(';', at);
      if (end == std::string::npos || end - at > 6) return "bare & at " + std::to_string(at);
    }
    if (document[at] == '>') return "bare > at " + std::to_string(at);
    if (document[at] != '<') {
      if (static_cast<unsigned char>(document[at]) < 0x20 && document[at] != '\n')
        return "control character at " + std::to_string(at);
      ++at;
      continue;
    }
    const std::size_t end = document.find('>', at);
    if (end == std::string::npos) return "tag without end";
    const std::string tag = document.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return "bare < in " + tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.front() == '/') {
      if (open.empty() || "/" + open.back() != tag) return "unexpected <" + tag + ">";
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "unclosed <" + open.back() + ">";
}

/// How often a part occurs.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// The lines of what was printed, without escape sequences.
inline std::vector<std::string> plain_lines(const std::string& printed) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (printed[i] == '\x1b') {
      i = printed.find('m', i);
    } else if (printed[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += printed[i];
    }
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

inline void expect_fits(const std::string& printed, const Terminal& terminal) {
  for (const std::string& line : plain_lines(printed))
    ASSERT_LE(display_width(line), terminal.width) << line;
  if (terminal.colour == TerminalColour::none) {
    ASSERT_EQ(printed.find('\x1b'), std::string::npos);
  }
  if (!terminal.unicode) {
    for (const char c : printed) ASSERT_LT(static_cast<unsigned char>(c), 0x80);
  }
  ASSERT_TRUE(printed.empty() || printed.back() == '\n');
}

inline std::vector<Terminal> every_terminal(int width) {
  std::vector<Terminal> all;
  for (const TerminalColour colour :
       {TerminalColour::none, TerminalColour::indexed, TerminalColour::full})
    for (const bool unicode : {false, true}) all.push_back({colour, width, unicode});
  return all;
}

}  // namespace regard
