#include "regard/config/json.h"

#include <chrono>

#include "tests/config/config_testing.h"

namespace regard::testing {
namespace {

Example read(const std::string& text, Absent absent = Absent::keeps) {
  Example example;
  read_json(parse_json(text, "c.json"), example, "c.json", absent);
  return example;
}

TEST(ConfigJson, ReadsWhatIsNamedAndKeepsTheRest) {
  const Example example = read(R"({"width": 256, "rate": 0.25, "free": 3, "kind": "dog"})");
  EXPECT_EQ(example.width, 256);
  EXPECT_EQ(example.rate, 0.25);
  EXPECT_EQ(example.free, 3);
  EXPECT_EQ(example.kind, "dog");
  EXPECT_FALSE(example.fast);
  EXPECT_EQ(read("{}"), Example());
}

TEST(ConfigJson, RefusesOtherTypesAndRanges) {  // covers MJ1: types and ranges
  const std::pair<std::string, std::string> cases[] = {
      {R"({"fast": 1})", R"("fast": expected true or false, got 1)"},
      {R"({"fast": "true"})", R"("fast": expected true or false, got "true")"},
      {R"({"width": 0})", R"("width": expected a whole number from 1 to 65536, got 0)"},
      {R"({"width": -1})", R"("width": expected a whole number from 1 to 65536, got -1)"},
      {R"({"width": 8.5})", R"("width": expected a whole number from 1 to 65536, got 8.5)"},
      {R"({"width": 1e3})", R"("width": expected a whole number from 1 to 65536, got 1000)"},
      {R"({"width": 2147483648})",
       R"("width": expected a whole number from 1 to 65536, got 2147483648)"},
      {R"({"count": 18446744073709551615})",
       R"("count": expected a whole number, got 1.8446744073709552e+19)"},
      {R"({"width": null})", R"("width": expected a whole number from 1 to 65536, got null)"},
      {R"({"width": [8]})", R"("width": expected a whole number from 1 to 65536, got array)"},
      {R"({"width": {}})", R"("width": expected a whole number from 1 to 65536, got object)"},
      {R"({"width": true})", R"("width": expected a whole number from 1 to 65536, got true)"},
      {R"({"rate": 1.0})", R"("rate": expected a number from 0 to 0.99, got 1)"},
      {R"({"rate": -1})", R"("rate": expected a number from 0 to 0.99, got -1)"},
      {R"({"rate": "NaN"})", R"("rate": expected a number from 0 to 0.99, got "NaN")"},
      {R"({"kind": "cta"})", R"("kind": expected one of cat, dog, got "cta"; did you mean 'cat'?)"},
      {R"({"kind": "zebra crossing"})",
       R"("kind": expected one of cat, dog, got "zebra crossing")"},
      {R"({"note": 1})", R"("note": expected a text in UTF-8, got 1)"},
      {R"({"widht": 8})", R"(unknown key "widht"; did you mean 'width'?)"},
      {"[]", "expected an object in {}, got array"},
  };
  for (const auto& [text, says] : cases)
    expect_fault(Fault::input, "c.json: " + says, [&] { read(text); });
}

TEST(ConfigJson, RefusesWhatIsNotJson) {  // covers MJ1: empty
  for (const std::string text : {"", "{", "{\"rate\": NaN}", "{\"rate\": Infinity}", "{} x", "{,}",
                                 "{\"note\": \"\xff\"}", "{\"note\": \"\\ud800\"}"})
    try {
      read(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_EQ(std::string(error.what()).find("c.json: @"), 0u) << error.what();
    }
  EXPECT_THROW(read(std::string("{}\0x", 4)), Error);
  expect_fault(Fault::input, "c.json: a number is too large", [] { read(R"({"free": 1e999})"); });
}

TEST(ConfigJson, RefusesAKeyGivenTwice) {
  expect_fault(Fault::input, "c.json: key \"width\" comes twice",
               [] { read(R"({"width": 8, "width": 8})"); });
  expect_fault(Fault::input, "c.json: key \"a\" comes twice",
               [] { parse_json(R"({"x": [{"b": {"a": 1}, "a": 1, "\u0061": 2}]})", "c.json"); });
  EXPECT_NO_THROW(parse_json(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]})", "c.json"));
}

TEST(ConfigJson, IsNotDeep) {
  const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_NO_THROW(parse_json(nested(kMaxJsonDepth), "c.json"));
  EXPECT_THROW(parse_json(nested(kMaxJsonDepth + 1), "c.json"), Error);
  EXPECT_THROW(parse_json(nested(1'000'000), "c.json"), Error);
}

TEST(ConfigJson, IsReadInTheTimeOfItsLength) {  // covers SV9: 1e6 keys, nested 100,000
  constexpr int kMany = 100'000;
  const auto repeated = [](const std::string& each, const std::string& between) {
    std::string text;
    for (int i = 0; i < kMany; ++i) text += (i == 0 ? "" : between) + each;
    return text;
  };
  std::string keys;
  for (int i = 0; i < kMany; ++i) keys += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":{}";
  const auto start = std::chrono::steady_clock::now();
  for (const std::string entry : {"{}", "[]", "[[]]", "{\"a\":[]}", "0", "\"\""}) {
    const std::string list = "[" + repeated(entry, ",") + "]";
    EXPECT_EQ(parse_json(list, "c.json").size(), static_cast<std::size_t>(kMany)) << entry;
    EXPECT_EQ(parse_json("{\"q\":" + list + "}", "c.json")["q"].size(),
              static_cast<std::size_t>(kMany));
  }
  EXPECT_EQ(parse_json("{" + keys + "}", "c.json").size(), static_cast<std::size_t>(kMany));
  EXPECT_THROW(parse_json(repeated("{\"a\":", ""), "c.json"), Error);
  EXPECT_THROW(parse_json(repeated("[", ""), "c.json"), Error);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 20);  // minutes where it grows with the square
}

nlohmann::json drawn_json(Draw& draw, int depth = 0) {
  const auto kind = draw.integer(depth == 0 ? 5 : 0, depth > 4 ? 4 : 6);
  if (kind == 0) return nullptr;
  if (kind == 1) return draw.coin();
  if (kind == 2) return draw.integer(-1000, 1000);
  if (kind == 3) return 0.125 * static_cast<double>(draw.integer(-1000, 1000));
  if (kind == 4) return std::string(static_cast<std::size_t>(draw.integer(0, 3)), 'x');
  nlohmann::json all = kind == 5 ? nlohmann::json::array() : nlohmann::json::object();
  for (auto n = draw.integer(0, 4); n > 0; --n)
    if (kind == 5)
      all.push_back(drawn_json(draw, depth + 1));
    else
      all[std::to_string(draw.integer(0, 9))] = drawn_json(draw, depth + 1);
  return all;
}

TEST(ConfigJson, IsTheValueThatWasWritten) {
  law("parse_json(dump(x)) = x", 300, [](Draw& draw) {
    const nlohmann::json value = drawn_json(draw);
    EXPECT_EQ(parse_json(value.dump(draw.coin() ? 2 : -1), "c.json").dump(), value.dump());
  });
}

TEST(ConfigJson, CanAskForEveryKey) {  // covers MJ1: missing
  Example example;
  nlohmann::json all = to_json(example);
  EXPECT_NO_THROW(read_json(all, example, "c.json", Absent::is_bad));
  all.erase("rate");
  expect_fault(Fault::input, "c.json: key \"rate\" is missing, expected a number from 0 to 0.99",
               [&] { read_json(all, example, "c.json", Absent::is_bad); });
}

TEST(ConfigJson, ReadOfWriteIsTheSame) {
  law("read(write(x)) = x", 500, [](Draw& draw) {
    const Example example = drawn_example(draw);
    EXPECT_EQ(read(to_json(example).dump(2), Absent::is_bad), example) << to_json(example);
  });
}

}  // namespace
}  // namespace regard::testing
