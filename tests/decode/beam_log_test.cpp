#include "regard/decode/beam_log.h"

#include <algorithm>

#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;
using testing::law;

TEST(BeamLog, ChangesNoBitOfTheSearch) {
  law("logged = not logged", 60, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, draw.integer(1, 4));
    const DecodeSpec spec = testing::some_decode_spec(draw);
    const testing::Best plain = translate(*model, sources, spec);
    std::vector<BeamLog> logs(sources.size());
    const testing::Best logged = translate(*model, sources, spec, {.logs = logs});
    ASSERT_EQ(plain.size(), logged.size());
    for (std::size_t i = 0; i < plain.size(); ++i) testing::expect_same(plain[i], logged[i]);
  });
}

/// What the nodes from the root to this one say.
Ids way_to(const BeamLog& log, Index id) {
  Ids way;
  for (; id >= 0; id = log.nodes[static_cast<std::size_t>(id)].parent)
    way.insert(way.begin(), log.nodes[static_cast<std::size_t>(id)].token);
  return way;
}

TEST(BeamLog, IsTheTreeOfEverythingLookedAt) {
  law("tree of a search", 60, [](Draw& draw) {
    const auto model = testing::some_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 1);
    const DecodeSpec spec = testing::some_decode_spec(draw);
    std::vector<BeamLog> logs(1);
    const auto best = translate(*model, sources, spec, {.logs = logs}).front();
    const std::vector<BeamNode>& nodes = logs[0].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const BeamNode& node = nodes[i];
      ASSERT_EQ(node.id, static_cast<Index>(i));
      ASSERT_LT(node.parent, node.id);
      if (node.parent < 0) {
        EXPECT_EQ(node.step, 0);
      } else {
        const BeamNode& parent = nodes[static_cast<std::size_t>(node.parent)];
        EXPECT_EQ(node.step, parent.step + 1);
        EXPECT_EQ(parent.state, BeamState::kept);
        EXPECT_LE(node.log_probability, parent.log_probability);
      }
      if (node.state == BeamState::final) {
        EXPECT_EQ(node.token, kEos);
      }
    }
    // Each hypothesis is the way to a final node.
    for (const Hypothesis& one : best) {
      Ids whole = one.ids;
      whole.push_back(kEos);
      EXPECT_TRUE(std::ranges::any_of(nodes, [&](const BeamNode& node) {
        return node.state == BeamState::final && node.score == one.score &&
               node.log_probability == one.log_probability && way_to(logs[0], node.id) == whole;
      }));
    }
    // No more than the beam go on or end at any step.
    const Index most = spec.sample ? spec.n_best : spec.beam;
    for (Index step = 0; step <= spec.max_length; ++step)
      EXPECT_LE(std::ranges::count_if(nodes,
                                      [&](const BeamNode& node) {
                                        return node.step == step && node.state != BeamState::pruned;
                                      }),
                most);
  });
}

TEST(BeamLog, RefusesAnotherNumberOfLogs) {
  const auto model = testing::small_model("transformer", Rng(1));
  std::vector<BeamLog> logs(2);
  EXPECT_THROW(translate(*model, std::vector<Ids>{{kEos}}, {}, {.logs = logs}), Error);
}

}  // namespace
}  // namespace regard
