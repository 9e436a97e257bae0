// The page for those who know other names: what it says is ours is ours, and is tested where it
// says.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/architecture/repository.h"

namespace {

namespace fs = std::filesystem;
using regard::testing::content;
using regard::testing::kRoot;

/// All matches of a pattern's first group.
std::vector<std::string> found(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> groups;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    groups.push_back((*it)[1]);
  return groups;
}

/// The cells of all tables, a row's in order.
std::vector<std::vector<std::string>> rows(const std::string& page) {
  std::vector<std::vector<std::string>> all;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    std::istringstream row(line.substr(2));
    all.emplace_back();
    for (std::string cell; std::getline(row, cell, '|');) all.back().push_back(cell);
  }
  return all;
}

const std::string kPage = content(kRoot / "docs/22-coming-from.md");

TEST(ComingFrom, NamesWhatTheHeadersHave) {
  const std::regex link(R"(\]\(\.\./(regard/[\w/]+\.h)\))"), name("`([A-Za-z_]\\w*)`");
  std::size_t seen = 0;
  for (const std::vector<std::string>& row : rows(kPage)) {
    if (row.size() < 2) continue;
    std::string headers;
    for (const std::string& path : found(row[1], link)) {
      EXPECT_TRUE(fs::exists(kRoot / path)) << path;
      headers += content(kRoot / path);
    }
    if (headers.empty()) continue;
    for (const std::string& ours : found(row[1], name)) {
      ++seen;
      EXPECT_TRUE(std::regex_search(headers, std::regex("\\b" + ours + "\\b")))
          << ours << " is in no header of: " << row[1];
    }
  }
  EXPECT_GT(seen, 80u) << "the pattern no longer finds the names";
}

TEST(ComingFrom, NamesTestsThatThereAre) {
  std::set<std::string> tests;
  const std::regex test(R"(\bTEST(?:_P|_F)?\((\w+, \w+)\))"), name(R"(`([\w/]*\.[A-Z]\w+)`)");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "tests"))
    if (entry.path().extension() == ".cpp")
      for (const std::string& each : found(content(entry.path()), test)) tests.insert(each);
  std::string suite;
  const std::size_t table = kPage.find("\n## Numbers and their tests");
  ASSERT_NE(table, kPage.npos);
  const std::vector<std::string> names = found(kPage.substr(table), name);
  for (const std::string& each : names) {
    const std::size_t dot = each.find('.');
    if (dot > 0) suite = each.substr(each.find('/') + 1, dot - (each.find('/') + 1));
    EXPECT_TRUE(tests.contains(suite + ", " + each.substr(dot + 1))) << each;
  }
  EXPECT_GT(names.size(), 25u) << "the pattern no longer finds the names";
}

}  // namespace
