// Every fuzz target holds on the inputs of the repository, without libFuzzer. What may break it is
// searched for by ./run fuzz.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "tests/support/law.h"
#include "tests/support/warnings.h"

namespace regard::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kFuzz = fs::path(REGARD_SOURCE_DIR) / "fuzz";

struct FuzzInput {
  fs::path path;
  std::string bytes;
};

std::vector<FuzzInput> inputs_of(const FuzzTarget& target, const std::string& kind) {
  std::vector<FuzzInput> inputs;
  const fs::path folder = kFuzz / kind / target.name;
  if (!fs::exists(folder)) return inputs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.push_back({entry.path(), {std::istreambuf_iterator<char>(file), {}}});
  }
  std::ranges::sort(inputs, {}, &FuzzInput::path);
  return inputs;
}

/// Whether the bytes were accepted; a finding is a failure.
bool expect_no_finding(const FuzzTarget& target, std::string_view bytes, const std::string& what) {
  const Warnings silenced;
  try {
    return try_bytes(target, bytes);
  } catch (const std::exception& finding) {
    ADD_FAILURE() << target.name << ", " << what << ": " << finding.what();
  } catch (...) {
    ADD_FAILURE() << target.name << ", " << what << ": something that is no std::exception";
  }
  return false;
}

TEST(Fuzz, EveryTargetHasItsNameAndASeed) {
  std::set<std::string> names;
  for (const FuzzTarget* target : all_fuzz_targets()) {
    names.emplace(target->name);
    EXPECT_TRUE(fs::exists(kFuzz / "targets" / (std::string(target->name) + ".cpp")))
        << target->name;
    EXPECT_FALSE(inputs_of(*target, "seeds").empty()) << target->name;
    EXPECT_FALSE(target->about.empty()) << target->name;
  }
  EXPECT_EQ(names.size(), all_fuzz_targets().size());
  for (const char* kind : {"seeds", "findings", "dictionaries"})
    for (const fs::directory_entry& entry : fs::directory_iterator(kFuzz / kind))
      EXPECT_TRUE(names.contains(entry.path().filename())) << entry.path() << " has no target";
}

// Where all are refused, a format has changed, and little of its reader is tried.
TEST(Fuzz, SeedsHoldAndAreNotAllRefused) {
  for (const FuzzTarget* target : all_fuzz_targets()) {
    int accepted = 0;
    for (const FuzzInput& input : inputs_of(*target, "seeds"))
      accepted += expect_no_finding(*target, input.bytes, input.path);
    EXPECT_GT(accepted, 0) << target->name << ": run fuzz/make_seeds.py";
  }
}

TEST(Fuzz, PastFindingsHold) {
  for (const FuzzTarget* target : all_fuzz_targets())
    for (const FuzzInput& input : inputs_of(*target, "findings"))
      expect_no_finding(*target, input.bytes, input.path);
}

TEST(Fuzz, SeedsCutShortOrWithAByteChangedHold) {
  constexpr int kDraws = 2000;
  const auto targets = all_fuzz_targets();
  law("a target holds on a damaged seed", kDraws, [&](Draw& draw) {
    const auto number = static_cast<std::size_t>(draw.number());
    const FuzzTarget& target = *targets[number % targets.size()];
    const std::vector<FuzzInput> seeds = inputs_of(target, "seeds");
    const FuzzInput& seed = seeds[number / targets.size() % seeds.size()];
    std::string bytes = seed.bytes;
    if (bytes.empty()) return;
    const auto at =
        static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(bytes.size()) - 1));
    if (draw.coin())
      bytes.resize(at);
    else
      bytes[at] = static_cast<char>(draw.integer(0, 255));
    expect_no_finding(target, bytes, seed.path.string() + " damaged at " + std::to_string(at));
  });
}

}  // namespace
}  // namespace regard::testing
