#include "regard/model/examples.h"

#include "regard/base/file.h"
#include "tests/model/model_folder_testing.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::ScratchFolder;
using testing::Warnings;

using Texts = std::vector<std::string>;

TEST(Examples, AreReadAsTheyWereWritten) {
  const ScratchFolder scratch;
  const RunFolder folder(scratch.path());
  const Warnings warnings;
  EXPECT_EQ(read_examples(folder), Texts());
  for (const Texts& texts : {Texts{}, Texts{"a"}, Texts{"Où ?", "猫", "\"<b>\\", "a", "a"},
                             Texts(kMaxExamples, std::string(kMaxExampleBytes, 'x'))}) {
    write_examples(folder, texts);
    EXPECT_EQ(read_examples(folder), texts);
  }
  EXPECT_TRUE(warnings.lines.empty()) << warnings.text();
}

TEST(Examples, ThatAreNoSentencesAreLeftOutWithAWarning) {
  const ScratchFolder scratch;
  const RunFolder folder(scratch.path());
  const auto file_of = [](const std::string& list) {
    return R"({"schema":1,"examples":)" + list + "}";
  };
  const std::string one = "\"" + std::string(kMaxExampleBytes + 1, 'x') + "\"";
  for (const std::string& content : {std::string(),
                                     std::string("{"),
                                     std::string("[]"),
                                     std::string("\"a\""),
                                     std::string(R"({"examples":["a"]})"),
                                     std::string(R"({"schema":2,"examples":["a"]})"),
                                     std::string(R"({"schema":[],"examples":["a"]})"),
                                     std::string(R"({"schema":1})"),
                                     file_of("\"a\""),
                                     file_of("{}"),
                                     file_of("[1]"),
                                     file_of("[null]"),
                                     file_of(R"([["a"]])"),
                                     file_of(R"([""])"),
                                     file_of(R"(["a","b\u0000"])"),
                                     file_of(R"(["a\nb"])"),
                                     file_of(R"(["\u007f"])"),
                                     file_of(R"(["\ud800"])"),
                                     file_of("[\"\xff\"]"),
                                     file_of("[" + one + "]"),
                                     file_of(R"(["1","2","3","4","5","6","7","8","9"])"),
                                     file_of(R"(["a"])") + std::string(1 << 17, ' '),
                                     std::string(100'000, '[')}) {
    const Warnings warnings;
    write_file(folder.examples(), content);
    EXPECT_EQ(read_examples(folder), Texts()) << content.substr(0, 80);
    EXPECT_EQ(warnings.lines.size(), 1u) << content.substr(0, 80) << warnings.text();
  }
  std::filesystem::remove(folder.examples());
  std::filesystem::create_symlink("/etc/hostname", folder.examples());
  const Warnings warnings;
  EXPECT_EQ(read_examples(folder), Texts());
  EXPECT_EQ(warnings.lines.size(), 1u) << warnings.text();
}

TEST(Examples, ThatCannotBeWrittenAreAnError) {  // covers CK4: an exit code of 0 means all is there
  const ScratchFolder scratch;
  EXPECT_THROW(write_examples(RunFolder(scratch.path() + "/none"), {"a"}), Error);
}

TEST(Examples, GoWhereTheModelGoes) {
  const ScratchFolder scratch;
  ModelInfo info;
  info.spec = {.source_vocabulary = 9, .target_vocabulary = 9};
  info.source = info.target = testing::words_of(9);
  save_info(scratch.path(), info);
  EXPECT_EQ(load_info(scratch.path()).examples, Texts());
  info.examples = {"w5 w6", "w7"};
  save_info(scratch.path(), info);
  EXPECT_EQ(load_info(scratch.path()).examples, info.examples);
  EXPECT_EQ(info_files(info).front(), kConfigFile);
  EXPECT_EQ(info_files(info).back(), kExamplesFile);
  info.examples.clear();
  save_info(scratch.path(), info);
  EXPECT_EQ(load_info(scratch.path()).examples, Texts());
  EXPECT_EQ(info_files(info).back(), kExamplesFile);
}

}  // namespace
}  // namespace regard
