#include "regard/train/validation.h"

#include "regard/model/architecture.h"
#include "tests/decode/decode_testing.h"
#include "tests/model/architectures.h"
#include "tests/train/micro_run.h"

namespace regard {
namespace {

using testing::MicroRun;

/// A word that stands alone: said again and again, it is as many tokens as before.
std::size_t plain_word(const Tokenizer& tokenizer) {
  for (auto id = static_cast<std::int32_t>(kSpecials);; ++id) {
    const std::vector<std::int32_t> twice{id, id};
    if (tokenizer.encode(tokenizer.decode(twice)) == twice) return static_cast<std::size_t>(id);
  }
}

/// A model that never ends is cut off: a translation by its source, a continuation by the text.
TEST(Validation, SaysAtMostTwiceTheTokensItIsGivenAndTenMore) {
  for (const Architecture* made : testing::generating_architectures()) {
    const MicroRun run(made->name);
    const bool translates = reads_source(run.info.spec);
    std::vector<double> logits(static_cast<std::size_t>(run.info.target->size()));
    logits[plain_word(*run.info.target)] = 20;
    const testing::ConstantModel endless(logits);
    Arena arena;
    const auto count = static_cast<Index>(run.valid.ids.size());
    const std::optional<ValidationResult> found =
        validate(endless, run.info, run.valid, {.sentences = count, .samples = count}, arena);
    ASSERT_EQ(found->samples.size(), run.valid.ids.size());
    EXPECT_EQ(found->quality.has_value(), translates);
    for (std::size_t i = 0; i < found->samples.size(); ++i) {
      const IdPair& ids = run.valid.ids[i];
      const std::size_t given = translates ? ids.source.size() - 1 : ids.target.size();
      const Sample& sample = found->samples[i];
      EXPECT_EQ(run.info.target->encode(sample.output).size(), 2 * given + 10);
      EXPECT_EQ(sample.reference, run.valid.text[i].target);
      if (!translates) {
        EXPECT_TRUE(sample.output.starts_with(sample.source)) << sample.source;
      }
    }
  }
}

}  // namespace
}  // namespace regard
