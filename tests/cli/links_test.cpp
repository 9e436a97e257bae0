// What lies in the folder of a model or a run and is not of that folder: nothing outside is read
// through it, and nothing changed.
#include <gtest/gtest.h>

#include "tests/cli/micro_training.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

using testing::files_of;
using testing::Folder;
using testing::MicroTraining;
using testing::Outcome;
using testing::run_regard;
using testing::Running;
using testing::says;
using testing::write_small_model;

TEST(ModelLinks, AreRefused) {  // covers MD1
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::vector<std::string> translate{"translate", "-m", model};
  for (const std::string name :
       {"config.json", "model.safetensors", "source.tokens", "target.tokens"}) {
    const std::string path = model + "/" + name, away = folder.path(name);
    fs::rename(path, away);
    fs::create_symlink(away, path);
    const Outcome linked = run_regard(translate, {.input = "a\n"});
    EXPECT_EQ(linked.code, 3) << name << linked.err;
    EXPECT_TRUE(says(linked.err, path + ": a symbolic link"));
    fs::remove(path);
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    Running piped({"info", model});
    EXPECT_TRUE(piped.ends_within(std::chrono::seconds(20))) << name;
    EXPECT_EQ(piped.wait(), 3) << name;
    fs::remove(path);
    fs::rename(away, path);
  }
  // Who names the folder may name it by a link.
  fs::create_directory_symlink(model, folder.path("link"));
  const Outcome whole = run_regard({"translate", "-m", folder.path("link")}, {.input = "a\n"});
  EXPECT_EQ(whole.code, 0) << whole.err;
}

/// A short run, of which a file or folder is moved outside.
class RunLinks : public ::testing::Test {
 protected:
  MicroTraining training_;

  void SetUp() override { ASSERT_EQ(training_.train("run", {"--steps", "4"}).code, 0); }

  std::string path(const std::string& name) const { return training_.folder.path(name); }
  std::string own(const std::string& name) const { return path("run/" + name); }

  /// Training further says what is wrong, and changes nothing.
  void expect_refused(const std::string& name) {
    const auto before = files_of(path(""));
    Running further(training_.arguments("run", {"--steps", "8", "--force"}), path("said"));
    EXPECT_TRUE(further.ends_within(std::chrono::seconds(60))) << name;
    EXPECT_EQ(further.wait(), 3) << name << training_.folder.read("said");
    EXPECT_TRUE(says(training_.folder.read("said"), name));
    fs::remove(path("said"));
    EXPECT_TRUE(files_of(path("")) == before) << name;
  }
};

TEST_F(RunLinks, AreNotWrittenThrough) {  // covers MD1
  for (const std::string name :
       {"metrics.jsonl", "speed.jsonl", "recipe.toml", "config.json", "model.safetensors",
        "source.tokens", "curves.svg", "lock", "best", "checkpoints"}) {
    fs::rename(own(name), path("victim"));
    fs::create_symlink("../victim", own(name));
    expect_refused(name);
    fs::remove(own(name));
    fs::rename(path("victim"), own(name));
  }
}

TEST_F(RunLinks, ASecondNameIsNotWrittenThroughEither) {  // covers MD1
  for (const std::string name : {"metrics.jsonl", "lock"}) {
    fs::create_hard_link(own(name), path("victim"));
    expect_refused(name);
    fs::remove(path("victim"));
  }
}

TEST_F(RunLinks, APipeKeepsNobodyWaiting) {  // covers MD1
  for (const std::string name : {"metrics.jsonl", "recipe.toml", "config.json", "lock"}) {
    fs::rename(own(name), path("kept"));
    ASSERT_EQ(mkfifo(own(name).c_str(), 0600), 0);
    expect_refused(name);
    fs::remove(own(name));
    fs::rename(path("kept"), own(name));
  }
}

TEST_F(RunLinks, AFreshStartRemovesTheLinkAlone) {
  fs::rename(own("best"), path("elsewhere"));
  fs::create_directory_symlink(path("elsewhere"), own("best"));
  const auto before = files_of(path("elsewhere"));
  const Outcome fresh = training_.train("run", {"--steps", "4", "--fresh"});
  EXPECT_EQ(fresh.code, 0) << fresh.err;
  EXPECT_TRUE(files_of(path("elsewhere")) == before);
  EXPECT_FALSE(fs::is_symlink(own("best")));
}

TEST_F(RunLinks, TheRunItselfMayBeNamedByOne) {
  fs::create_directory_symlink(path("run"), path("link"));
  const Outcome further = training_.train("link", {"--steps", "8"});
  EXPECT_EQ(further.code, 0) << further.err;
}

}  // namespace
}  // namespace regard
