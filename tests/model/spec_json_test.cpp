// config.json of a model is read strictly: types and ranges of every key.
#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "regard/config/json.h"
#include "regard/model/spec.h"

namespace regard {
namespace {

const char* const kGood = R"({"source_vocabulary": 100, "target_vocabulary": 100})";

TEST(SpecJson, RefusesValuesNoModelHas) {  // covers MJ1: types and ranges
  const std::pair<std::string, std::string> cases[] = {{"heads", "0"},
                                                       {"source_vocabulary", "-1"},
                                                       {"target_vocabulary", "2147483648"},
                                                       {"encoder_layers", "1000000000"},
                                                       {"max_length", "0"},
                                                       {"dropout", "1.0"},
                                                       {"dropout", "-1"},
                                                       {"dropout", "\"NaN\""},
                                                       {"d_model", "\"256\""},
                                                       {"d_model", "256.5"},
                                                       {"d_model", "null"},
                                                       {"pre_norm", "1"},
                                                       {"architecture", "\"transfomer\""}};
  for (const auto& [key, value] : cases) {
    nlohmann::json info = parse_json(kGood, "config.json");
    info[key] = nlohmann::json::parse(value);
    ModelSpec spec;
    try {
      read_json(info, spec, "config.json");
      ADD_FAILURE() << key << " " << value;
    } catch (const Error& error) {
      EXPECT_EQ(exit_code(error.fault), 3);
      EXPECT_EQ(std::string(error.what()).find("config.json: \"" + key + "\": expected "), 0u)
          << error.what();
    }
  }
}

TEST(SpecJson, ReadOfWriteIsTheSame) {
  ModelSpec spec, again;
  read_json(parse_json(kGood, "config.json"), spec, "config.json");
  spec.dropout = 0.1 + 0.2;
  spec.epsilon = 1e-6;
  const std::string text = to_json(spec).dump(2);
  read_json(parse_json(text, "config.json"), again, "config.json", Absent::is_bad);
  EXPECT_EQ(again.dropout, spec.dropout);
  EXPECT_EQ(again.epsilon, 1e-6);
  EXPECT_EQ(to_json(again).dump(2), text);
}

}  // namespace
}  // namespace regard
