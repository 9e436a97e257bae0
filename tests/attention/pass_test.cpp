#include <gtest/gtest.h>

#include "tests/attention/attention_case.h"

namespace regard::testing {
namespace {

TEST(Pass, TellsAListenerWhere) {
  for (const Mechanism* mechanism : all_mechanisms()) {
    const CaseSize size{.B = 2, .H = 2, .G = 1, .T = 3, .S = 4, .d = 5, .dv = 2};
    std::vector<std::string> where;
    const Pass pass{
        .on_attention = [&](const AttentionCapture& capture) { where.push_back(capture.where); }};
    const auto attention = made(*mechanism, size);
    const QueryKeyValue in = random_operands(size, Rng(1));
    (*attention)(in, pass.inside("decoder").inside(2).inside("cross"));
    (*attention)(in, pass.inside(7));
    (*attention)(in, pass);
    EXPECT_EQ(where, (std::vector<std::string>{"decoder/2/cross", "7", ""})) << mechanism->name;
  }
}

TEST(Pass, KeepsNoPathWhereNobodyListens) {
  EXPECT_EQ(Pass().inside("decoder").inside(2).path, "");
}

/// Listening changes no randomness.
TEST(Pass, ForksTheSameWayWithAListener) {
  const Pass quiet{.training = true, .rng = Rng(3)};
  Pass heard = quiet;
  heard.on_attention = [](const AttentionCapture&) {};
  const auto draw = [](const Pass& pass) {
    return pass.inside("decoder").inside(2).rng.below(0, 1U << 30);
  };
  EXPECT_EQ(draw(quiet), draw(heard));
  EXPECT_TRUE(heard.inside(1).training);
}

}  // namespace
}  // namespace regard::testing
