// Settings that have been renamed: files, flags and variables of older versions still work.
#include <cstdlib>

#include "regard/config/json.h"
#include "tests/config/config_testing.h"

namespace regard::testing {
namespace {

struct Renamed {
  double clip_norm = 1;

  void each(auto&& visit) {
    visit(Field{"clip_norm", "maximum gradient norm", 0, 10}.formerly("clip"), clip_norm);
  }
  std::vector<Section> sections() { return {{"train", fields_of(*this)}}; }
};

TEST(FormerName, IsReadFromEverySource) {
  Renamed json, toml, flag, variable;
  Origins origins;
  read_json(parse_json(R"({"clip": 2})", "c.json"), json, "c.json", Absent::is_bad);
  EXPECT_EQ(json.clip_norm, 2);
  read_toml_text("[train]\nclip = 3", "c.toml", toml.sections(), origins);
  EXPECT_EQ(toml.clip_norm, 3);
  EXPECT_EQ(origins.of("train", "clip_norm"), "c.toml:2");
  set_value(flag.sections(), "train.clip_norm=4", "--set", origins);
  EXPECT_EQ(flag.clip_norm, 4);
  EXPECT_EQ(origins.of("train", "clip_norm"), "--set");
  setenv("REGARD_TRAIN_CLIP", "5", 1);
  read_environment(variable.sections(), origins);
  unsetenv("REGARD_TRAIN_CLIP");
  EXPECT_EQ(variable.clip_norm, 5);
}

TEST(FormerName, IsNeverWritten) {
  Renamed settings;
  EXPECT_EQ(to_json(settings).dump(), R"({"clip_norm":1.0})");
  EXPECT_EQ(dump_toml(settings.sections(), {}), "[train]\nclip_norm = 1  # default\n");
}

TEST(FormerName, BesideTheNewOneIsRefused) {
  Renamed settings;
  Origins origins;
  expect_fault(Fault::input,
               R"(c.json: key "clip" is the former name of "clip_norm", which is there too)", [&] {
                 read_json(parse_json(R"({"clip": 2, "clip_norm": 3})", "c.json"), settings,
                           "c.json");
               });
  expect_fault(Fault::usage,
               "c.toml:2:1: 'clip' is the former name of 'clip_norm', which is there too", [&] {
                 read_toml_text("[train]\nclip = 2\nclip_norm = 3", "c.toml", settings.sections(),
                                origins);
               });
}

struct Merged {
  std::string type = "bpe", kind;

  void each(auto&& visit) {
    visit(Field{"type", "of a vocabulary"}, type);
    visit(Field{"kind", "now part of type"}.only_read(), kind);
  }
};

TEST(RetiredSetting, IsReadButNeverWrittenOrSuggested) {
  Merged merged;
  Origins origins;
  const std::vector<Section> sections{{"vocab", fields_of(merged)}};
  read_toml_text("[vocab]\nkind = \"words\"", "c.toml", sections, origins);
  EXPECT_EQ(merged.kind, "words");
  EXPECT_EQ(dump_toml(sections, {}), "[vocab]\ntype = \"bpe\"  # default\n");
  EXPECT_EQ(to_json(merged).dump(), R"({"type":"bpe"})");
  EXPECT_EQ(unknown_key(sections[0], "kinds").find("kind'"), std::string::npos);
  merged.kind.clear();
  read_json(parse_json(R"({"type": "bpe", "kind": "words"})", "c.json"), merged, "c.json");
  EXPECT_EQ(merged.kind, "words");
  // A file of today has all settings without it.
  read_json(parse_json(R"({"type": "words"})", "c.json"), merged, "c.json", Absent::is_bad);
  EXPECT_EQ(merged.type, "words");
}

}  // namespace
}  // namespace regard::testing
