#include "regard/base/open_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "regard/base/check.h"
#include "regard/base/file.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

class OwnFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "regard-own-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(path("victim")) << "victim";
    fs::create_symlink(path("victim"), path("link"));
    fs::create_symlink(path("nothing"), path("dangling"));
    fs::create_symlink(path("loop"), path("loop"));
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    fs::create_directory(path("folder"));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  template <class F>
  static Fault fault_of(const F& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.fault;
    }
    return Fault::bug;
  }

  fs::path folder_;
};

TEST_F(OwnFile, IsNoLinkPipeOrFolder) {  // covers MD1
  for (const char* name : {"link", "dangling", "loop", "pipe", "folder"}) {
    EXPECT_EQ(fault_of([&] { read_own_file(path(name), 100); }), Fault::input) << name;
    EXPECT_EQ(fault_of([&] { open_own_file(path(name)); }), Fault::input) << name;
  }
  EXPECT_EQ(read_own_file(path("victim"), 100), "victim");
  EXPECT_FALSE(fs::exists(path("nothing")));
}

TEST_F(OwnFile, ToBeChangedHasNoSecondName) {  // covers MD1
  fs::create_hard_link(path("victim"), path("hard"));
  EXPECT_EQ(fault_of([&] { open_own_file(path("hard")); }), Fault::input);
  EXPECT_EQ(read_own_file(path("hard"), 100), "victim");
}

TEST_F(OwnFile, IsMadeAndAddedTo) {
  for (const char* text : {"a", "b"}) {
    const Descriptor file = open_own_file(path("new"));
    EXPECT_EQ(::write(file.get(), text, 1), 1);
  }
  EXPECT_EQ(read_own_file(path("new"), 100), "ab");
  EXPECT_EQ(fault_of([&] { open_own_file(path("no/such")); }), Fault::io);
}

TEST_F(OwnFile, IsThereOrNotOrCannotBeSeen) {
  for (const char* name : {"victim", "link", "dangling", "loop", "pipe", "folder"})
    EXPECT_TRUE(is_there(path(name))) << name;
  for (const char* name : {"none", "none/below", "victim/below"})
    EXPECT_FALSE(is_there(path(name))) << name;
  for (const std::string& name : {std::string(300, 'n'), std::string("loop/below")})
    EXPECT_EQ(fault_of([&] { is_there(path(name)); }), Fault::io) << name;
}

TEST_F(OwnFile, ANewOneIsNobodyElses) {
  std::string name = path("part"), other = path("part"), third = path("dangling");
  const Descriptor one = create_file(name), two = create_file(other), three = create_file(third);
  EXPECT_EQ(name, path("part"));
  EXPECT_TRUE(other.starts_with(path("part-"))) << other;
  EXPECT_TRUE(third.starts_with(path("dangling-"))) << third;
  EXPECT_EQ(fs::status(other).permissions(), fs::status(name).permissions());
  std::string nowhere = path("no/such");
  EXPECT_EQ(fault_of([&] { create_file(nowhere); }), Fault::io);
}

TEST_F(OwnFile, ATakenNameIsKeptWhereItIsToBe) {
  const std::size_t before = static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  for (const char* name : {"victim", "link", "dangling"})
    EXPECT_EQ(fault_of([&] { write_file(path(name), "new", IfThere::refuse); }), Fault::io) << name;
  EXPECT_EQ(read_file(path("victim")), "victim");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()),
            static_cast<std::ptrdiff_t>(before));
  write_file(path("fresh"), "new", IfThere::refuse);
  EXPECT_EQ(read_file(path("fresh")), "new");
  EXPECT_EQ(fault_of([&] { name_file(path("fresh"), path("victim"), IfThere::refuse); }),
            Fault::io);
  name_file(path("fresh"), path("victim"), IfThere::replace);
  EXPECT_EQ(read_file(path("victim")), "new");
}

}  // namespace
}  // namespace regard
