// Boxes of a list of pictures: read as they were written, refused by file and line.
#include "regard/image/boxes_file.h"

#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "regard/image/captioned.h"
#include "regard/image/png_writer.h"
#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;

constexpr const char* kLine =
    R"({"picture":"p/a.png","objects":[{"shape":"dog","box":[2,1,4,3]},{"box":[0,0,8,4]}],)"
    R"("fr":{"caption":"Été : un chien.","words":[{"word":"chien","from":9,"to":14,"object":0}]}})"
    "\n";

constexpr const char* kLabelled =
    R"({"picture":"p/a.png","unseen":true,"objects":[{"box":[2,1,4,3]},{"box":[0,0,8,4]}],)"
    R"("label":"café","object":1})"
    "\n";

BoxesOfPictures boxes_in(const std::string& path) {
  Lines lines(path);
  return read_boxes(lines);
}

std::string fault_of(const auto& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    return error.what();
  }
  return "nothing";
}

TEST(BoxesFile, CountsCharactersAndPixels) {
  const Folder folder;
  const BoxesOfPictures all = boxes_in(folder.write("x.boxes.jsonl", kLine));
  ASSERT_EQ(all.size(), 1u);
  const auto& [picture, boxes] = *all.begin();
  EXPECT_EQ(picture, folder.path("p/a.png"));
  EXPECT_FALSE(boxes.unseen);
  EXPECT_EQ(boxes.objects[0], (PixelBox{2, 1, 4, 3}));
  ASSERT_EQ(boxes.captions.size(), 1u);
  const NamingCaption& said = boxes.captions[0];
  ASSERT_EQ(said.words.size(), 1u);
  EXPECT_EQ(said.text.substr(said.words[0].begin, said.words[0].end - said.words[0].begin),
            "chien");
}

TEST(BoxesFile, ReadsALabelAsACaptionThatNamesOneObject) {
  const Folder folder;
  const BoxesOfPictures all = boxes_in(folder.write("x.boxes.jsonl", kLabelled));
  const PictureBoxes& boxes = all.begin()->second;
  EXPECT_TRUE(boxes.unseen);
  const NamingCaption expected{.text = "café", .words = {{0, 5, 1}}};  // é has two bytes
  EXPECT_EQ(boxes.captions, std::vector{expected});
}

TEST(BoxesFile, LiesBesideItsList) {
  const Folder folder;
  const std::string common = folder.path("test.boxes.jsonl");
  for (const char* list : {"test.tsv", "test.en.tsv", "test.tsv.gz", "test.fr.tsv.gz"})
    EXPECT_EQ(boxes_path(folder.path(list)), common) << list;
  const std::string own = folder.write("test.en.boxes.jsonl", kLine);
  EXPECT_EQ(boxes_path(folder.path("test.en.tsv")), own);
  EXPECT_EQ(boxes_path(folder.path("test.fr.tsv")), common);
}

TEST(BoxesFile, IsRefusedWithFileAndLine) {
  const Folder folder;
  struct Row {
    std::string before, after, said;
    std::string line = kLine;
  };
  for (const Row& row : std::vector<Row>{
           {"café", "", "\"label\" is empty", kLabelled},
           {R"("café")", "3", "\"label\" of the line: expected text", kLabelled},
           {R"(,"object":1)", "", "\"object\" of the line is missing", kLabelled},
           {R"("object":1)", R"("object":2)", "\"object\" of the line is 2", kLabelled},
           {R"({"box":[2,1,4,3]},{"box":[0,0,8,4]})", "", "but there is none", kLabelled},
           {R"("label")", R"("labels")", "no caption and no label", kLabelled},
           {R"("picture":"p/a.png",)", "", "\"picture\" of the line is missing"},
           {"p/a.png", "", "is empty"},
           {R"("picture")", R"("schema":2,"picture")", "\"schema\" is 2"},
           {R"("picture")", R"("unseen":1,"picture")", "\"unseen\""},
           {"[2,1,4,3]", "[2,1,4]", "a box of 3 numbers"},
           {"[2,1,4,3]", "[2,-1,4,3]", "y of a box is -1"},
           {"[2,1,4,3]", "[2,1,0,3]", "the width of a box is 0"},
           {"[2,1,4,3]", "[2,1,4,1e30]", "the height of a box is"},
           {"[2,1,4,3]", "[2,1,4,18446744073709551615]", "the height of a box is"},
           {R"("box":[0)", R"("bex":[0)", "\"box\" of an object is missing"},
           {R"("from":9)", R"("from":10)", "the word 'chien' is not what stands from character 10"},
           {R"("to":14)", R"("to":99)", "\"to\" of a word is 99"},
           {R"("to":14)", R"("to":8)", "\"to\" of a word is 8"},
           {R"("object":0)", R"("object":2)", "\"object\" of a word is 2"},
           {R"("words":[)", R"("words":[3,)", "\"word\" of a word is missing"},
           {R"("fr":{)", R"("fr":[],"x":{"a":0},"y":{)", "\"caption\" of \"x\" is missing"},
           {R"("fr":{"caption")", R"("fr":{"title")", "\"caption\" of \"fr\" is missing"},
           {"}\n", "\n", ":2: "}}) {
    std::string wrong = row.line;
    const std::size_t at = row.before == "}\n" ? wrong.size() - 2 : wrong.find(row.before);
    ASSERT_NE(at, wrong.npos) << row.before;
    wrong.replace(at, row.before.size(), row.after);
    std::string other = kLine;
    other.replace(other.find("a.png"), 1, "b");
    const std::string path = folder.write("x.boxes.jsonl", other + wrong);
    const std::string said = fault_of([&] { boxes_in(path); });
    EXPECT_NE(said.find(path + ":2: "), said.npos) << row.after << ": " << said;
    EXPECT_NE(said.find(row.said), said.npos) << row.after << ": " << said;
  }
  const std::string again = folder.write("x.boxes.jsonl", std::string(kLine) + kLine);
  const std::string said = fault_of([&] { boxes_in(again); });
  EXPECT_NE(said.find(":2: 'p/a.png' is there already, in line 1"), said.npos) << said;
}

class BoxesOfAList : public ::testing::Test {
 protected:
  Folder folder;
  std::string list = folder.path("x.tsv");

  BoxesOfAList() {
    std::filesystem::create_directory(folder.path("p"));
    folder.write("p/a.png", png_bytes(8, 4, std::vector<std::uint8_t>(96, 100)));
    folder.write("x.tsv", "p/a.png\tÉté : un chien.\n");
  }
  std::string refusal(const std::string& boxes) const {
    folder.write("x.boxes.jsonl", boxes);
    return fault_of([&] { captioned_pictures(list, 16); });
  }
  static std::string with(const std::string& before, const std::string& after) {
    std::string line = kLine;
    return line.replace(line.find(before), before.size(), after);
  }
};

/// A picture that is no square lies in the middle of one, twice as large here.
TEST_F(BoxesOfAList, LieInTheSquareThatThePictureIsScaledTo) {
  folder.write("x.boxes.jsonl", kLine);
  const Captioned about = captioned_pictures(list, 16)->about(0);
  ASSERT_EQ(about.named.size(), 1u);
  EXPECT_EQ(about.named[0].box, (PixelBox{4, 4 + 2, 8, 6}));
  EXPECT_EQ(about.caption.substr(about.named[0].begin, 5), "chien");
}

TEST_F(BoxesOfAList, BelongToItsPicturesAndCaptions) {
  EXPECT_TRUE(captioned_pictures(list, 16)->about(0).named.empty());  // there are none yet
  const std::string out = refusal(with("[0,0,8,4]", "[0,0,9,4]"));
  EXPECT_NE(out.find("x.boxes.jsonl:1: the box [0, 0, 9, 4] reaches out"), out.npos) << out;
  const std::string other = refusal(with("chien.", "chien!"));
  EXPECT_NE(other.find("x.tsv:1: the caption 'Été : un chien.'"), other.npos) << other;
  EXPECT_NE(other.find("x.boxes.jsonl:1"), other.npos) << other;
  const std::string nowhere = refusal(with("a.png", "b.png"));
  EXPECT_NE(nowhere.find("names none of the pictures"), nowhere.npos) << nowhere;
}

}  // namespace
}  // namespace regard
