#include "regard/trace/trace_json.h"

#include <bit>
#include <cmath>

#include "regard/trace/model_json.h"
#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using Json = nlohmann::ordered_json;
using testing::Draw;
using testing::law;

std::vector<std::uint8_t> unpacked(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    held += 6;
    if (held >= 8) bytes.push_back(static_cast<std::uint8_t>(bits >> (held -= 8)));
  }
  return bytes;
}

std::vector<float> unpacked_floats(const std::string& text) {
  const std::vector<std::uint8_t> bytes = unpacked(text);
  std::vector<float> values;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(
        bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24)));
  return values;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(TraceJson, SaysHowTheTranslationCameAbout) {
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(4));
  const auto told = [&](const std::string& text, const TraceRequest& request) {
    const Json json = trace_json(trace_translation(model, "m", text, request), Encoding::u8);
    return Json{json["decoding"], json["forced_tokens"]};
  };
  const std::vector<std::int32_t> prefix = model.info.target->encode("A B");
  EXPECT_EQ(told("a b", {}), (Json{"search", 0}));
  EXPECT_EQ(told("a b", {.prefix = prefix}), (Json{"search", 2}));
  EXPECT_EQ(told("a b", {.reference = "A B C"}), (Json{"forced", 4}));
  EXPECT_EQ(told("a b", {.reference = ""}), (Json{"forced", 1}));
  EXPECT_EQ(told("", {}), (Json{"search", 0}));
  EXPECT_EQ(told("", {.prefix = prefix}), (Json{"search", 0}));  // of nothing comes nothing
}

TEST(TraceJson, CarriesTheWholeTrace) {
  law("trace as JSON", 20, [](Draw& draw) {
    const LoadedModel model = testing::some_traced_translator(draw);
    const Trace trace =
        trace_translation(model, "m", testing::some_text(draw), testing::some_request(draw));
    const Encoding encoding = draw.coin() ? Encoding::f32 : Encoding::u8;
    const Json json = Json::parse(trace_json(trace, encoding).dump());
    EXPECT_EQ(keys_of(json), (std::vector<std::string>{
                                 "format", "schema", "translatedText", "decoding", "forced_tokens",
                                 "score", "log_probability", "model", "source", "unknown", "target",
                                 "alignment", "beam", "attention", "timing_ms"}));
    EXPECT_EQ(json["translatedText"], trace.target.text);
    EXPECT_EQ(json["decoding"], "search");
    EXPECT_EQ(json["forced_tokens"], 0);
    EXPECT_EQ(json["score"].get<double>(), trace.score);
    EXPECT_EQ(json["beam"].size(), trace.beam.size());
    ASSERT_EQ(json["attention"].size(), trace.attention.size());
    for (std::size_t i = 0; i < trace.attention.size(); ++i) {
      const TracedHead& head = trace.attention[i];
      const Json& found = json["attention"][i];
      EXPECT_EQ(found.contains("query"), head.width > 0);
      if (encoding == Encoding::f32) {
        EXPECT_EQ(unpacked_floats(found["data"]), head.weights);
        continue;
      }
      const std::vector<std::uint8_t> bytes = unpacked(found["data"]);
      ASSERT_EQ(bytes.size(), head.weights.size());
      for (std::size_t j = 0; j < bytes.size(); ++j)
        EXPECT_NEAR(bytes[j] / 255.0, head.weights[j], 1.0 / 510 + 1e-7);
    }
    for (const auto& [side, text] :
         {std::pair("source", &trace.source), std::pair("target", &trace.target)}) {
      ASSERT_EQ(json[side]["tokens"].size(), text->tokens.size());
      EXPECT_EQ(json[side]["tokens"].back()["text"], "</s>");
      EXPECT_EQ(json[side]["tokens"].back()["word"], -1);
    }
    for (const Json& pair : json["alignment"]["pairs"])
      EXPECT_EQ(pair[2].get<float>(), trace.alignment.weight(pair[0], pair[1]));
    EXPECT_EQ(unpacked_floats(json["alignment"]["soft"]["data"]), trace.alignment.soft);
  });
}

TEST(ModelJson, DescribesTheModel) {
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(2));
  const Json json = model_json("small", model, "cafe");
  for (const char* name : {"from_name", "fromName"}) EXPECT_EQ(json[name], "English");
  for (const char* name : {"to_name", "toName"}) EXPECT_EQ(json[name], "French");
  EXPECT_EQ(json["hash"], "cafe");
  EXPECT_EQ(json["recurrent"], false);
  const auto unused = json["unused"].get<std::vector<std::string>>();
  EXPECT_EQ(std::ranges::count(unused, "horizon"), 1) << "of models that read series";
  EXPECT_EQ(std::ranges::count(unused, "heads"), 0);
  EXPECT_EQ(json["spec"]["d_model"], 16);
  EXPECT_EQ(json["vocabulary"]["kind"], "words");
  EXPECT_EQ(json["vocabulary"]["type"], "words");
  Index count = 0;
  for (const Json& weight : json["weights"]) {
    Index product = 1;
    for (const Json& size : weight["shape"]) product *= size.get<Index>();
    EXPECT_EQ(weight["count"], product);
    count += product;
  }
  EXPECT_EQ(json["parameters"], count);
}

TEST(Positions, AreWhatTheSchemeAdds) {
  const PositionTable table = position_table("sinusoidal", 6, 8);
  ASSERT_EQ(table.values.size(), 48u);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 4; ++j) {
      const double angle = static_cast<double>(i) / std::pow(10000, 2 * static_cast<double>(j) / 8);
      EXPECT_NEAR(table.values[static_cast<std::size_t>(i * 8 + 2 * j)], std::sin(angle), 1e-6);
      EXPECT_NEAR(table.values[static_cast<std::size_t>(i * 8 + 2 * j + 1)], std::cos(angle), 1e-6);
    }
  const Json json = positional_json(table);
  EXPECT_EQ(unpacked_floats(json["data"]), table.values);
  EXPECT_FALSE(json.contains("note"));
}

TEST(Positions, OfEverySchemeAreThereOrSayWhyNot) {
  for (const PositionScheme* scheme : all_position_schemes()) {
    ModelSpec spec = testing::small_spec();
    spec.position = scheme->name;
    spec.tied = "none";
    spec.first_position = 1;
    const LoadedModel model = testing::traced_model(spec, Rng(3));
    const PositionTable table = position_table(model, 10);
    const bool added = scheme->name.starts_with("sinusoidal") || scheme->name == "learned";
    EXPECT_EQ(table.rows, added ? 10 : 0) << scheme->name;
    EXPECT_EQ(table.values.size(), added ? 160u : 0u) << scheme->name;
    EXPECT_EQ(table.note.empty(), added) << scheme->name;
    EXPECT_EQ(positional_json(table)["scheme"], scheme->name);
    if (scheme->name == "learned") {
      EXPECT_EQ(position_table(model, 100).rows, 63);  // of 64, from position 1 on
      EXPECT_FALSE(position_table(model, 100).note.empty());
    }
  }
  EXPECT_THROW(position_table("sinusoidel", 4, 8), Error);
  EXPECT_THROW(position_table("sinusoidal", 0, 8), Error);
  EXPECT_THROW(position_table("sinusoidal", 4, 7), Error);
}

}  // namespace
}  // namespace regard
