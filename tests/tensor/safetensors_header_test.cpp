// Headers that are wrong are refused, each with words of its own, before anything is allocated.
#include <sys/resource.h>

#include <ctime>

#include "tests/tensor/safetensors_testing.h"

namespace regard::testing {
namespace {

const std::string kGood = entry_of("x", "F32", "[2]", "[0,8]");
const std::string kUnfinished = kGood.substr(0, kGood.size() - 1);

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(SafetensorsHeader, TakesAPlainFile) {
  const MemoryFile file(file_of(header_of(kGood), 8));
  const SafetensorsFile open(file.path());
  ASSERT_EQ(open.entries().size(), 1u);
  EXPECT_EQ(open.entries()[0].name, "x");
  EXPECT_EQ(open.entries()[0].dtype, "F32");
  EXPECT_EQ(open.entries()[0].shape, (Shape{2}));
  const MemoryFile none(file_of("{}"));
  EXPECT_TRUE(SafetensorsFile(none.path()).entries().empty());
}

TEST(SafetensorsHeader, RefusesFilesTooSmall) {  // covers MS1
  expect_content_refused("", "header too small");
  expect_content_refused(std::string(7, '\2'), "header too small");
  expect_content_refused(std::string(8, '\0'), "header too small");
  expect_content_refused(length_bytes(2), "header too small");
}

TEST(SafetensorsHeader, RefusesLengthsThatCannotBe) {  // covers MS2
  const std::string body = header_of(kGood) + std::string(8, '\1');
  const auto size = static_cast<std::uint64_t>(body.size());
  for (const std::uint64_t length : {0, 1})
    expect_content_refused(length_bytes(length) + body, "header too small");
  for (const std::uint64_t length : {std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{7}})
    expect_content_refused(length_bytes(length) + body, "header too large");
  expect_content_refused(length_bytes(size + 1) + body, "does not fit");
  expect_content_refused(length_bytes(size) + body, "expected nothing but spaces");
}

TEST(SafetensorsHeader, RefusesAHugeHeaderAtOnce) {  // covers MS3
  MemoryFile file(length_bytes(SafetensorsHeader::kMaxBytes + 1) + "{");
  file.resize(std::size_t{200} << 20);
  const double before = processor_seconds();
  const long memory = peak_kilobytes();
  expect_refused(file.path(), "header too large");
  file.set(length_bytes(SafetensorsHeader::kMaxBytes));  // sparse: it would be all NUL
  file.resize(std::size_t{200} << 20);
  expect_refused(file.path(), "expected '{'");
  EXPECT_LT(processor_seconds() - before, 0.01);
  EXPECT_LT(peak_kilobytes() - memory, 4096);
}

TEST(SafetensorsHeader, IsUtf8FromItsFirstByteOn) {  // covers MS4
  const auto named = [](const std::string& name) {
    return file_of(header_of(entry_of(name, "F32", "[2]", "[0,8]")), 8);
  };
  for (const std::string bad : {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                                "\xf4\x90\x80\x80", "\xf8\x88\x80\x80", "\xe2\x82", "\xc3("})
    expect_content_refused(named("n" + bad), "not UTF-8");
  for (const std::string start : {"\xef\xbb\xbf", " ", "\n", "x"})
    expect_content_refused(file_of(start + header_of(kGood), 8), "expected '{'");
  for (const std::string good : {"é", "中", "😀", "\U0010ffff", "\x7f"}) {
    const MemoryFile file(named(good));
    EXPECT_TRUE(SafetensorsFile(file.path()).find(good)) << good;
  }
  const MemoryFile padded(file_of("{" + kGood + "}     ", 8));
  EXPECT_TRUE(SafetensorsFile(padded.path()).find("x"));
}

TEST(SafetensorsHeader, IsOneObject) {  // covers MS5
  for (const std::string other : {"[]", "null", "\"x\"", "12"})
    expect_content_refused(file_of(other), "expected '{'");
  const std::string whole = header_of(kGood);
  for (std::size_t length = 2; length < whole.size(); ++length)
    expect_content_refused(file_of(whole.substr(0, length), 8), "@");
  for (const std::string tail : {"}", "{}", ",", " x"})
    expect_content_refused(file_of(whole + tail, 8), "after the header's last");
  expect_content_refused(file_of(whole + std::string(1, '\0'), 8), "after the header's last");
  expect_content_refused(file_of("{" + kGood + ",}", 8), "expected '\"'");
  expect_content_refused(file_of("{\"x\" 1}", 8), "expected ':'");
}

TEST(SafetensorsHeader, SurvivesHostileTexts) {  // covers MS6
  const std::string deep(100'000, '[');
  expect_content_refused(file_of("{\"x\":" + deep + "}"), "expected '{'");
  expect_content_refused(file_of("{\"x\":{\"shape\":" + deep + "}}"), "whole numbers");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  expect_content_refused(file_of(objects), "unknown entry");
  expect_content_refused(file_of("{\"" + std::string(10'000'000, 'x') + "\":{}}"), "too long");
  expect_content_refused(file_of(header_of(entry_of("a\\u0000b", "F32", "[2]", "[0,8]")), 8),
                         "NUL");
  for (const std::string half :
       {"\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x", "\\ud800\\n", "\\udfff\\ud800"})
    expect_content_refused(file_of(header_of(entry_of(half, "F32", "[2]", "[0,8]")), 8),
                           "surrogate");
  for (const std::string escape : {"\\x", "\\u12", "\\u12g4", "\\u+123", "\\U0041", "\\'", "\\"})
    expect_content_refused(file_of(header_of(entry_of(escape, "F32", "[2]", "[0,8]")), 8), "@");
  expect_content_refused(file_of("{\"a\nb\":{}}"), "control character");
  const MemoryFile pair(
      file_of(header_of(entry_of("\\ud83d\\ude00\\n\\/\\u00e9\\u4e2d", "F32", "[2]", "[0,8]")), 8));
  EXPECT_TRUE(SafetensorsFile(pair.path()).find("😀\n/é中"));
}

TEST(SafetensorsHeader, SaysEverythingOnce) {  // covers MS7
  const std::string twin = entry_of("x", "F32", "[2]", "[8,16]");
  expect_content_refused(file_of(header_of(kGood + "," + twin), 16), "tensor 'x' comes twice");
  expect_content_refused(
      file_of(header_of(kGood + "," + entry_of("\\u0078", "F32", "[0]", "[8,8]")), 8),
      "tensor 'x' comes twice");
  expect_content_refused(file_of("{\"__metadata__\":{},\"__metadata__\":{}," + kGood + "}", 8),
                         "__metadata__");
  expect_content_refused(file_of("{\"__metadata__\":{\"a\":\"1\",\"a\":\"1\"}," + kGood + "}", 8),
                         "metadata 'a' comes twice");
  for (const std::string again : {"\"dtype\":\"F32\"", "\"shape\":[2]", "\"data_offsets\":[0,8]"})
    expect_content_refused(file_of("{" + kUnfinished + "," + again + "}}", 8), "two entries");
}

TEST(SafetensorsHeader, MetadataIsTexts) {  // covers MS8
  for (const std::string value : {"1", "{}", "null", "[\"x\"]", "true"})
    expect_content_refused(file_of("{\"__metadata__\":{\"a\":" + value + "}," + kGood + "}", 8),
                           "expected '\"'");
  expect_content_refused(file_of("{\"__metadata__\":\"a\"," + kGood + "}", 8), "expected '{'");
  const MemoryFile file(file_of("{\"__metadata__\":{\"a\":\"b\\u0000c\"}," + kGood + "}", 8));
  EXPECT_EQ(SafetensorsFile(file.path()).metadata().at("a"), std::string("b\0c", 3));
}

TEST(SafetensorsHeader, NumbersAreWhole) {  // covers MS9: an unknown entry is refused
  for (const std::string number :
       {"2.0", "2e0", "-2", "-0", "\"2\"", "18446744073709551616", "9223372036854775808", "null",
        "02", "+2", "0x2", "[2]", "", "true", "2.", "NaN"}) {
    expect_content_refused(
        file_of(header_of(entry_of("x", "F32", "[" + number + ",1]", "[0,8]")), 8), "@");
    for (const std::string& offsets : {"[0," + number + "]", "[" + number + ",8]"})
      if (number != "")
        expect_content_refused(file_of(header_of(entry_of("x", "U8", "[8]", offsets)), 8), "@");
  }
  for (const std::string offsets : {"[]", "[0]", "[0,8,8]", "null", "8", "{}"})
    expect_content_refused(file_of(header_of(entry_of("x", "F32", "[2]", offsets)), 8), "@");
  for (const std::string partial : {R"({"x":{}})", R"({"x":{"dtype":"F32","shape":[2]}})",
                                    R"({"x":{"dtype":"F32","data_offsets":[0,8]}})",
                                    R"({"x":{"shape":[2],"data_offsets":[0,8]}})"})
    expect_content_refused(file_of(partial, 8), "tensor 'x' needs");
  expect_content_refused(file_of("{" + kUnfinished + ",\"stride\":[1]}}", 8),
                         "unknown entry 'stride'");
}

TEST(SafetensorsHeader, ShapesCannotOverflow) {  // covers MS10
  for (const std::string shape :
       {"[4194305,4194305,211106198978564]", "[4294967296,4294967296]", "[4611686018427387904]",
        "[9223372036854775807,2]", "[0,4294967296,4294967296]"})
    expect_content_refused(file_of(header_of(entry_of("x", "F32", shape, "[0,8]")), 8),
                           "tensor 'x' has too many elements");
  std::string long_shape = "[1";
  for (int i = 1; i < 33; ++i) long_shape += ",1";
  expect_content_refused(file_of(header_of(entry_of("x", "F32", long_shape + "]", "[0,4]")), 4),
                         "more than 8 axes of tensor 'x'");
  const MemoryFile empty(file_of(header_of(entry_of("x", "F32", "[3,0,2]", "[0,0]"))));
  EXPECT_EQ(SafetensorsFile(empty.path()).read("x").shape(), (Shape{3, 0, 2}));
  expect_content_refused(file_of(header_of(entry_of("x", "F32", "[3,0]", "[0,4]")), 4),
                         "tensor 'x' has 4 bytes");
}

TEST(SafetensorsHeader, EveryByteIsOneTensors) {  // covers MS11
  const auto pair = [](const std::string& a, const std::string& b, std::size_t size) {
    return file_of(header_of(entry_of("a", "F32", "[2]", a) + "," + entry_of("b", "F32", "[2]", b)),
                   size);
  };
  EXPECT_NO_THROW(SafetensorsFile(MemoryFile(pair("[8,16]", "[0,8]", 16)).path()));
  expect_content_refused(pair("[8,0]", "[8,16]", 16), "tensor 'a' ends before it begins");
  expect_content_refused(pair("[0,9]", "[9,17]", 17), "tensor 'a' has 9 bytes");
  expect_content_refused(pair("[0,8]", "[9,17]", 17), "tensor 'b' begins at 9, after a hole");
  expect_content_refused(pair("[1,9]", "[9,17]", 17), "tensor 'a' begins at 1, after a hole");
  expect_content_refused(pair("[0,8]", "[7,15]", 15), "tensor 'b' begins at 7, inside");
  expect_content_refused(pair("[0,8]", "[8,16]", 15), "tensor 'b' ends at 16 of only 15 bytes");
  expect_content_refused(pair("[0,8]", "[8,16]", 17), "1 bytes too many after tensor 'b'");
  expect_content_refused(pair("[0,8]", "[8,16]", 16) + "PK\x05\x06", "4 bytes too many");
  expect_content_refused(pair("[0,8]", "[9223372036854775799,9223372036854775807]", 16), "hole");
  std::string same;
  for (int i = 0; i < 10; ++i)
    (same += i ? "," : "") += entry_of(std::to_string(i), "F32", "[2]", "[0,8]");
  expect_content_refused(file_of(header_of(same), 8), "inside of another");
}

TEST(SafetensorsHeader, RefusesAMillionTensors) {  // covers MS12
  const auto many = [](int count) {
    std::string header = "{";
    for (int i = 0; i < count; ++i)
      (header += i ? "," : "") += entry_of("tensor" + std::to_string(i), "U8", "[0]", "[0,0]");
    return file_of(header + "}");
  };
  const std::string million = many(1'000'000);
  const MemoryFile most(many(SafetensorsHeader::kMaxTensors));
  [[maybe_unused]] const double before = processor_seconds();
  expect_content_refused(million, "more than 65536 tensors");
  EXPECT_EQ(SafetensorsFile(most.path()).entries().size(), SafetensorsHeader::kMaxTensors);
#ifndef __SANITIZE_THREAD__  // whose times say nothing
  EXPECT_LT(processor_seconds() - before, 1.0);
#endif
}

TEST(SafetensorsHeader, NamesADtypeItDoesNotKnow) {  // covers MS13
  for (const std::string dtype : {"F8_E4M3", "XYZ", "F4", "", "f32"})
    expect_content_refused(file_of(header_of(entry_of("T", dtype, "[2]", "[0,8]")), 8),
                           "unsupported dtype '" + dtype + "' for tensor 'T'");
}

}  // namespace
}  // namespace regard::testing
