#include "regard/batch/batch.h"

#include <gtest/gtest.h>

#include "regard/tokens/tokenizer.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using Ids = std::vector<std::int32_t>;

// covers trust property 28
TEST(BatchOf, LabelsEachTokenWithTheNextAndTheLastWithTheEnd) {
  const std::vector<IdPair> pairs{{{5, 6, kEos}, {7, 8, 9}}, {{4, kEos}, {}}, {{4, 5, kEos}, {6}}};
  const Batch batch = batch_of(pairs, std::vector<Index>{2, 0, 1});
  EXPECT_EQ(batch.source, (std::vector<Ids>{{4, 5, kEos}, {5, 6, kEos}, {4, kEos}}));
  EXPECT_EQ(batch.decoder_input, (std::vector<Ids>{{kBos, 6}, {kBos, 7, 8, 9}, {kBos}}));
  EXPECT_EQ(batch.labels, (Ids{6, kEos, 7, 8, 9, kEos, kEos}));
  EXPECT_EQ(batch.target_tokens(), 7);
}

// covers trust property 28
TEST(BatchOf, ShiftsEverySentenceByOne) {
  law("labels are the decoder's input, one step later", 200, [](Draw& draw) {
    std::vector<IdPair> pairs(static_cast<std::size_t>(draw.integer(1, 20)));
    std::vector<Index> chosen;
    for (IdPair& pair : pairs) {
      chosen.push_back(static_cast<Index>(chosen.size()));
      for (Index i = draw.integer(0, 9); i > 0; --i)
        pair.target.push_back(static_cast<std::int32_t>(draw.integer(kSpecials, 99)));
      pair.source = {kEos};
    }
    const Batch batch = batch_of(pairs, chosen);
    ASSERT_EQ(batch.source.size(), pairs.size());
    Ids labels;
    for (const Ids& ids : batch.decoder_input) {
      ASSERT_EQ(ids.front(), kBos);
      labels.insert(labels.end(), ids.begin() + 1, ids.end());
      labels.push_back(kEos);
    }
    EXPECT_EQ(batch.labels, labels);
  });
}

}  // namespace
}  // namespace regard
