#include "regard/train/choose_examples.h"

#include <algorithm>

#include "regard/decode/search.h"
#include "regard/train/complete_info.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::MicroRun;

void add(MicroRun& run, const std::string& source, const std::string& target) {
  IdPair ids{run.info.source->encode(source), run.info.target->encode(target)};
  ids.source.push_back(kEos);
  run.valid.ids.push_back(std::move(ids));
  run.valid.text.push_back({.source = source, .target = target});
}

/// What the model makes of a source.
std::string translated(const SequenceModel& model, const MicroRun& run, const IdPair& pair) {
  const auto best = translate(model, std::span(&pair.source, 1), DecodeSpec{.beam = 1});
  return run.info.target->decode(best.front().front().ids);
}

TEST(ChooseExamples, TakesTheBestTranslatedOfEachLength) {
  MicroRun run("transformer", 400);
  const auto model = run.model();
  run.valid = {};
  for (std::size_t i = 0; i < 120; ++i)
    add(run, run.info.source->decode(run.train[i].source), "zzz");
  std::vector<std::string> expected;
  for (const auto& [least, most] : {std::pair<Index, Index>{6, 8}, {9, 11}, {3, 5}, {12, 14}}) {
    for (std::size_t i = run.valid.ids.size(), found = 0; i-- > 0 && found < 2;) {
      const auto length = static_cast<Index>(run.valid.ids[i].source.size()) - 1;
      if (length < least || length > most) continue;
      run.valid.text[i].target = translated(*model, run, run.valid.ids[i]);
      if (run.valid.text[i].target.empty()) continue;
      expected.push_back(run.valid.text[i].source);
      ++found;
    }
  }
  std::vector<std::string> chosen = choose_examples(*model, run.info, run.valid);
  EXPECT_EQ(chosen, choose_examples(*model, run.info, run.valid));
  ASSERT_FALSE(chosen.empty());
  EXPECT_LE(chosen.size(), kMaxExamples);
  const auto words = static_cast<Index>(run.info.source->encode(chosen.front()).size());
  EXPECT_TRUE(words >= 6 && words <= 8) << chosen.front();
  std::ranges::sort(chosen);
  std::ranges::sort(expected);
  EXPECT_EQ(chosen, expected);
}

TEST(ChooseExamples, LeavesOutWhatIsNoneToShow) {
  MicroRun run;
  const auto model = run.model();
  const std::string good = run.valid.text.front().source;
  run.valid = {};
  EXPECT_TRUE(choose_examples(*model, run.info, run.valid).empty());
  add(run, good + " " + good + " " + good + " " + good, "x");  // too long
  add(run, "the cat", "x");                                    // too short
  add(run, "the unheard-of cat sleeps .", "x");
  add(run, "", "x");
  EXPECT_TRUE(choose_examples(*model, run.info, run.valid).empty());
  add(run, good, "x");
  add(run, good, "x");  // twice
  EXPECT_EQ(choose_examples(*model, run.info, run.valid), std::vector<std::string>{good});
}

TEST(CompleteInfo, SavesExamplesOfTheWeightsThatWereKept) {
  const testing::Scratch folder;
  MicroRun run;
  ASSERT_EQ(run.go(testing::busy_spec(), folder.path()), TrainEnd::finished);
  const auto model = run.model(7);
  complete_info(RunFolder(folder.path()), *model, run.task(*model), run.info);
  const ModelInfo saved = load_info(folder.path());
  EXPECT_FALSE(saved.examples.empty());
  EXPECT_EQ(saved.examples, run.info.examples);
  EXPECT_EQ(saved.examples, choose_examples(*load_model(folder.path()).model, saved, run.valid));
}

}  // namespace
}  // namespace regard
