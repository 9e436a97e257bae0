// saver FOLDER KEEP KIND ERROR [JOURNAL]: for k = 1, 2, ... a process of its own saves the steps
// 20, 30 and 40 beside step 10 in FOLDER/k, and its k-th file call goes wrong. Prints a line for
// each k: what it was, how the process ended, the last save that returned, how many threw.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "tests/train/checkpoint_testing.h"
#include "tests/train/faults/plan.h"

namespace {

using namespace regard;
using testing::FaultPlan;

using Arm = void(FaultPlan*);

/// As a trainer does it: a save that fails is one to be made up for by the next.
void save_three(const std::string& folder, Index keep, FaultPlan& plan) {
  CheckpointStore store(folder, keep);
  for (const Index step : {20, 30, 40}) try {
      store.save(testing::sample(step));
      plan.completed = step;
    } catch (const Error& error) {
      if (error.fault != Fault::io) throw;
      ++plan.failures;
    }
}

/// Ends with whether the plan's call was reached at all.
bool try_at(Arm* arm, FaultPlan& plan, const std::string& folder, Index keep) {
  CheckpointStore(folder, keep).save(testing::sample(10));
  testing::put(folder + "/mine.txt", "mine");
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    arm(&plan);
    save_three(folder, keep, plan);
    arm(nullptr);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const bool reached = plan.at > 0 && plan.calls >= plan.at;
  if (reached || plan.at == 0)
    std::printf("%d %s %d %ld %d\n", plan.at, plan.at ? plan.hit : "-",
                WIFEXITED(status) ? WEXITSTATUS(status) : -1, plan.completed, plan.failures);
  return reached;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  auto* arm = reinterpret_cast<Arm*>(::dlsym(RTLD_DEFAULT, "arm_faults"));
  if (!arm) return 3;
  const std::string folder = argv[1], kind = argv[3];
  const std::map<std::string, FaultPlan::Kind> kinds{
      {"none", FaultPlan::Kind::none},       {"crash", FaultPlan::Kind::crash},
      {"torn", FaultPlan::Kind::torn},       {"once", FaultPlan::Kind::once},
      {"forever", FaultPlan::Kind::forever}, {"shorter", FaultPlan::Kind::shorter}};
  set_warning_sink([](std::string_view) {});

  auto* plan = static_cast<FaultPlan*>(::mmap(nullptr, sizeof(FaultPlan), PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const bool once = kinds.at(kind) == FaultPlan::Kind::none;
  for (int at = once ? 0 : 1;; ++at) {
    *plan = {.kind = kinds.at(kind), .at = at, .error = std::atoi(argv[4])};
    if (argc > 5) plan->journal = ::open(argv[5], O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (!try_at(arm, *plan, folder + "/" + std::to_string(at), std::atoi(argv[2]))) return 0;
  }
}
