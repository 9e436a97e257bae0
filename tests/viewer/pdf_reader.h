#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

namespace regard {

/// A PDF file read back by its table of objects, as far as ours go.
class PdfReader {
 public:
  explicit PdfReader(std::string file) : file_(std::move(file)) {
    EXPECT_TRUE(file_.starts_with("%PDF-1.5\n"));
    EXPECT_TRUE(file_.ends_with("%%EOF\n"));
    const std::size_t start = std::stoul(file_.substr(file_.rfind("startxref\n") + 10));
    EXPECT_EQ(file_.substr(start, 7), "xref\n0 ");
    const std::size_t count = std::stoul(file_.substr(start + 7));
    std::size_t entry = file_.find('\n', start + 7) + 1;
    EXPECT_EQ(file_.substr(entry, 20), "0000000000 65535 f \n");
    for (std::size_t i = 1; i < count; ++i) {
      entry += 20;
      const std::size_t place = std::stoul(file_.substr(entry, 10));
      EXPECT_EQ(file_.substr(entry + 10, 10), " 00000 n \n");
      const std::string head = std::to_string(i) + " 0 obj\n";
      EXPECT_EQ(file_.substr(place, head.size()), head);
      objects_[static_cast<int>(i)] = object_at(place + head.size());
    }
    EXPECT_EQ(file_.substr(entry + 20, 8), "trailer\n");
    EXPECT_NE(file_.find("/Size " + std::to_string(count), entry), std::string::npos);
  }

  std::string object(int number) const { return objects_.at(number); }

  /// The first object that contains the text.
  std::string object_with(const std::string& text) const {
    for (const auto& [number, object] : objects_)
      if (object.find(text) != std::string::npos) return object;
    ADD_FAILURE() << "no object with " << text;
    return {};
  }

  /// The object that another names: "/Contents 7 0 R".
  std::string named(const std::string& object, const std::string& key) const {
    const std::size_t at = object.find(key + " ");
    EXPECT_NE(at, std::string::npos) << key << " in " << object;
    const std::size_t digit = object.find_first_of("0123456789", at + key.size());
    return objects_.at(std::stoi(object.substr(digit)));
  }

  /// What a compressed stream holds.
  static std::string stream(const std::string& object) {
    const std::string mark = "\nstream\n";
    const std::size_t at = object.find(mark) + mark.size();
    const std::size_t size = std::stoul(object.substr(object.find("/Length ") + 8));
    EXPECT_EQ(object.substr(at + size), "\nendstream");
    std::string text(std::size_t{1} << 23, '\0');
    uLongf room = text.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &room,
                         reinterpret_cast<const Bytef*>(object.data() + at), size),
              Z_OK);
    text.resize(room);
    return text;
  }

  std::string page() const { return object_with("/Type /Page "); }
  std::string content() const { return stream(named(page(), "/Contents")); }

  /// Every text that is shown, by what the fonts say their letters mean, each as UTF-16 in
  /// hexadecimal, from left to right.
  std::vector<std::string> texts() const {
    std::map<std::string, std::map<std::string, std::string>> meanings;
    for (const std::string font : {"/Regular", "/Bold"}) {
      if (page().find(font + " ") == std::string::npos) continue;
      const std::string map = stream(named(named(page(), font), "/ToUnicode"));
      const std::regex pair("<([0-9A-F]{4})> <([0-9A-F]+)>\n");
      for (std::sregex_iterator i(map.begin(), map.end(), pair), end; i != end; ++i)
        meanings[font][(*i)[1]] = (*i)[2];
    }
    std::vector<std::string> texts;
    const std::string all = content();
    const std::regex shown("(/Regular|/Bold) [^\n]*<([0-9A-F]+)> Tj");
    for (std::sregex_iterator i(all.begin(), all.end(), shown), end; i != end; ++i) {
      std::string text;
      const std::string codes = (*i)[2];
      for (std::size_t at = 0; at < codes.size(); at += 4)
        text += meanings[(*i)[1]].at(codes.substr(at, 4));
      texts.push_back(text);
    }
    return texts;
  }

 private:
  std::string object_at(std::size_t start) const {
    // A stream may hold any bytes, so its length decides where it ends.
    const std::size_t stream = file_.find("stream\n", start), end = file_.find("\nendobj\n", start);
    if (stream == std::string::npos || stream > end) return file_.substr(start, end - start);
    const std::size_t size = std::stoul(file_.substr(file_.find("/Length ", start) + 8));
    const std::size_t after = stream + 7 + size;
    EXPECT_EQ(file_.substr(after, 18), "\nendstream\nendobj\n");
    return file_.substr(start, after + 10 - start);
  }

  std::string file_;
  std::map<int, std::string> objects_;
};

}  // namespace regard
