// A training that the system gives too little ends with a message, and can be gone on with.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/cli/micro_training.h"

namespace regard {
namespace {

using testing::differing_files;
using testing::MicroTraining;
using testing::Outcome;
using testing::says;

TEST(TrainLimits, EndItWithAMessageAndTheRestIsTheSame) {  // covers CL7
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "skipped: a sanitizer takes more memory than any limit";
#endif
  const MicroTraining training;
  const std::vector<std::string> quick{"--steps", "4", "-j", "2"};
  ASSERT_EQ(training.train("straight", quick).code, 0);
  std::vector<std::pair<int, rlim_t>> limits;
  for (const rlim_t mebibytes : {32, 48, 64, 96, 512})
    limits.emplace_back(RLIMIT_AS, mebibytes << 20);
  for (const rlim_t files : {6, 7, 8, 10}) limits.emplace_back(RLIMIT_NOFILE, files);
  for (const rlim_t kibibytes : {128, 1024}) limits.emplace_back(RLIMIT_STACK, kibibytes << 10);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    std::string name = "run-";
    name += std::to_string(i);
    const Outcome cut = training.train(name, quick, {.limits = {limits[i]}});
    // 127: too little for the system to start any program.
    const bool expected = cut.code == 127 || (cut.code >= 3 && cut.code <= 5);
    EXPECT_TRUE(cut.code == 0 || (expected && cut.err.find("error") != std::string::npos))
        << limits[i].first << ' ' << limits[i].second << ": " << cut.code << cut.err;
    const Outcome rest = training.train(name, quick);
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(differing_files(training.run("straight"), training.run(name)), "")
        << limits[i].first << ' ' << limits[i].second << cut.err;
  }
}

TEST(TrainLimits, AModelTooLargeIsSaidToBe) {  // covers CL7
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "skipped: a sanitizer takes more memory than any limit";
#endif
  const MicroTraining training;
  // One of its matrices alone has 256 MiB.
  const std::pair<int, rlim_t> little(RLIMIT_AS, rlim_t{256} << 20);
  const Outcome huge =
      training.train("run", {"--set", "model.d_model=256", "--set", "model.d_hidden=262144"},
                     {.limits = {little}});
  EXPECT_EQ(huge.code, 5) << huge.err;
  EXPECT_TRUE(says(huge.err, "out of memory: training this model"));
  EXPECT_TRUE(says(huge.err, "MiB are left"));
  EXPECT_EQ(training.train("run", {"--steps", "2"}).code, 0);
}

}  // namespace
}  // namespace regard
