// Every file call of three saves goes wrong once, in every way there is.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <map>
#include <sstream>

#include "regard/base/log.h"
#include "tests/train/checkpoint_testing.h"
#include "tests/train/faults/plan.h"

namespace regard::testing {
namespace {

struct Ending {
  int at = 0;
  std::string call;
  int code = 0;
  Index completed = 0;
  int failures = 0;
};

/// Runs the saver; one ending for every call that something went wrong at.
std::vector<Ending> endings(const std::string& arguments) {
  const std::string command = "LD_PRELOAD=" REGARD_FAULTS
                              " ASAN_OPTIONS=verify_asan_link_order=0 " REGARD_SAVER " " +
                              arguments;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::vector<Ending> all;
  char line[200];
  while (std::fgets(line, sizeof line, pipe)) {
    Ending ending;
    std::istringstream(line) >> ending.at >> ending.call >> ending.code >> ending.completed >>
        ending.failures;
    all.push_back(ending);
  }
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return all;
}

bool is_temporary(const std::string& name) {
  return name.find(".tmp-") != name.npos;
}

/// What must be so after any mishap: a whole one, not older than what was promised; nothing
/// foreign touched; and the next save leaves no trace of it all.
void expect_sound(const std::string& folder, const Ending& ending, Index keep) {
  SCOPED_TRACE("call " + std::to_string(ending.at) + ", " + ending.call);
  CheckpointStore store(folder, keep);
  const std::optional<Checkpoint> newest = store.newest();
  ASSERT_TRUE(newest);
  EXPECT_TRUE(same(*newest, sample(newest->step)));
  EXPECT_GE(newest->step, std::max<Index>(ending.completed, 10));
  EXPECT_EQ(content(folder + "/mine.txt"), "mine");

  store.save(sample(50));
  EXPECT_TRUE(same(store.newest().value(), sample(50)));
  EXPECT_EQ(content(folder + "/latest"), "ckpt-50\n");
  EXPECT_LE(static_cast<Index>(store.steps().size()), keep);
  for (const std::string& name : names_in(folder)) EXPECT_FALSE(is_temporary(name)) << name;
}

class EveryCall : public ::testing::TestWithParam<std::string> {
 protected:
  static bool has_prefix(const std::string& kind) { return GetParam().starts_with(kind); }
};

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

// covers CK2, CK4, CK18, CK20; keep 1: the one rotated away must not be the only whole one
TEST_P(EveryCall, LeavesAWholeCheckpoint) {
  int reached = 0, crashed = 0, failed = 0;
  for (Index keep = 1; keep <= (has_prefix("crash") ? 2 : 1); ++keep) {
    const Scratch scratch;
    for (const Ending& ending :
         endings(scratch.path() + " " + std::to_string(keep) + " " + GetParam())) {
      const std::string folder = scratch / std::to_string(ending.at);
      ++reached;
      crashed += ending.code == kCrashed;
      failed += ending.failures > 0;
      EXPECT_TRUE(ending.code == kCrashed || ending.code == 0) << ending.code;
      expect_sound(folder, ending, keep);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(reached, 100);
  if (has_prefix("crash")) {
    EXPECT_EQ(crashed, reached);
  } else if (has_prefix("torn")) {
    EXPECT_GE(crashed, 12);
  } else if (has_prefix("shorter")) {
    EXPECT_EQ(failed, 0);
  } else if (!has_prefix("once " + std::to_string(EINTR))) {
    EXPECT_GT(failed, 50);
  }
  RecordProperty("points", reached);
}

INSTANTIATE_TEST_SUITE_P(
    Of, EveryCall,
    ::testing::Values("crash 0", "torn 0", "shorter 0", "once " + std::to_string(ENOSPC),
                      "once " + std::to_string(EIO), "once " + std::to_string(EDQUOT),
                      "once " + std::to_string(EROFS), "once " + std::to_string(EINTR),
                      "once " + std::to_string(ESTALE), "forever " + std::to_string(ENOSPC),
                      "forever " + std::to_string(EIO), "forever " + std::to_string(EROFS)),
    test_name);

// covers CK4: a save that fails takes its temporaries away, where the disk lets it
TEST(Faults, AFailedSaveLeavesNothing) {
  const Scratch scratch;
  int failed = 0;
  for (const Ending& ending : endings(scratch.path() + " 3 once " + std::to_string(ENOSPC))) {
    if (ending.failures == 0) continue;
    ++failed;
    for (const std::string& name : names_in(scratch / std::to_string(ending.at)))
      EXPECT_FALSE(is_temporary(name))
          << name << " after call " << ending.at << ", " << ending.call;
  }
  EXPECT_GT(failed, 50);
}

/// What of a folder would be lost with the power: by path, the names and contents not yet flushed.
class Unflushed {
 public:
  void call(const std::string& what, const std::string& path, const std::string& other) {
    if (what == "create" || what == "mkdir") names_[parent(path)].insert(path);
    if (what == "create" || what == "write") contents_.insert(path);
    if (what == "fsync") contents_.erase(path), names_.erase(path);
    if (what == "unlink" || what == "rmdir") contents_.erase(path);
    if (what == "rename" || what == "exchange") names_[parent(other)].insert(other);
  }
  bool has_content(const std::string& folder) const {
    for (const std::string& path : contents_)
      if (path.starts_with(folder + "/")) return true;
    return false;
  }
  bool has_names(const std::string& folder) const { return names_.contains(folder); }
  bool is_name_safe(const std::string& path) const {
    const auto names = names_.find(parent(path));
    return names == names_.end() || !names->second.contains(path);
  }

 private:
  static std::string parent(const std::string& path) { return fs::path(path).parent_path(); }
  std::set<std::string> contents_;
  std::map<std::string, std::set<std::string>> names_;
};

// covers CK3: no name is given to what is not on the disk, nothing is removed before its successor
// has a name on the disk
TEST(Faults, EverythingIsFlushedBeforeItIsNeeded) {
  const Scratch scratch;
  ASSERT_EQ(endings(scratch.path() + " 1 none 0 " + (scratch / "journal")).size(), 1u);
  std::istringstream journal(content(scratch / "journal"));
  Unflushed unflushed;
  std::string last;  // the newest checkpoint
  int placed = 0, removed = 0, latest = 0, manifests = 0;
  for (std::string line; std::getline(journal, line);) {
    std::istringstream words(line);
    std::string what, path, other;
    words >> what >> path >> other;
    const std::string to = fs::path(other).filename();
    if (what == "create" && path.ends_with("/MANIFEST.json")) {
      ++manifests;
      EXPECT_FALSE(unflushed.has_content(fs::path(path).parent_path())) << line;
    }
    if (what == "rename" && to.starts_with("ckpt-") && !is_temporary(to)) {
      EXPECT_FALSE(unflushed.has_content(path) || unflushed.has_names(path)) << line;
      last = other;
      ++placed;
    } else if (what == "rename" && to == "latest") {
      EXPECT_TRUE(unflushed.is_name_safe(last)) << line;
      ++latest;
    } else if (what == "rename") {
      EXPECT_TRUE(unflushed.is_name_safe(last)) << line;
      EXPECT_TRUE(unflushed.is_name_safe(fs::path(path).parent_path() / "latest")) << line;
      EXPECT_EQ(latest, placed) << line;
      ++removed;
    }
    unflushed.call(what, path, other);
  }
  EXPECT_EQ(placed, 3);
  EXPECT_EQ(latest, 3);
  EXPECT_EQ(removed, 3);
  EXPECT_EQ(manifests, 3);
  EXPECT_FALSE(unflushed.has_content(scratch / "0"));
}

}  // namespace
}  // namespace regard::testing
