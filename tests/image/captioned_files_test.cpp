#include "regard/image/captioned_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "regard/base/check.h"
#include "regard/image/png_writer.h"
#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;

std::string refused(const auto& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    return error.what();
  }
  return "";
}

TEST(CaptionedFiles, StandBesideTheirList) {
  const Folder folder;
  const std::vector<std::uint8_t> pixels{10, 20, 30, 40, 50, 60};
  std::filesystem::create_directory(folder.path("p"));
  folder.write("p/a.png", png_bytes(2, 1, pixels));
  const std::string list = folder.write(
      "list.tsv", "p/a.png\tUn cercle rouge.\r\n" + folder.path("p/a.png") + "\t A  cat. \n");
  const std::vector<CaptionedFile> files = read_captioned_files(list);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].caption, "Un cercle rouge.");
  EXPECT_EQ(files[1].caption, "A cat.");
  EXPECT_EQ(files[1].line, 2);
  for (const CaptionedFile& file : files)
    EXPECT_EQ(read_picture(list, file), (Image{2, 1, pixels}));
}

TEST(CaptionedFiles, AreRefusedWithFileAndLine) {
  const Folder folder;
  struct Row {
    std::string content, said;
  };
  for (const Row& row : std::vector<Row>{{"", "names no picture"},
                                         {"a.png\tb\na.png b\n", ":2: no tab"},
                                         {"a.png\tb\tc\n", ":1: more than one tab"},
                                         {"\n", ":1: no tab"},
                                         {"\tb\n", ":1: no path"},
                                         {"a.png\t \n", ":1: nothing is said"},
                                         {"a.png\t\xff\n", ":1: "}}) {
    const std::string list = folder.write("list.tsv", row.content);
    const std::string what = refused([&] { read_captioned_files(list); });
    EXPECT_NE(what.find(list), std::string::npos) << what;
    EXPECT_NE(what.find(row.said), std::string::npos) << what;
  }
  folder.write("broken.png", "\x89PNG");
  const std::string list = folder.write("list.tsv", "broken.png\ta\nabsent.png\tb\n");
  const auto files = read_captioned_files(list);
  for (const CaptionedFile& file : files) {
    const std::string what = refused([&] { read_picture(list, file); });
    EXPECT_TRUE(what.starts_with(list + ":" + std::to_string(file.line) + ": " + file.path))
        << what;
  }
}

}  // namespace
}  // namespace regard
