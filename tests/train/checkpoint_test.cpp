#include <gtest/gtest.h>
#include <sys/stat.h>

#include "regard/base/check.h"
#include "regard/train/checkpoint/manifest.h"
#include "tests/support/warnings.h"
#include "tests/train/checkpoint_testing.h"

namespace regard::testing {
namespace {

/// The fault and the message of what f throws; no fault where it throws nothing.
std::pair<std::optional<Fault>, std::string> thrown(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.fault, error.what()};
  }
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

constexpr Index kPidOfNobody = 0x7ffffffe;  // above the most that Linux gives out

TEST(Checkpoint, NewestGivesBackWhatWasSaved) {
  const Scratch scratch;
  CheckpointStore store(scratch / "run/checkpoints", 3);
  EXPECT_FALSE(store.newest());
  EXPECT_TRUE(store.steps().empty());
  for (const Index step : {0, 9, 10, 100}) {
    store.save(sample(step));
    EXPECT_TRUE(same(store.newest().value(), sample(step)));
  }
  EXPECT_EQ(store.steps(), (std::vector<Index>{9, 10, 100}));  // by number, not by alphabet
  EXPECT_EQ(content(scratch / "run/checkpoints/latest"), "ckpt-100\n");
  EXPECT_EQ(names_in(scratch / "run/checkpoints"),
            (std::set<std::string>{"ckpt-9", "ckpt-10", "ckpt-100", "latest"}));
  EXPECT_TRUE(same(CheckpointStore(scratch / "run/checkpoints", 1).newest().value(), sample(100)));
}

TEST(Checkpoint, WhatCannotBeSavedIsRefused) {
  const Scratch scratch;
  CheckpointStore store(scratch.path(), 1);
  for (const std::string name : {"", ".", "..", "a/b", "/a", "MANIFEST.json"})
    EXPECT_EQ(thrown([&] {
                store.save({.step = 1, .note = "", .files = {{name, "x"}}});
              }).first,
              Fault::usage)
        << name;
  EXPECT_EQ(thrown([&] {
              store.save({.step = 1, .note = "", .files = {{"a", "x"}, {"a", "y"}}});
            }).first,
            Fault::usage);
  EXPECT_EQ(thrown([&] { store.save({.step = 1, .note = "\xff", .files = {}}); }).first,
            Fault::usage);
  EXPECT_EQ(thrown([&] { CheckpointStore("x", 0); }).first, Fault::usage);
  EXPECT_TRUE(names_in(scratch.path()).empty());
}

// covers CK7: cut short anywhere, any one bit turned over, gone, replaced by another step's
TEST(Checkpoint, EveryDamageIsSeenAndTheOneBeforeIsUsed) {
  const Scratch scratch;
  CheckpointStore(scratch.path(), 2).save(sample(1, 200));
  CheckpointStore(scratch.path(), 2).save(sample(2, 200));
  const auto falls_back = [&](const std::string& how) {
    const Warnings warnings;
    EXPECT_TRUE(same(CheckpointStore(scratch.path(), 2).newest().value(), sample(1, 200))) << how;
    EXPECT_TRUE(has(warnings.text(), scratch / "ckpt-2")) << how << ": " << warnings.text();
  };
  for (const std::string name : {"weights.safetensors", "state", "empty", "MANIFEST.json"}) {
    const fs::path path = scratch / ("ckpt-2/" + name);
    const std::string good = content(path);
    for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 40) {
      put(path, good.substr(0, size));
      falls_back(name + " cut to " + std::to_string(size));
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << i % 8));
      put(path, bad);
      falls_back(name + " bit " + std::to_string(i * 8 + i % 8));
    }
    put(path, good + "\n");
    falls_back(name + " longer");
    if (!good.empty()) {
      put(path, std::string(good.size(), '\0'));  // covers CK3: the name came before the data
      falls_back(name + " zeros");
    }
    fs::remove(path);
    falls_back(name + " missing");
    if (!good.empty()) {
      fs::copy_file(scratch / ("ckpt-1/" + name), path);
      falls_back(name + " of another step");
    }
    fs::remove(path);
    fs::create_symlink(scratch / ("ckpt-1/" + name), path);
    falls_back(name + " a link");
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0666), 0);
    falls_back(name + " a pipe");
    fs::remove(path);
    put(path, good);
  }
  EXPECT_TRUE(same(CheckpointStore(scratch.path(), 2).newest().value(), sample(2, 200)));
}

// covers CK7: never a start from nothing in silence
TEST(Checkpoint, AllDamagedIsAnError) {
  const Scratch scratch;
  CheckpointStore store(scratch.path(), 1);
  store.save(sample(1));
  fs::remove(scratch / "ckpt-1/state");
  const Warnings warnings;
  const auto [fault, message] = thrown([&] { store.newest(); });
  EXPECT_EQ(fault, Fault::input);
  EXPECT_TRUE(has(message, "none of its 1 checkpoints is valid")) << message;
}

// A damaged one newer than all whole ones neither counts as kept nor survives its own step.
TEST(Checkpoint, DamagedOnesAreReplacedAndNeverCrowdOutWholeOnes) {
  const Scratch scratch;
  for (const Index step : {1, 2, 3, 4}) CheckpointStore(scratch.path(), 4).save(sample(step));
  fs::remove(scratch / "ckpt-4/state");
  fs::remove(scratch / "ckpt-2/state");
  const Warnings warnings;
  CheckpointStore store(scratch.path(), 2);
  ASSERT_TRUE(same(store.newest().value(), sample(3)));
  store.save(sample(3));
  EXPECT_EQ(store.steps(), (std::vector<Index>{1, 2, 3, 4}));  // 2 is not whole, so 1 stays
  store.save(sample(4));
  EXPECT_EQ(store.steps(), (std::vector<Index>{3, 4}));
  EXPECT_TRUE(same(store.newest().value(), sample(4)));
}

TEST(Checkpoint, TheSameStepAgainReplacesTheOldOne) {
  const Scratch scratch;
  CheckpointStore store(scratch.path(), 1);
  store.save(sample(5));
  const auto first = fs::last_write_time(scratch / "ckpt-5/state");
  store.save(sample(5));
  EXPECT_EQ(fs::last_write_time(scratch / "ckpt-5/state"), first);  // the same: left alone
  Checkpoint other = sample(5);
  other.note = "another";
  other.files[1].bytes = "other";
  store.save(other);
  EXPECT_TRUE(same(store.newest().value(), other));
  EXPECT_EQ(names_in(scratch.path()), (std::set<std::string>{"ckpt-5", "latest"}));
}

// covers CK17, MD3
TEST(Checkpoint, ANewerFormatIsRefusedAndNotPassedOver) {
  const Scratch scratch;
  CheckpointStore store(scratch.path(), 2);
  store.save(sample(1));
  store.save(sample(2));
  put(scratch / "ckpt-2/MANIFEST.json", manifest_text({.format = 7, .step = 2}));
  const auto [fault, message] = thrown([&] { store.newest(); });
  EXPECT_EQ(fault, Fault::input);
  EXPECT_TRUE(has(message, "made by version 7") && has(message, "this is 1")) << message;
}

// covers CK7: a manifest, even one that is well made, leads nowhere outside its folder
TEST(Checkpoint, AManifestNamesOnlyPlainFiles) {
  const Scratch scratch;
  put(scratch / "secret", "secret");
  fs::create_directory(scratch / "ckpt-2");
  const ManifestEntry entry{.name = "../secret", .size = 6, .hash = content_hash("secret")};
  std::string text = manifest_text({.step = 2, .entries = {{"xx_secret", 6, entry.hash}}});
  // Written again with another name and sealed by hand, as manifest_text refuses to.
  text.replace(text.find("xx_secret"), 9, "../secret");
  const std::size_t seal = text.find(" \"seal\"");
  const std::size_t end = text.find('\n', seal);
  std::string unsealed = text;
  unsealed.erase(seal, end + 1 - seal);
  unsealed.pop_back();  // the last line's end
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx",
                static_cast<unsigned long long>(content_hash(unsealed)));
  text.replace(text.find('"', seal + 8) + 1, 16, hash);
  put(scratch / "ckpt-2/MANIFEST.json", text);
  const Warnings warnings;
  EXPECT_EQ(thrown([&] { CheckpointStore(scratch.path(), 2).newest(); }).first, Fault::input);
  EXPECT_TRUE(has(warnings.text(), "\"../secret\" cannot name a file")) << warnings.text();
}

// covers CK8
TEST(Checkpoint, StaleTemporariesGoAndForeignThingsStay) {
  const Scratch scratch;
  const std::string dead = std::to_string(kPidOfNobody), alive = std::to_string(::getppid());
  for (const std::string& name : {"ckpt-3.tmp-" + dead, "ckpt-7.tmp-" + std::to_string(getpid())}) {
    fs::create_directory(scratch / name);
    put(scratch / (name + "/state"), "half");
  }
  put(scratch / ("ckpt-latest.tmp-" + dead), "ckpt-");
  std::set<std::string> foreign{"ckpt-3.tmp-" + alive,
                                "ckpt-best.tmp-" + dead,
                                "ckpt-03",
                                "ckpt-3.tmp-",
                                "ckpt-3.tmp-" + dead + "x",
                                "my-ckpt-3.tmp-" + dead,
                                "ckpt-",
                                "ckpt--1",
                                "ckpt-1e3",
                                "tmp"};
  for (const std::string& name : foreign) {
    fs::create_directory(scratch / name);
    put(scratch / (name + "/file"), "foreign");
  }
  fs::create_directory_symlink(scratch / "tmp", scratch / "ckpt-99");
  fs::create_directory_symlink(scratch / "tmp", scratch / ("ckpt-98.tmp-" + dead));
  CheckpointStore store(scratch.path(), 1);
  for (const Index step : {1, 2}) store.save(sample(step));
  std::set<std::string> expected = foreign;
  expected.insert({"ckpt-2", "ckpt-99", "ckpt-98.tmp-" + dead, "latest"});
  EXPECT_EQ(names_in(scratch.path()), expected);
  for (const std::string& name : foreign)
    EXPECT_EQ(content(scratch / (name + "/file")), "foreign") << name;
  EXPECT_EQ(store.steps(), std::vector<Index>{2});
}

// covers CK22
TEST(Checkpoint, LatestIsWrittenAndNeverFollowed) {
  const Scratch scratch;
  CheckpointStore store(scratch / "run", 1);
  store.save(sample(1));
  put(scratch / "outside", "outside");
  for (const std::string& target : {std::string("nowhere"), scratch / "outside", scratch / "run"}) {
    fs::remove(scratch / "run/latest");
    fs::create_symlink(target, scratch / "run/latest");
    EXPECT_TRUE(same(store.newest().value(), sample(1)));
    store.save(sample(1));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(scratch / "run/latest"))) << target;
    EXPECT_EQ(content(scratch / "run/latest"), "ckpt-1\n");
  }
  put(scratch / "run/latest", "ckpt-77\n");
  EXPECT_TRUE(same(store.newest().value(), sample(1)));
  fs::remove(scratch / "run/latest");
  fs::create_directory(scratch / "run/latest");
  const Warnings warnings;
  store.save(sample(2));  // it is safe all the same
  EXPECT_TRUE(has(warnings.text(), "checkpoint 2 is saved, but")) << warnings.text();
  EXPECT_TRUE(same(store.newest().value(), sample(2)));
  EXPECT_EQ(content(scratch / "outside"), "outside");
}

// covers CK5
TEST(Checkpoint, TooSmallADiskIsFoundAtTheStart) {
  const Scratch scratch;
  CheckpointStore store(scratch / "run", 2);
  store.check_space(1000);
  EXPECT_TRUE(names_in(scratch / "run").empty());
  const auto [fault, message] = thrown([&] { store.check_space(Index{1} << 60); });
  EXPECT_EQ(fault, Fault::io);
  EXPECT_TRUE(has(message, "MiB free")) << message;
  EXPECT_EQ(thrown([&] { store.check_space(1, Index{1} << 60); }).first, Fault::io);
  EXPECT_EQ(thrown([] { CheckpointStore("/proc/regard", 1).check_space(1); }).first, Fault::io);
}

// covers CK7
TEST(Checkpoint, AllGoneIsNoNewRun) {
  const Scratch scratch;
  CheckpointStore store(scratch.path(), 1);
  store.save(sample(1));
  fs::remove_all(scratch / "ckpt-1");
  EXPECT_EQ(thrown([&] { store.newest(); }).first, Fault::input);
}

// Broken off between stepping aside and being replaced, on a disk that knows no exchange.
TEST(Checkpoint, OneThatSteppedAsideInVainComesBack) {
  const Scratch scratch;
  CheckpointStore store(scratch.path(), 1);
  store.save(sample(1));
  const std::string of_nobody = ".tmp-" + std::to_string(kPidOfNobody);
  fs::rename(scratch / "ckpt-1", scratch / ("ckpt-old-1" + of_nobody));
  fs::create_directory(scratch / ("ckpt-1" + of_nobody));
  store.check_space(1);
  EXPECT_TRUE(same(store.newest().value(), sample(1)));
  EXPECT_EQ(names_in(scratch.path()), (std::set<std::string>{"ckpt-1", "latest"}));

  fs::copy(scratch / "ckpt-1", scratch / ("ckpt-old-1" + of_nobody));
  store.check_space(1);
  EXPECT_EQ(names_in(scratch.path()), (std::set<std::string>{"ckpt-1", "latest"}));
}

// covers CK6
TEST(Checkpoint, AFolderThatIsGoneOrAFileIsAnErrorOrMadeAgain) {
  const Scratch scratch;
  CheckpointStore store(scratch / "run", 1);
  store.save(sample(1));
  fs::remove_all(scratch / "run");
  store.save(sample(2));
  EXPECT_TRUE(same(store.newest().value(), sample(2)));
  fs::remove_all(scratch / "run");
  put(scratch / "run", "a file");
  const auto [fault, message] = thrown([&] { store.save(sample(3)); });
  EXPECT_EQ(fault, Fault::io);
  EXPECT_TRUE(has(message, scratch / "run")) << message;
  EXPECT_EQ(thrown([&] { store.newest(); }).first, Fault::io);
  EXPECT_EQ(content(scratch / "run"), "a file");

  CheckpointStore other(scratch / "other", 1);
  other.save(sample(1));
  put(scratch / "other/ckpt-2", "in the way");
  EXPECT_EQ(thrown([&] { other.save(sample(2)); }).first, Fault::io);
  EXPECT_EQ(content(scratch / "other/ckpt-2"), "in the way");
  EXPECT_TRUE(same(other.newest().value(), sample(1)));
}

}  // namespace
}  // namespace regard::testing
