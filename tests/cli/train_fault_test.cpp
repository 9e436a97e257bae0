// A training whose calls to the system fail in turn: it ends as if nothing had been, or says what
// happened and ends so when it is started again.
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/cli/fault_program.h"
#include "tests/cli/micro_training.h"

namespace regard::testing {
namespace {

using Kind = FaultPlan::Kind;

const std::vector<CallFault>& training_faults() {
  static const std::vector<CallFault> all{
      {"write pwrite", Kind::once, ENOSPC, {4}, 0},
      {"write pwrite", Kind::forever, ENOSPC, {4}, 0},
      {"fsync", Kind::once, EIO, {4}, 0},
      {"fsync", Kind::forever, EIO, {4}, 0},
      {"rename renameat2 link linkat", Kind::once, EIO, {4}, 0},
      {"rename renameat2 link linkat", Kind::forever, ENOSPC, {4}, 0},
      {"open", Kind::once, EMFILE, {3, 4}, 0},
      {"open", Kind::forever, EMFILE, {3, 4}, 0},
      {"read pread", Kind::once, EIO, {3, 4}, 0},
      {"ftruncate mkdir", Kind::once, ENOSPC, {4}, 0},
      {"unlink unlinkat rmdir", Kind::once, EIO, {4}, 0},
      {"close", Kind::once, EIO, {4}, 0},
      {"stat lstat fstat", Kind::once, EIO, {2, 3, 4}, 0},
      {"mmap", Kind::once, ENOMEM, {5}, 0},
      {"mmap", Kind::forever, ENOMEM, {5}, 0},
      {"pthread_create", Kind::once, EAGAIN, {5}, 0},
      // 4: a folder that the system has no memory to list
      {"malloc", Kind::once, ENOMEM, {4, 5}, 1 << 20},
      {"malloc", Kind::once, ENOMEM, {4, 5}, 1 << 12},
      {"malloc", Kind::forever, ENOMEM, {4, 5}, 1 << 12},
      {"write pwrite read pread", Kind::once, EINTR, {}, 0},
      {"write pwrite read pread", Kind::shorter, 0, {}, 0},
  };
  return all;
}

/// Names that only a file being written has.
std::string unfinished_files(const std::string& folder) {
  std::string names;
  if (!std::filesystem::exists(folder)) return names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(".regard-") || name.find(".tmp-") != name.npos) names += name + " ";
  }
  return names;
}

/// Of files that differ, those that are the result of the run; what else there is serves its going
/// on, and the next start puts it right.
std::string results_among(const std::string& names) {
  std::string results;
  std::istringstream all(names);
  for (std::string name; all >> name;)
    if (!name.starts_with("checkpoints/") && !name.starts_with("best/") && name != "state.json")
      results += name + " ";
  return results;
}

class TrainFaults : public ::testing::Test {
 protected:
  static constexpr const char* kRun = "run";
  const MicroTraining training_{memory_folder()};
  FaultyProgram program_;
  int tried_ = 0, failed_ = 0;

  std::vector<std::string> arguments(const char* steps) const {
    return training_.arguments(
        kRun, {"--steps", steps, "--set", "train.save_every=3", "--set", "train.validate_every=4",
               "--set", "train.log_every=2", "--set", "train.keep=1", "-j", "2"});
  }

  /// A file that was being written, where it could be removed.
  void expect_no_litter(const Outcome& outcome, const CallFault& fault) const {
    const bool removable =
        fault.kind != Kind::forever && fault.calls.find("unlink") == std::string::npos;
    std::istringstream names(unfinished_files(training_.run(kRun)));
    for (std::string name; removable && names >> name;)
      EXPECT_TRUE(outcome.err.find(name) != std::string::npos) << name << "\n" << outcome.err;
  }

  /// From what lies in the folder before, with and without a fault.
  void try_all(const std::map<std::string, std::string>& before, const char* steps) {
    const std::string run = training_.run(kRun), straight = training_.run("straight");
    const int most = is_long_test() ? 1 << 30 : 3;
    const auto reset = [&] {
      std::filesystem::remove_all(run);
      if (!before.empty()) put_tree(run, before);
    };
    reset();
    ASSERT_EQ(run_regard(arguments(steps)).code, 0);
    std::filesystem::remove_all(straight);
    std::filesystem::rename(run, straight);
    for (const CallFault& fault : training_faults()) {
      reset();
      program_.run(arguments(steps), fault, 0);
      for (const int k : tried_calls(program_.calls(), most)) {
        reset();
        const Outcome outcome = program_.run(arguments(steps), fault, k);
        SCOPED_TRACE(std::string(before.empty() ? "train" : "go on") + ": call " +
                     std::to_string(k) + " of " + fault.name() + ", " + program_.hit());
        ++tried_;
        failed_ += outcome.code != 0;
        expect_fit(outcome, fault);
        expect_no_litter(outcome, fault);
        if (outcome.code == 0) {
          EXPECT_EQ(results_among(differing_files(straight, run)), "") << outcome.err;
        }
        const Outcome again = run_regard(arguments(steps));
        EXPECT_EQ(again.code, 0) << again.err << outcome.err;
        EXPECT_EQ(differing_files(straight, run), "") << "code " << outcome.code << "\n"
                                                      << outcome.err;
      }
    }
  }
};

// covers CK4, CK5, CK20, CL7
TEST_F(TrainFaults, EndWithTheSameBits) {
  if (kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer stands between the program and the system itself";
  try_all({}, "8");
  const auto half = tree_of(training_.run("straight"));
  try_all(half, "12");
  EXPECT_GT(failed_, 20);
  std::printf("%d faults tried, %d of them told by the program\n", tried_, failed_);
}

}  // namespace
}  // namespace regard::testing
