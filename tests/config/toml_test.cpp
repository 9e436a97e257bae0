#include "regard/config/toml.h"

#include "regard/base/file.h"
#include "tests/config/config_testing.h"
#include "tests/support/comma.h"

namespace regard::testing {
namespace {

TEST(ConfigToml, ReadsSectionsAndRemembersWhere) {
  Settings s;
  s.read(
      "# a comment\n[model]\nwidth = 256\nkind = 'dog'\n\n[train]\nrate = 1e-3\nfree = 2\nfast = "
      "true\n");
  EXPECT_EQ(s.model.width, 256);
  EXPECT_EQ(s.model.kind, "dog");
  EXPECT_EQ(s.train.rate, 1e-3);
  EXPECT_EQ(s.train.free, 2);
  EXPECT_TRUE(s.train.fast);
  EXPECT_EQ(s.train.width, 8);
  EXPECT_EQ(s.origins.of("model", "width"), "c.toml:3");
  EXPECT_EQ(s.origins.of("train", "fast"), "c.toml:9");
  EXPECT_EQ(s.origins.of("train", "width"), "default");
}

TEST(ConfigToml, SaysLineColumnAndWhatWasMeant) {
  const std::pair<std::string, std::string> cases[] = {
      {"\n\n[model]\n\n\n\nwi-dth = 8\n",
       "7:1: unknown key 'wi-dth' in [model]; did you mean 'width'?"},
      {"[modle]\nwidth = 8\n", "1:2: unknown section [modle]; did you mean 'model'?"},
      {"width = 8\n", "1:1: 'width' is in no section; sections look like [model]"},
      {"model = 8\n", "1:1: 'model' is in no section; sections look like [model]"},
      {"[[model]]\nwidth = 8\n", "1:3: 'model' is in no section; sections look like [model]"},
      {"[model]\nwidth = 0\n", "2:9: width: expected a whole number from 1 to 65536, got 0"},
      {"[model]\n  width = 2.0\n", "2:11: width: expected a whole number from 1 to 65536, got 2"},
      {"[model]\nwidth = '8'\n", "2:9: width: expected a whole number from 1 to 65536, got \"8\""},
      {"[model]\nrate = nan\n", "2:8: rate: expected a number from 0 to 0.99, got nan"},
      {"[model]\nfree = inf\n", "2:8: free: expected a number, got inf"},
      {"[model]\nfast = 1\n", "2:8: fast: expected true or false, got 1"},
      {"[model]\nnote = 1979-05-27\n", "2:8: note: expected a text in UTF-8, got a date or time"},
      {"[model]\nnote = ['x']\n", "2:8: note: expected a text in UTF-8, got an array"},
      {"[model.width]\nx = 1\n",
       "1:1: width: expected a whole number from 1 to 65536, got a section"},
  };
  for (const auto& [text, says] : cases)
    expect_fault(Fault::usage, "c.toml:" + says, [&] { Settings().read(text); });
}

TEST(ConfigToml, SaysAllThatIsWrongInTheFilesOrder) {
  expect_fault(Fault::usage,
               "c.toml:2:9: width: expected a whole number from 1 to 65536, got 0\n"
               "c.toml:3:1: unknown key 'a_long_name' in [train]; known: fast, width, count, rate, "
               "free, kind, note\n"
               "c.toml:5:8: fast: expected true or false, got 0",
               [] { Settings().read("[train]\nwidth = 0\na_long_name = 1\n[model]\nfast = 0\n"); });
}

TEST(ConfigToml, AnErrorKnowsTheFirstPlace) {
  try {
    Settings().read("[train]\n\nwidth = 0\n[model]\nfast = 0\n");
    ADD_FAILURE() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.place.path, "c.toml");
    EXPECT_EQ(error.place.line, 3);
  }
}

TEST(ConfigToml, PassesOverWhatOtherCommandsRead) {
  Settings s;
  const auto read = [&](const std::string& text) {
    read_toml_text(text, "c.toml", with_others(s.sections()), s.origins);
  };
  read("[serve]\nport = 'x'\n[model]\nwidth = 9\n[decode.deep]\nbeam = 1\n");
  EXPECT_EQ(s.model.width, 9);
  EXPECT_EQ(s.origins.of("serve", "port"), "default");
  expect_fault(Fault::usage, "c.toml:1:2: unknown section [serv]; did you mean 'serve'?",
               [&] { read("[serv]\nport = 1\n"); });
  expect_fault(Fault::usage, "c.toml:1:1: 'decode' is in no section; sections look like [model]",
               [&] { read("decode = 1\n"); });
}

TEST(ConfigToml, SaysWhereTheSyntaxIsWrong) {
  for (const auto& [text, at] : std::vector<std::pair<std::string, std::string>>{
           {"[model\n", "c.toml:1:"},
           {"[model]\nwidth = \n", "c.toml:2:"},
           {"[model]\nwidth = 8\nwidth = 9\n", "c.toml:3:"},
           {"[model]\n[model]\n", "c.toml:2:"},
           {"[model]\nnote = \"\xff\"\n", "c.toml:2:"},
           {"[model]\nnote = \"a\n", "c.toml:2:"},
           {"[model]\ncount = 9223372036854775808\n", "c.toml:2:"}})
    try {
      Settings().read(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::usage);
      EXPECT_EQ(std::string(error.what()).find(at), 0u) << error.what();
    }
}

TEST(ConfigToml, SurvivesDepth) {
  EXPECT_THROW(Settings().read("[model]\nnote = " + std::string(60'000, '[')), Error);
  const auto dotted = [](int depth) {
    std::string header = "[a";
    for (int i = 0; i < depth; ++i) header += ".a";
    return header + "]\n";
  };
  expect_fault(Fault::usage, "c.toml:1:2: unknown section [a]; known: model, train",
               [&] { Settings().read(dotted(4'000)); });
  expect_fault(Fault::usage, "c.toml: too many dotted keys; is this a config file?",
               [&] { Settings().read(dotted(30'000)); });
  EXPECT_NO_THROW(Settings().read("  #" + std::string(30'000, '.') + "\n[model]\nwidth = 8"));
  expect_fault(Fault::usage, "c.toml: larger than 65536 bytes; is this a config file?",
               [&] { Settings().read(std::string(kMaxTomlSize + 1, '\n')); });
}

TEST(ConfigToml, ReadsFiles) {
  Settings s;
  EXPECT_THROW(read_toml("/no/such/file.toml", s.sections(), s.origins), Error);
  const std::string path = ::testing::TempDir() + "regard-toml-test.toml";
  write_file(path, "[model]\nwidth = 9\n");
  read_toml(path, s.sections(), s.origins);
  ::unlink(path.c_str());
  EXPECT_EQ(s.model.width, 9);
  EXPECT_EQ(s.origins.of("model", "width"), path + ":2");
}

TEST(ConfigToml, DumpSaysWhereEachValueCameFrom) {
  Settings s;
  s.read("[model]\nrate = 0.5\n");
  s.origins.set("model", "width", "preset tiny");
  EXPECT_EQ(dump_toml({s.sections()[0]}, s.origins),
            "[model]\n"
            "fast = false  # default\n"
            "width = 8  # preset tiny\n"
            "count = 0  # default\n"
            "rate = 0.5  # c.toml:2\n"
            "free = 0  # default\n"
            "kind = \"cat\"  # default\n"
            "note = \"\"  # default\n");
}

TEST(ConfigToml, WhatNobodyChoseIsACommentInAFileToEdit) {
  Settings s;
  s.read("[model]\nrate = 0.5\n");
  s.origins.follow("model", "width", "another setting");
  const std::string text = dump_toml({s.sections()[0]}, s.origins, Dump::to_edit);
  EXPECT_NE(text.find("\n#width = 8  # another setting\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n#fast = false  # default\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nrate = 0.5  # c.toml:2\n"), std::string::npos) << text;
  Settings again;
  again.read(text);
  EXPECT_EQ(again.model, s.model);
  EXPECT_FALSE(again.origins.is_chosen("model", "width"));
  EXPECT_TRUE(again.origins.is_chosen("model", "rate"));
}

TEST(ConfigToml, ReadOfDumpIsTheSame) {
  law("read(dump(x)) = x", 500, [](Draw& draw) {
    Settings s;
    s.model = drawn_example(draw);
    s.train = drawn_example(draw);
    s.origins.set("model", "width", "a file\nwith a strange name \xff\x7f:2");
    const std::string text = dump_toml(s.sections(), s.origins);
    Settings again;
    again.read(text);
    EXPECT_EQ(again.model, s.model) << text;
    EXPECT_EQ(again.train, s.train) << text;
  });
}

TEST(ConfigToml, NumbersDoNotKnowTheLocale) {
  Settings s;
  std::string text;
  {
    const CommaLocale comma;
    s.read("[model]\nrate = 0.5\nfree = 1234567.25\ncount = 1234567\n");
    set_value(s.sections(), "train.rate=0.25", "--set", s.origins);
    text = dump_toml(s.sections(), s.origins);
  }
  EXPECT_EQ(s.model.rate, 0.5);
  EXPECT_EQ(s.train.rate, 0.25);
  EXPECT_NE(text.find("free = 1234567.25 "), std::string::npos) << text;
  EXPECT_NE(text.find("count = 1234567 "), std::string::npos) << text;
}

}  // namespace
}  // namespace regard::testing
