#include "regard/viewer/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "picture_law.h"
#include "regard/viewer/heat_map.h"

namespace regard {
namespace {

// Sets the variables that terminal_of reads, and puts the old ones back.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& values) {
    for (const char* name :
         {"TERM", "COLORTERM", "NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"}) {
      if (const char* old = std::getenv(name)) before_[name] = old;
      unsetenv(name);
      names_.emplace_back(name);
    }
    for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const std::string& name : names_) unsetenv(name.c_str());
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::string> before_;
};

struct PseudoTerminal {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
  ~PseudoTerminal() { close(descriptor); }
};

TEST(TerminalOf, APipeHasNoColour) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    const Environment environment({{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}});
    const Terminal found = terminal_of(ends[1]);
    EXPECT_EQ(found.colour, TerminalColour::none);
    EXPECT_EQ(found.width, 80);
    EXPECT_FALSE(found.unicode);
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(TerminalOf, ReadsTheEnvironment) {
  const PseudoTerminal tty;
  ASSERT_TRUE(isatty(tty.descriptor));
  const auto colour = [&](const std::map<std::string, std::string>& values) {
    const Environment environment(values);
    return terminal_of(tty.descriptor).colour;
  };
  EXPECT_EQ(colour({{"TERM", "xterm-256color"}}), TerminalColour::indexed);
  EXPECT_EQ(colour({{"TERM", "xterm"}, {"COLORTERM", "truecolor"}}), TerminalColour::full);
  EXPECT_EQ(colour({{"TERM", "xterm"}, {"COLORTERM", "truecolor"}, {"NO_COLOR", "1"}}),
            TerminalColour::none);
  EXPECT_EQ(colour({{"TERM", "dumb"}}), TerminalColour::none);

  const auto unicode = [&](const std::map<std::string, std::string>& values) {
    const Environment environment(values);
    return terminal_of(tty.descriptor).unicode;
  };
  EXPECT_TRUE(unicode({{"LANG", "fr_FR.UTF-8"}}));
  EXPECT_TRUE(unicode({{"LC_ALL", "C.utf8"}, {"LANG", "C"}}));
  EXPECT_FALSE(unicode({{"LC_ALL", "C"}, {"LANG", "fr_FR.UTF-8"}}));
}

TEST(TerminalOf, AsksTheTerminalForItsWidth) {
  const PseudoTerminal tty;
  winsize size{};
  size.ws_col = 133;
  ASSERT_EQ(ioctl(tty.descriptor, TIOCSWINSZ, &size), 0);
  {
    const Environment environment({});
    EXPECT_EQ(terminal_of(tty.descriptor).width, 133);
  }
  const std::map<std::string, std::string> said{{"COLUMNS", "61"}};
  const Environment environment(said);
  EXPECT_EQ(terminal_of(tty.descriptor).width, 61);
}

TEST(Fitted, IsExactlyAsWideAsAsked) {
  for (const Terminal& kind : every_terminal(80))
    for (const char* label :
         {"", "cat", "日本語", "👩‍💻", "a\nb", "anticonstitutionnellement"})
      for (int width = 0; width < 12; ++width)
        EXPECT_EQ(display_width(fitted(kind, label, width)), width) << label;
}

TEST(HeatMapTerminal, NeverPassesTheWidth) {
  const std::vector<std::string> words{
      "日本語", "anticonstitutionnellement", "\x1b[2J", "x", "👩‍💻", ""};
  for (std::uint64_t draw = 0; draw < 60; ++draw) {
    const Rng rng(draw);
    const auto size = [&](std::uint64_t i) {
      return static_cast<std::int64_t>(rng.fork("size").below(i, draw % 5 ? 12 : 150));
    };
    HeatMap map{.title = "a title that may well be wider than the terminal", .panels = {}};
    map.panels_across = static_cast<std::int64_t>(rng.below(1, 4));
    for (std::uint64_t p = 0; p < 1 + draw % 6; ++p) {
      map.panels.push_back(
          random_panel(size(2 * p), size(2 * p + 1), rng.fork(p), draw % 2 ? -1 : 0, true));
      map.panels.back().title = words[p % words.size()];
      if (draw % 3 == 0)
        for (std::int64_t i = 0; i < map.panels.back().cols; ++i)
          map.panels.back().col_labels.push_back(words[static_cast<std::size_t>(i) % words.size()]);
    }
    for (const int width : {1, 2, 3, 7, 20, 80, 200})
      for (const Terminal& kind : every_terminal(width)) expect_fits(terminal(map, kind), kind);
  }
}

TEST(HeatMapTerminal, ShowsLabelsAndNumbersWhereTheyFit) {
  const HeatMap map{.title = "weights",
                    .panels = {{"", 2, 2, {0.25, 0.75, 1.0, kHidden}, {"je", "suis"}, {"i", "am"}}},
                    .range = std::pair(0.0, 1.0)};
  for (const Terminal& kind : every_terminal(80)) {
    std::string all;
    for (const std::string& line : plain_lines(terminal(map, kind))) all += line + "\n";
    for (const char* part : {"weights", "je", "suis", "am", "0.25", "0.75", "1.00", "hidden"})
      EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
  const std::string plain = terminal(map, {TerminalColour::none, 80, false});
  EXPECT_NE(plain.find("1.00@"), std::string::npos) << plain;  // darkest of the ramp
}

}  // namespace
}  // namespace regard
