#include "regard/base/core_count.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace regard {
namespace {

/// Control groups in a folder of the test's own.
class CoreQuota : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "regard-groups-" + std::to_string(getpid());
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path full = root_ + "/" + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text << "\n";
  }

  std::optional<double> quota(const std::string& membership) const {
    std::istringstream lines(membership);
    return core_quota(lines, root_);
  }

  std::string root_;
};

TEST_F(CoreQuota, IsTheSmallestOnTheWayUp) {
  write("cpu.max", "max 100000");
  write("a/cpu.max", "250000 100000");
  write("a/b/cpu.max", "800000 100000");
  EXPECT_EQ(quota("0::/a/b\n"), 2.5);
  EXPECT_EQ(quota("0::/a\n"), 2.5);
  EXPECT_EQ(quota("0::/\n"), std::nullopt);
}

TEST_F(CoreQuota, IsFoundAtTheRootOfAContainer) {
  write("cpu.max", "150000 50000");
  EXPECT_EQ(quota("0::/system.slice/docker-1234.scope\n"), 3);
}

TEST_F(CoreQuota, IsReadInItsOldForm) {
  write("cpu,cpuacct/x/cpu.cfs_quota_us", "50000");
  write("cpu,cpuacct/x/cpu.cfs_period_us", "100000");
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000");
  const std::string membership = "5:memory:/x\n4:cpu,cpuacct:/x\n2:cpuset:/x\n0::/\n";
  EXPECT_EQ(quota(membership), 0.5);
  EXPECT_EQ(quota("4:cpu,cpuacct:/\n"), std::nullopt);
}

TEST_F(CoreQuota, IsNotMadeUp) {
  write("cpu.max", "lots of it");
  for (const char* membership : {"", "0::/\n", "nonsense", "1:cpu", "::", "1:cpu:/gone\n"})
    EXPECT_EQ(quota(membership), std::nullopt) << membership;
}

TEST(CoreCount, IsOneAtLeast) {
  EXPECT_GE(core_count(), 1);
}

}  // namespace
}  // namespace regard
