#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

const std::string kFive = "1,0,1,0;0,1,0,1;1,1,0,0;0,0,1,1;1,.5,.5,0";

TEST(Pictures, AreDrawnAndTheSameTwice) {
  const Folder folder;
  const std::string svg = folder.path("five.svg"), png = folder.path("five.png");
  const std::vector<std::string> command{
      "attend", "--query", kFive, "--labels", "the,black,cat,sat,up", "--svg", svg, "--png", png};
  ASSERT_EQ(run_regard(command).code, 0);
  const std::string drawn = folder.read("five.svg"), dots = folder.read("five.png");
  EXPECT_NE(drawn.find("<svg"), std::string::npos);
  EXPECT_NE(drawn.find("black"), std::string::npos);
  EXPECT_TRUE(dots.starts_with("\x89PNG"));

  const Outcome refused = run_regard(command);  // covers CL2
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("--overwrite"), std::string::npos);
  std::vector<std::string> again = command;
  again.push_back("--overwrite");
  EXPECT_EQ(run_regard(again).code, 0);
  EXPECT_EQ(folder.read("five.svg"), drawn);
  EXPECT_EQ(folder.read("five.png"), dots);
  EXPECT_EQ(
      run_regard({"attend", "--query", kFive, "--labels", "the,black,cat,sat,up", "--svg", "-"})
          .out,
      drawn);
}

TEST(Pictures, NeverDestroyAnInputOrADevice) {
  const Folder folder;
  const std::string input = folder.write("q.txt", "1,2\n3,4\n");
  std::filesystem::create_symlink(input, folder.path("link.svg"));
  for (const std::string& target : {input, folder.path("./q.txt"), folder.path("link.svg")}) {
    const Outcome outcome =
        run_regard({"attend", "--query", input, "--overwrite", "--svg", target});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("would overwrite the input"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(folder.read("q.txt"), "1,2\n3,4\n");
  for (const std::string& target : {folder.path(), std::string("/dev/null")})
    EXPECT_EQ(run_regard({"attend", "--query", input, "--overwrite", "--png", target}).code, 2);
  EXPECT_EQ(
      run_regard({"attend", "--query", "1", "--svg", folder.path("x"), "--png", folder.path("./x")})
          .code,
      2);
  EXPECT_EQ(run_regard({"attend", "--query", "1", "--svg", "-", "--json"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.path("x")));
}

TEST(Pictures, LeaveNothingHalfWritten) {
  const Folder folder;
  const Outcome cut = run_regard({"attend", "--query", kFive, "--png", folder.path("a.png")},
                                 {.largest_file = 1000});
  EXPECT_EQ(cut.code, 4) << cut.err;
  EXPECT_NE(cut.err.find("a.png: cannot write"), std::string::npos);
  EXPECT_TRUE(folder.names().empty());
  const Outcome nowhere =
      run_regard({"attend", "--query", kFive, "--svg", folder.path("none/a.svg")});
  EXPECT_EQ(nowhere.code, 4);
  EXPECT_EQ(nowhere.out, "");
  EXPECT_EQ(run_regard({"attend", "--query", kFive, "--svg", "/proc/a.svg"}).code, 4);
  // A wrong matrix creates no picture either.
  EXPECT_EQ(run_regard({"attend", "--query", "1;x", "--svg", folder.path("b.svg")}).code, 2);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Pictures, TakeAnyFileName) {  // covers CL6
  const Folder folder;
  for (const std::string& name : {std::string("with space.svg"), std::string("line\nbreak.svg"),
                                  std::string("größe.svg"), std::string(251, 'n') + ".svg"}) {
    const Outcome outcome = run_regard({"attend", "--query", kFive, "--svg", folder.path(name)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder.path(name))) << name;
  }
  const std::string too_long(256, 'n');  // bytes: one more than a name can have
  const Outcome refused = run_regard({"attend", "--query", kFive, "--svg", folder.path(too_long)});
  EXPECT_EQ(refused.code, 4);
  EXPECT_NE(refused.err.find(too_long + ": cannot be looked at: File name too long"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(folder.names().size(), 4u);
}

}  // namespace
}  // namespace regard
