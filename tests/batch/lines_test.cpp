#include "regard/batch/lines.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "tests/batch/batch_testing.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using namespace std::string_literals;
using testing::Draw;
using testing::expect_fault;
using testing::gzip;
using testing::law;

std::vector<std::string> all_lines(const std::string& path, Index most = Lines::kMaxBytes,
                                   ReadCall read = {}) {
  Lines lines(path, most, std::move(read));
  std::vector<std::string> all;
  while (const std::optional<TextLine> line = lines.next()) {
    EXPECT_EQ(line->number, static_cast<Index>(all.size()) + 1);
    all.push_back(line->too_long ? "(too long)" : std::string(line->text));
  }
  EXPECT_EQ(lines.number(), static_cast<Index>(all.size()));
  EXPECT_FALSE(lines.next()) << "the end stays the end";
  return all;
}

/// Any bytes, line ends and multi-byte characters among them more often than chance has it.
std::string random_bytes(Draw& draw, Index most) {
  const std::vector<std::string> pieces = {"\n",           "\r\n",     "\r",           "\0"s,
                                           "\xE2\x80\xA8", "\xC2\x85", "\xEF\xBB\xBF", "a b\tc"};
  std::string bytes;
  for (Index i = draw.integer(0, most); i > 0; --i)
    bytes += draw.coin() ? pieces[static_cast<std::size_t>(draw.integer(0, 7))]
                         : std::string(1, static_cast<char>(draw.integer(0, 255)));
  return bytes;
}

class LinesOfFile : public testing::InFolder {};

TEST_F(LinesOfFile, EndWithLineFeedOnly) {  // covers CO2
  using Expected = std::vector<std::string>;
  EXPECT_EQ(all_lines(write("a", "one\ntwo\n")), (Expected{"one", "two"}));
  EXPECT_EQ(all_lines(write("a", "one\r\ntwo")), (Expected{"one", "two"}));
  EXPECT_EQ(all_lines(write("a", "\xEF\xBB\xBFone\n\n")), (Expected{"one", ""}));
  EXPECT_EQ(all_lines(write("a",
                            "a\rb\xE2\x80\xA8"
                            "c\xC2\x85"
                            "d\0e"s)),
            (Expected{"a\rb\xE2\x80\xA8"
                      "c\xC2\x85"
                      "d\0e"s}));
  EXPECT_EQ(all_lines(write("a", "")), Expected{});
  EXPECT_EQ(all_lines(write("a", "\n")), Expected{""});
}

TEST_F(LinesOfFile, AnyTextIsTextUnlessItIsGzip) {  // covers CL3
  const auto any_lines = [](const std::string& path) {
    Lines lines(path, Lines::kMaxBytes, {}, Reading::any_text);
    std::vector<std::string> all;
    while (const std::optional<TextLine> line = lines.next()) all.emplace_back(line->text);
    return all;
  };
  for (const std::string& start :
       {"\xFF\xFE"s, "\xFE\xFF"s, "\x1F"s, "\x1F\x8B"s, "\x1F\x8B a"s, "PK\x03\x04"s, "BZh91AY&SY"s,
        "\x28\xB5\x2F\xFD"s, "\xFD\x37\x7AXZ\0"s}) {
    EXPECT_EQ(any_lines(write("a", start)), (std::vector{start}));
    EXPECT_EQ(any_lines(write("a", start + "\nb\n")), (std::vector{start, "b"s}));
  }
  EXPECT_EQ(any_lines(write("a", gzip("x\ny"))), (std::vector{"x"s, "y"s}));
  expect_fault(Fault::input, {"gzip"}, [&] { any_lines(write("a", "\x1F\x8B\x08 not gzip\n")); });
}

TEST_F(LinesOfFile, AreTheSameHoweverReadAndPacked) {  // covers CO2, CO6
  law("lines of gzip = lines of plain = split at LF", 100, [&](Draw& draw) {
    std::string text = "x"s.append(random_bytes(draw, 60));
    std::vector<std::string> expected;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(at, end - at);
      if (line.ends_with('\r')) line.pop_back();
      expected.push_back(line);
      at = end + 1;
    }
    ASSERT_EQ(all_lines(write("plain", text)), expected);
    const auto cut = static_cast<std::size_t>(draw.integer(0, static_cast<Index>(text.size())));
    const std::string two_members = gzip(text.substr(0, cut)) + gzip(text.substr(cut));
    ASSERT_EQ(all_lines(write("no-such-ending", two_members)), expected);
    ASSERT_EQ(all_lines(write("padded.gz", two_members + std::string(1000, '\0'))), expected);
    const std::size_t step = static_cast<std::size_t>(draw.integer(1, 9));
    const ReadCall in_small_steps = [&](int file, void* to, std::size_t size) {
      return ::read(file, to, std::min(size, step));
    };
    ASSERT_EQ(all_lines(path("plain"), Lines::kMaxBytes, in_small_steps), expected);
    ASSERT_EQ(all_lines(path("padded.gz"), Lines::kMaxBytes, in_small_steps), expected);
  });
  EXPECT_EQ(all_lines(write("plain.gz", "not packed\n")), std::vector<std::string>{"not packed"});
}

TEST_F(LinesOfFile, LongerThanThePieceOfAReadAreWhole) {
  law("lines across pieces", 6, [&](Draw& draw) {
    std::vector<std::string> expected;
    std::string text;
    for (int i = 0; i < 12; ++i) {
      expected.emplace_back(static_cast<std::size_t>(draw.integer(0, 200'000)), 'a' + i);
      text += expected.back() + (draw.coin() ? "\r\n" : "\n");
    }
    ASSERT_EQ(all_lines(write("plain", text)), expected);
    ASSERT_EQ(all_lines(write("packed", gzip(text))), expected);
  });
}

TEST_F(LinesOfFile, TooLongArePassedOver) {  // covers CO3
  const std::string text = "12345\r\n123456\n" + std::string(300'000, 'x') + "\nok\n1234567";
  const std::vector<std::string> expected = {"12345", "(too long)", "(too long)", "ok",
                                             "(too long)"};
  EXPECT_EQ(all_lines(write("a", text), 5), expected);
  EXPECT_EQ(all_lines(write("a", gzip(text)), 5), expected);
}

TEST_F(LinesOfFile, OfABombTakeNoMemory) {  // covers CO3, CO6
  std::string bomb;
  const std::string member = gzip(std::string(1 << 24, 'x'));
  for (int i = 0; i < 16; ++i) bomb += member;  // one line of 256 MiB in 256 kB
  write("bomb.gz", bomb);
  const auto one_line = [&] {
    return all_lines(path("bomb.gz")) == std::vector<std::string>{"(too long)"};
  };
  EXPECT_LT(testing::memory_for(one_line), 16);
}

TEST_F(LinesOfFile, OfADamagedGzipAreAnError) {  // covers CO6
  const std::string packed = gzip("The quick brown fox\njumps over the lazy dog\n");
  for (std::size_t size = 0; size < packed.size(); ++size) {
    write("cut.gz", packed.substr(0, size));
    expect_fault(Fault::input, {path("cut.gz") + ": @" + std::to_string(size), "cut short"},
                 [&] { all_lines(path("cut.gz")); });
    write("cut.gz", packed + packed.substr(0, size));
    if (size > 0)
      expect_fault(Fault::input, {": @", "cut short"}, [&] { all_lines(path("cut.gz")); });
  }
  for (std::size_t at = packed.size() - 8; at < packed.size(); ++at) {  // CRC and size
    std::string wrong = packed;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    expect_fault(Fault::input, {": @", "damaged"}, [&] { all_lines(write("x.gz", wrong)); });
  }
  for (const std::string& tail : {"garbage"s, "\x1f"s + "x", "\0\0x"s, "\0"s + packed})
    expect_fault(Fault::input, {": @"}, [&] { all_lines(write("x.gz", packed + tail)); });
}

TEST_F(LinesOfFile, OfAFlippedGzipAreTheTextOrAnError) {  // covers CO6
  const std::string text = "The quick brown fox\njumps over the lazy dog\n";
  const std::string packed = gzip(text);
  const std::vector<std::string> right = all_lines(write("x", text));
  for (std::size_t bit = 16; bit < packed.size() * 8; ++bit) {  // the magic itself left alone
    std::string wrong = packed;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
    write("x.gz", wrong);
    try {
      EXPECT_EQ(all_lines(path("x.gz")), right) << "bit " << bit;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
    }
  }
}

TEST_F(LinesOfFile, OfOtherPackingsAreRefusedByName) {  // covers CO6
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"\x28\xb5\x2f\xfd rest", "zstd"}, {"\xfd\x37zXZ\0rest"s, "xz"},
      {"BZh91AY&SYrest", "bzip2"},       {"PK\x03\x04rest", "unzip"},
      {"\xFF\xFEh\0i\0"s, "UTF-16"},     {"\xFE\xFF\0h\0i"s, "UTF-16"}};
  for (const auto& [start, name] : kinds)
    expect_fault(Fault::input, {path("x"), name}, [&] { all_lines(write("x", start)); });
}

TEST_F(LinesOfFile, AreReadAgainWhenInterruptedAndNotWhenTheDiskFails) {  // covers CO11
  for (const std::string& content : {"one\ntwo\n"s, gzip("one\ntwo\n")}) {
    const std::string file = write("a", content);
    const auto size = static_cast<int>(content.size());
    int calls = 0;
    const ReadCall interrupted = [&](int descriptor, void* to, std::size_t) -> ssize_t {
      errno = EINTR;
      return ++calls % 3 ? -1 : ::read(descriptor, to, 1);
    };
    EXPECT_EQ(all_lines(file, 100, interrupted), (std::vector<std::string>{"one", "two"}));
    EXPECT_GT(calls, 3 * size);
    for (int k = 1; k <= size + 1; ++k) {  // the last one finds the end
      calls = 0;
      const ReadCall broken = [&](int descriptor, void* to, std::size_t) -> ssize_t {
        errno = EIO;
        return ++calls == k ? -1 : ::read(descriptor, to, 1);
      };
      expect_fault(Fault::io,
                   {file, "@"s.append(std::to_string(k - 1)).append(":"), std::strerror(EIO)},
                   [&] { all_lines(file, 100, broken); });
    }
  }
}

TEST_F(LinesOfFile, NeedAFile) {
  expect_fault(Fault::input, {path("none"), "No such file"}, [&] { Lines lines(path("none")); });
  expect_fault(Fault::input, {"not a regular file"}, [&] { Lines lines(folder_.string()); });
  expect_fault(Fault::input, {"not a regular file"}, [&] { Lines lines("/dev/zero"); });
}

TEST_F(LinesOfFile, MayComeThroughAPipe) {  // covers CO13
  for (const std::string& content : {"one\ntwo\n"s, gzip("one\ntwo\n")}) {
    const std::string pipe = path("pipe" + std::to_string(content.size()));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::jthread writer([&] { std::ofstream(pipe, std::ios::binary) << content; });
    EXPECT_EQ(all_lines(pipe), (std::vector<std::string>{"one", "two"}));
  }
}

}  // namespace
}  // namespace regard
