// The architecture holds: folders include only what regard/CMakeLists.txt allows, and files stay
// small.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/architecture/repository.h"

namespace {

namespace fs = std::filesystem;
using regard::testing::content;
using regard::testing::kRoot;
using Parts = std::map<std::string, std::set<std::string>>;

constexpr int kMaxLines = 400;

/// Folder -> the folders it may include, as the part() lines say.
Parts parts() {
  Parts result;
  const std::string text = content(kRoot / "regard/CMakeLists.txt");
  const std::regex line(R"(\npart\((\w+)(?: USES ([\w ]+?))?(?: LINKS [^)]*)?\))");
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
    std::istringstream uses((*it)[2]);
    std::set<std::string>& allowed = result[(*it)[1]];
    for (std::string used; uses >> used;) allowed.insert(used);
  }
  return result;
}

std::vector<fs::path> sources(const std::string& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const std::string extension = entry.path().extension();
    if (extension == ".cpp" || extension == ".h") files.push_back(entry.path());
  }
  return files;
}

TEST(Architecture, EveryFolderHasItsPartLine) {
  const Parts all = parts();
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "regard"))
    EXPECT_TRUE(!entry.is_directory() || all.contains(entry.path().filename()))
        << entry.path() << " has no part() line";
  EXPECT_GE(all.size(), 10u);
}

TEST(Architecture, IncludesGoOnlyWhereThePartLinesAllow) {
  const Parts all = parts();
  const std::regex include(R"re(#include "regard/(\w+)/)re");
  int seen = 0;
  for (const fs::path& file : sources("regard")) {
    const std::string folder = *fs::relative(file, kRoot / "regard").begin();
    const std::string text = content(file);
    for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it, ++seen)
      EXPECT_TRUE((*it)[1] == folder || all.at(folder).contains((*it)[1]))
          << fs::relative(file, kRoot) << " includes from " << (*it)[1] << ", which part(" << folder
          << ") does not use";
  }
  EXPECT_GT(seen, 100) << "the pattern no longer finds the includes";
}

TEST(Architecture, PartsAreListedAfterWhatTheyUse) {
  std::set<std::string> before;
  const std::string text = content(kRoot / "regard/CMakeLists.txt");
  const std::regex line(R"(\npart\((\w+))");
  const Parts all = parts();
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
    for (const std::string& used : all.at((*it)[1]))
      EXPECT_TRUE(before.contains(used)) << (*it)[1] << " uses " << used << ", listed after it";
    before.insert((*it)[1]);
  }
}

// covers CK12: a clock that is set back or jumps changes nothing but the time stamps of a log
TEST(Architecture, TimeIsTakenFromAClockThatOnlyRises) {
  const std::regex wall(R"(system_clock|gettimeofday|CLOCK_REALTIME|\btime\(nullptr\))");
  int monotonic = 0;
  for (const fs::path& file : sources("regard")) {
    const std::string text = content(file);
    const bool stamps = file.filename() == "utc_time.cpp";
    EXPECT_EQ(std::regex_search(text, wall), stamps) << fs::relative(file, kRoot);
    monotonic += text.find("steady_clock") != text.npos;
  }
  EXPECT_GT(monotonic, 3);
}

/// The text without strings and comments.
std::string code_alone(const std::string& text) {
  const std::regex strings(R"re("(\\.|[^"\\\n])*")re"), comments("//[^\n]*");
  return std::regex_replace(std::regex_replace(text, strings, ""), comments, "");
}

// The standard library's exp and the like differ in last bits from machine to machine; ours do not
// (regard/base/elementary.h). sqrt, fma, floor and round are exact by IEEE 754. Pictures, pages and
// the guess of a language may differ; so may GELU in f64, in which no model runs.
TEST(Architecture, ResultsNeverComeFromTheStandardLibrarysFunctions) {
  const std::set<std::string> may{"page", "serve", "viewer"};
  const std::string all =
      "a?cosh?|a?sinh?|a?tanh?|atan2|cbrt|erfc?|exp(2|10|m1)?|hypot|log(1p|2|10)?|pow|[lt]gamma";
  const std::regex called("(std::|[^\\w:.>])(" + all + ")f?l?\\s*\\(");
  const std::regex taken("std::(" + all + ")f?l?\\b");
  const std::regex declared("\\bVar tanh\\(");
  int own = 0;
  for (const fs::path& file : sources("regard")) {
    const fs::path place = fs::relative(file, kRoot / "regard");
    if (may.contains(*place.begin()) || place.stem().string().starts_with("elementary")) continue;
    std::string text = code_alone(content(file));
    own += text.find("elementary::") != text.npos;
    text = std::regex_replace(text, declared, "");
    if (place == "backend/cpu/math.h") text = std::regex_replace(text, std::regex("std::erfc"), "");
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, taken) || std::regex_search(text, found, called))
        << place << ": " << found.str();
  }
  EXPECT_GT(own, 15) << "the pattern no longer finds the functions";
}

// covers SV9: what is nested too deep ends the program nowhere
TEST(Architecture, JsonIsReadInOnePlace) {
  const std::regex raw(R"([jJ]son\s*::\s*(parse|accept|sax_parse|from_\w+)\b|"_json\b)");
  int seen = 0;
  for (const fs::path& file : sources("regard")) {
    const bool reader = *fs::relative(file, kRoot / "regard").begin() == "config";
    const std::string text = content(file);
    const bool found = std::regex_search(text, raw);
    EXPECT_TRUE(reader || !found) << fs::relative(file, kRoot)
                                  << " reads JSON by itself; parse_json() has the limits";
    seen += found;
  }
  EXPECT_EQ(seen, 1) << "the pattern no longer finds the reader";
}

TEST(Architecture, FilesFitInAHead) {
  for (const std::string folder : {"regard", "tests", "examples", "bench", "fuzz"})
    for (const fs::path& file : sources(folder)) {
      const std::string text = content(file);
      EXPECT_LE(std::ranges::count(text, '\n'), kMaxLines) << fs::relative(file, kRoot);
    }
}

}  // namespace
