// The page as the program holds it: small, whole, and without a word to anyone else.
#include "regard/page/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

namespace regard {
namespace {

std::set<std::string> paths() {
  std::set<std::string> all;
  for (const PageFile& file : page_files()) all.emplace(file.path);
  return all;
}

std::vector<std::string> matches(std::string_view text, const std::regex& pattern) {
  std::vector<std::string> all;
  using Iterator = std::regex_iterator<std::string_view::const_iterator>;
  for (Iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    all.push_back((*it)[1]);
  return all;
}

/// What stands between two marks, the first time; empty if they are missing.
std::string between(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t from = text.find(first);
  if (from == std::string::npos) return {};
  const std::size_t start = from + first.size();
  return text.substr(start, text.find(last, start) - start);
}

std::string unpacked(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((held += 6) >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 255);
  }
  return bytes;
}

nlohmann::json data_of(const std::string& page) {
  return nlohmann::json::parse(
      between(page, "<script type=\"application/json\" id=\"regard-data\">", "</script>"));
}

TEST(Page, IsSmallInTheProgram) {
  std::size_t bytes = 0;
  for (const PageFile& file : page_files()) {
    bytes += file.packed.size();
    EXPECT_LT(file.packed.size(), file.bytes.size() + 64) << file.path;
  }
  EXPECT_GT(bytes, 20'000u) << "files are missing";
  EXPECT_LT(bytes, 300'000u);
}

TEST(Page, ModulesFitInAHead) {
  for (const PageFile& file : page_files())
    EXPECT_LE(std::ranges::count(file.bytes, '\n'), 400) << file.path;
}

TEST(Page, HasItsPathsAndTypes) {
  const std::set<std::string> all = paths();
  EXPECT_EQ(all.size(), page_files().size()) << "a path twice";
  for (const char* path : {"/", "/page/main.js", "/page/style.css", "/page/icon.svg"})
    EXPECT_TRUE(all.contains(path)) << path;
  for (const PageFile& file : page_files()) {
    const bool module = file.path.ends_with(".js");
    EXPECT_EQ(file.type == "text/html; charset=utf-8", file.path == "/") << file.path;
    EXPECT_EQ(file.type == "text/javascript; charset=utf-8", module) << file.path;
  }
}

TEST(Page, NamesNoOtherHost) {
  const std::regex address("((?:https?:)?//[\\w-]+\\.[\\w.]+)");
  for (const PageFile& file : page_files())
    for (const std::string& found : matches(file.bytes, address))
      EXPECT_EQ(found, "http://www.w3.org") << file.path << ": only the names of SVG's space may";
}

TEST(Page, EveryImportResolves) {
  const std::set<std::string> all = paths();
  const std::regex import("(?:from |import\\()'([^']+)'");
  int seen = 0;
  for (const PageFile& file : page_files())
    for (const std::string& name : matches(file.bytes, import)) {
      EXPECT_TRUE(name.starts_with("./") && all.contains("/page/" + name.substr(2)))
          << file.path << " imports " << name;
      ++seen;
    }
  EXPECT_GT(seen, 30) << "the pattern no longer finds the imports";
}

// covers SV22
TEST(Page, AsksAtOnceForWhatItBeginsWith) {
  const std::regex named(
      "<(?:link rel=\"modulepreload\" href|script type=\"module\" src)=\"([^\"]+)\"");
  const std::regex import("from '\\./([^']+)'");
  std::map<std::string, std::string> text;
  for (const PageFile& file : page_files()) text[std::string(file.path)] = file.bytes;
  std::set<std::string> needed;
  std::vector<std::string> unread{"/page/main.js", "/page/view_translate.js"};
  while (!unread.empty()) {
    const std::string path = unread.back();
    unread.pop_back();
    if (!needed.insert(path).second) continue;
    for (const std::string& name : matches(text.at(path), import))
      unread.push_back("/page/" + name);
  }
  const std::vector<std::string> asked = matches(text.at("/"), named);
  EXPECT_EQ(std::set<std::string>(asked.begin(), asked.end()), needed);
  EXPECT_EQ(asked.size(), needed.size()) << "one twice";
  EXPECT_FALSE(needed.contains("/page/view_story.js")) << "other views come later";
}

// covers SV22
TEST(Page, NeedsNoExceptionFromAStrictPolicy) {
  for (const PageFile& file : page_files()) {
    for (const char* way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
                            "eval(", "new Function"})
      EXPECT_EQ(file.bytes.find(way), std::string_view::npos) << file.path << " uses " << way;
    if (file.path != "/") continue;
    EXPECT_TRUE(matches(file.bytes, std::regex("( (?:style|on\\w+)=)")).empty());
    EXPECT_EQ(
        matches(file.bytes, std::regex("(<script(?!(?: type=\"module\")? src=\"/page/))")).size(),
        0u);
  }
}

TEST(SavedPage, HoldsTheDataWhateverItSays) {
  const nlohmann::json data{
      {"trace", {{"translatedText", "</script><script>alert(1)</script><!-- é 猫 \"q\" \\ &amp;"}}},
      {"runs", nlohmann::json::array()}};
  const std::string page = saved_page(data.dump());
  EXPECT_EQ(data_of(page), data);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(saved_page("{}").size() + data.dump().size() - 2 + 5 * 4, page.size())
      << "each of the four '<' is written as five bytes more";
}

TEST(SavedPage, HoldsEveryModuleUnderABareName) {
  const std::string page = saved_page("{}");
  const nlohmann::json imports = nlohmann::json::parse(
      between(page, "<script type=\"importmap\" nonce=\"regard\">", "</script>"))["imports"];
  int modules = 0;
  for (const PageFile& file : page_files()) {
    if (!file.path.ends_with(".js") || file.path == "/page/theme_first.js") continue;
    ++modules;
    const std::string name = "regard/" + std::string(file.path.substr(6));
    ASSERT_TRUE(imports.contains(name)) << name;
    const std::string address = imports[name];
    const std::string start = "data:text/javascript;base64,";
    ASSERT_TRUE(address.starts_with(start));
    const std::string module = unpacked(address.substr(start.size()));
    EXPECT_EQ(module, std::regex_replace(std::string(file.bytes),
                                         std::regex("(from |import\\()'\\./"), "$1'regard/"));
    for (const std::string& used : matches(module, std::regex("(?:from |import\\()'([^']+)'")))
      EXPECT_TRUE(imports.contains(used)) << name << " imports " << used;
  }
  EXPECT_EQ(imports.size(), static_cast<std::size_t>(modules));
}

TEST(SavedPage, AsksNobody) {
  const std::string page = saved_page("{}");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* way : {"src=\"", "href=\"/", "connect-src", "http://127"})
    EXPECT_EQ(page.find(way), std::string::npos) << way;
}

}  // namespace
}  // namespace regard
