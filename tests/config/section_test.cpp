#include "regard/config/section.h"

#include <cstdlib>

#include "tests/config/config_testing.h"

namespace regard::testing {
namespace {

TEST(Section, SetsFromText) {
  Settings s;
  for (const std::string text : {"model.width=4k", "model.count=-2M", "train.rate=1e-3",
                                 "train.fast=true", "model.kind=dog", "model.note=a=b c.d"})
    s.set(text);
  EXPECT_EQ(s.model.width, 4000);
  EXPECT_EQ(s.model.count, -2'000'000);
  EXPECT_EQ(s.train.rate, 1e-3);
  EXPECT_TRUE(s.train.fast);
  EXPECT_EQ(s.model.kind, "dog");
  EXPECT_EQ(s.model.note, "a=b c.d");
  EXPECT_EQ(s.origins.of("model", "width"), "--set");
  EXPECT_EQ(s.origins.of("train", "width"), "default");
}

TEST(Section, LimitsAreExact) {
  Index value = 0;
  const FieldRef seed{{"seed", "of 53 bits", -9007199254740992.0, 9007199254740992.0}, &value};
  EXPECT_FALSE(assign_text(seed, "9007199254740992"));
  EXPECT_FALSE(assign_text(seed, "-9007199254740992"));
  for (const char* beyond : {"9007199254740993", "-9007199254740993", "9223372036854775807"})
    EXPECT_TRUE(assign_text(seed, beyond)) << beyond;
  EXPECT_EQ(value, -9007199254740992);
}

TEST(Section, SaysWhatIsWrongWithAnAssignment) {
  const std::pair<std::string, std::string> cases[] = {
      {"model.width", "expected SECTION.KEY=VALUE"},
      {"width=9", "expected SECTION.KEY=VALUE; did you mean 'model.width'?"},
      {"=", "expected SECTION.KEY=VALUE"},
      {"", "expected SECTION.KEY=VALUE"},
      {"modle.width=9", "unknown section [modle]; did you mean 'model'?"},
      {"model.wdth=9", "unknown key 'wdth' in [model]; did you mean 'width'?"},
      {"model.width=", "expected a whole number from 1 to 65536"},
      {"model.width=9x", "expected a whole number from 1 to 65536"},
      {"model.width=k", "expected a whole number from 1 to 65536"},
      {"model.width=4K", "expected a whole number from 1 to 65536"},
      {"model.width=1.5k", "expected a whole number from 1 to 65536"},
      {"model.width=70k", "expected a whole number from 1 to 65536"},
      {"model.count=9223372036854775807k", "expected a whole number"},
      {"model.rate=nan", "expected a number from 0 to 0.99"},
      {"model.free=inf", "expected a number"},
      {"model.rate=0,5", "expected a number from 0 to 0.99"},
      {"model.fast=yes", "expected true or false"},
      {"model.note=\xff", "expected a text in UTF-8"},
  };
  for (const auto& [text, says] : cases)
    expect_fault(Fault::usage, "--set " + text + ": " + says, [&] { Settings().set(text); });
}

TEST(Section, AFlagSaysItsValueOnce) {
  Settings s;
  const std::vector<Section> sections = s.sections();
  set_by_flag(sections[0], "width", "4k", "--width", s.origins);
  EXPECT_EQ(s.model.width, 4000);
  EXPECT_EQ(s.origins.of("model", "width"), "--width");
  EXPECT_TRUE(s.origins.is_chosen("model", "width"));
  expect_fault(Fault::usage, "--width is '0', expected a whole number from 1 to 65536",
               [&] { set_by_flag(sections[0], "width", "0", "--width", s.origins); });
}

/// A variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
};

TEST(Section, ReadsTheEnvironment) {
  const Variable width("REGARD_MODEL_WIDTH", "4k"), rate("REGARD_TRAIN_RATE", "0.5");
  const Variable other("REGARD_MODEL", "x"), another("REGARD_THREADS", "two");
  Settings s;
  read_environment(s.sections(), s.origins);
  EXPECT_EQ(s.model.width, 4000);
  EXPECT_EQ(s.train.rate, 0.5);
  EXPECT_EQ(s.train.width, 8);
  EXPECT_EQ(s.origins.of("model", "width"), "REGARD_MODEL_WIDTH");
}

TEST(Section, NamesAVariableThatIsWrong) {  // covers CL9
  const auto read = [] {
    Settings s;
    read_environment(s.sections(), s.origins);
  };
  for (const std::string value : {"", "x", "0", "1e3", "4 k"}) {
    const Variable width("REGARD_MODEL_WIDTH", value);
    expect_fault(Fault::usage,
                 "environment variable REGARD_MODEL_WIDTH is '" + value +
                     "', expected a whole number from 1 to 65536",
                 read);
  }
  const Variable typo("REGARD_TRAIN_WIDHT", "9");
  expect_fault(Fault::usage,
               "environment variable REGARD_TRAIN_WIDHT: no such setting; did you mean "
               "'REGARD_TRAIN_WIDTH'?",
               read);
}

}  // namespace
}  // namespace regard::testing
