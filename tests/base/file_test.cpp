#include "regard/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "regard/base/check.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for every test, gone afterwards.
class File : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "regard-file-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  /// The fault of what f throws; its message must name the path.
  template <class F>
  Fault fault_of(const std::string& path, const F& f) const {
    try {
      f();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
      return e.fault;
    }
    ADD_FAILURE() << "expected an error about " << path;
    return Fault::bug;
  }

  fs::path folder_;
};

TEST_F(File, IsReadBackAsWritten) {
  const std::string content("a\0b\xff\n", 5);
  write_file(path("x"), content);
  EXPECT_EQ(read_file(path("x")), content);
  write_file(path("x"), "shorter");
  EXPECT_EQ(read_file(path("x")), "shorter");
  write_file(path("x"), "");
  EXPECT_EQ(read_file(path("x")), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, ReadingNamesThePathThatFailed) {
  EXPECT_EQ(fault_of(path("none"), [&] { read_file(path("none")); }), Fault::input);
  EXPECT_EQ(fault_of(folder_, [&] { read_file(folder_); }), Fault::input);
  write_file(path("big"), std::string(1000, 'x'));
  EXPECT_EQ(fault_of(path("big"), [&] { read_file(path("big"), 999); }), Fault::input);
  EXPECT_EQ(read_file(path("big"), 1000).size(), 1000u);
}

TEST_F(File, WritingFailsWholeAndLeavesNothingBehind) {
  const std::string lost = path("no/such/folder");
  EXPECT_EQ(fault_of(lost, [&] { write_file(lost, "x"); }), Fault::io);
  // A folder stands where the file should go: the rename fails after everything was written.
  fs::create_directory(path("taken"));
  write_file(path("taken/inside"), "kept");
  EXPECT_EQ(fault_of(path("taken"), [&] { write_file(path("taken"), "x"); }), Fault::io);
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read_file(path("taken/inside")), "kept");
}

TEST_F(File, APipeNobodyWritesToDoesNotHang) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THROW(read_file(path("pipe")), Error);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ofstream(path("pipe")) << "late";
  });
  EXPECT_EQ(read_file(path("pipe")), "late");
  writer.join();
}

}  // namespace
}  // namespace regard
