#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/train/faults/plan.h"

namespace regard::testing {

/// One way in which calls to the system fail.
struct CallFault {
  std::string calls;  ///< with spaces between
  FaultPlan::Kind kind = FaultPlan::Kind::once;
  int error = 0;
  std::vector<int> codes;  ///< of the program, beside 0; none: nobody may notice
  std::size_t large = 0;   ///< malloc counts from so many bytes on
  long jump = 0;           ///< seconds by which the calendar clock goes forth and back

  std::string name() const {
    constexpr const char* kKinds[]{"none", "crash", "torn", "once", "forever", "shorter"};
    return calls + " " + kKinds[static_cast<int>(kind)] + " " +
           (error ? strerrorname_np(error) : "");
  }
};

/// Lets the program run with a fault.
class FaultyProgram {
 public:
  FaultyProgram() {
    const int file = open(path().c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(FaultPlan)) != 0) throw std::runtime_error("no plan");
    void* shared = mmap(nullptr, sizeof(FaultPlan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no plan");
    plan_ = static_cast<FaultPlan*>(shared);
    close(file);
  }
  ~FaultyProgram() { munmap(plan_, sizeof(FaultPlan)); }
  FaultyProgram(const FaultyProgram&) = delete;
  FaultyProgram& operator=(const FaultyProgram&) = delete;

  /// At the k-th of its calls; 0: at none, they are only counted.
  Outcome run(const std::vector<std::string>& arguments, const CallFault& fault, int k,
              Surroundings given = {}) {
    *plan_ = {.kind = k == 0 ? FaultPlan::Kind::none : fault.kind, .at = k, .error = fault.error};
    fault.calls.copy(plan_->only, sizeof plan_->only - 1);
    plan_->large = fault.large;
    plan_->jump = fault.jump;
    given.environment.emplace_back("LD_PRELOAD", REGARD_FAULTS);
    given.environment.emplace_back(kPlanVariable, path());
    given.environment.emplace_back("ASAN_OPTIONS", "verify_asan_link_order=0");
    return run_regard(arguments, given);
  }
  int calls() const { return plan_->calls; }
  std::string hit() const { return plan_->hit; }  ///< the call that went wrong

 private:
  std::string path() const { return folder_.path("plan"); }

  Folder folder_;
  FaultPlan* plan_ = nullptr;
};

/// Which of so many calls are tried: all, or a spread of at most `most`, first and last among them.
inline std::vector<int> tried_calls(int calls, int most) {
  std::vector<int> all;
  for (int i = 0; i < std::min(calls, most); ++i)
    all.push_back(calls <= most ? i + 1
                                : 1 + static_cast<int>(std::int64_t{i} * (calls - 1) / (most - 1)));
  return all;
}

/// Every file below a folder by its path.
inline std::map<std::string, std::string> tree_of(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_directory()) all[name + "/"] = "";
    if (!entry.is_regular_file()) continue;
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    all[name] = content.str();
  }
  return all;
}

inline void put_tree(const std::string& folder, const std::map<std::string, std::string>& tree) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& [name, content] : tree)
    if (name.ends_with('/'))
      std::filesystem::create_directories(folder + "/" + name);
    else
      std::ofstream(folder + "/" + name, std::ios::binary) << content;
}

/// How a run that a fault met may end: a code that fits, a message of one line, no crash.
inline void expect_fit(const Outcome& outcome, const CallFault& fault) {
  if (outcome.code == 0) return;
  EXPECT_TRUE(std::ranges::find(fault.codes, outcome.code) != fault.codes.end())
      << "code " << outcome.code << "\n"
      << outcome.err;
  int errors = 0;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) errors += line.starts_with("regard: error: ");
  EXPECT_EQ(errors, 1) << outcome.err;
}

}  // namespace regard::testing
