// What the record of an architecture promises, of every one.
#include "regard/model/architecture.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "regard/base/check.h"
#include "regard/config/field_ref.h"
#include "regard/model/forecast_model.h"
#include "tests/model/sequence_model_testing.h"
#include "tests/ops/expect_error.h"

namespace regard {
namespace {

class EveryArchitecture : public ::testing::TestWithParam<const Architecture*> {
 protected:
  ModelSpec spec() const {
    return GetParam()->preferred({.architecture = std::string(GetParam()->name),
                                  .source_vocabulary = 11,
                                  .target_vocabulary = 11,
                                  .width = 8,
                                  .hidden = 12,
                                  .heads = 2,
                                  .encoder_layers = 2,
                                  .decoder_layers = 2,
                                  .image_size = 4,
                                  .image_patch = 2});
  }

  static std::map<std::string, Tensor> weights(const ModelSpec& spec) {
    std::map<std::string, Tensor> all;
    make_model(spec, Rng(1))->each([&](const std::string& name, Var& parameter) {
      all[name] = parameter.value();
    });
    return all;
  }

  /// What the model makes of a small batch. Its parameters are drawn anew: a fresh head of zeros
  /// would hide all that is in front of it.
  static Tensor rows(const ModelSpec& spec, const Pass& pass = {}) {
    testing::Ids sources(2);
    const Index numbers = testing::numbers_per_row(spec);
    for (Index i = 0; i < 4 * numbers; ++i) sources[0].push_back(4 + i % 5);
    for (Index i = 0; i < 2 * numbers; ++i) sources[1].push_back(7 - i % 3);
    return rows_of(spec, {sources, {{1, 5}, {1, 8, 9}}}, pass);
  }

  /// Of texts of so many tokens, read and said; what is no text is as it is.
  static Tensor rows_of_length(const ModelSpec& spec, Index length) {
    const bool image = GetParam()->reads == Reads::image;
    testing::Ids sources(1), said(1);
    for (Index i = 0; i < (image ? 4 * testing::numbers_per_row(spec) : length); ++i)
      sources[0].push_back(4 + i % 5);
    for (Index i = 0; i < length; ++i) said[0].push_back(4 + i % 5);
    return rows_of(spec, {sources, said}, {});
  }

 private:
  static Tensor rows_of(const ModelSpec& spec, const testing::Examples& given, const Pass& pass) {
    const auto model = make_model(spec, Rng(1));
    testing::randomise(*model, Rng(2));
    if (const auto* series = dynamic_cast<const ForecastModel*>(model.get()))
      return series->forward(Tensor::uniform({3, spec.context}, Rng(5)), pass).value();
    return testing::ask(*model, given, pass).rows.value();
  }
};

/// Another value that the setting takes.
void change(const FieldRef& setting) {
  const Field& field = setting.field;
  if (bool* const* flag = std::get_if<bool*>(&setting.member)) **flag = !**flag;
  if (Index* const* number = std::get_if<Index*>(&setting.member))
    **number = static_cast<double>(**number) < field.most ? **number + 1 : **number - 1;
  if (double* const* number = std::get_if<double*>(&setting.member)) **number = 0.5;
  if (std::string* const* word = std::get_if<std::string*>(&setting.member))
    **word = field.words.empty() ? "rotary" : field.words[field.words.front() == **word ? 1 : 0];
}

TEST_P(EveryArchitecture, IsTheSameWhateverItsUnusedSettingsAre) {
  const ModelSpec plain = spec();
  const Pass training{.training = true, .rng = Rng(3)};
  ModelSpec other = plain;
  for (const std::string_view unused : GetParam()->unused)
    ASSERT_NE(find(fields_of(other), unused), nullptr) << unused;
  for (const FieldRef& setting : fields_of(other)) {
    if (GetParam()->uses(setting.field.name)) continue;
    SCOPED_TRACE(std::string(setting.field.name));
    other = plain;
    change(setting);
    const auto before = weights(plain), after = weights(other);
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [name, weight] : before)
      EXPECT_TRUE(testing::same_bits(weight, after.at(name))) << name;
    EXPECT_TRUE(testing::same_bits(rows(plain, training), rows(other, training)));
    for (const AttentionKind kind : kAttentionKinds)
      if (layers_of(plain, kind) > 0) {
        EXPECT_EQ(heads_of(other, kind), heads_of(plain, kind));
        EXPECT_EQ(mechanism_of(other, kind), mechanism_of(plain, kind));
      }
    EXPECT_EQ(max_positions(other), max_positions(plain));
  }
}

/// Which attention a listener calls by this path: "encoder/0/self", "decoder/1/cross".
AttentionKind kind_of(const std::string& path) {
  if (path.starts_with("encoder")) return AttentionKind::encoder;
  return path.find("cross") != path.npos ? AttentionKind::cross : AttentionKind::decoder;
}

TEST_P(EveryArchitecture, AttendsInTheLayersAndHeadsThatItNames) {
  ModelSpec given = spec();
  given.encoder.heads = 4;
  given.cross.heads = 1;
  std::map<AttentionKind, std::set<std::string>> heard;
  rows(given, {.on_attention = [&](const AttentionCapture& capture) {
         heard[kind_of(capture.where)].insert(capture.where);
         EXPECT_EQ(capture.heads, heads_of(given, kind_of(capture.where)));
       }});
  for (const AttentionKind kind : kAttentionKinds)
    EXPECT_EQ(static_cast<Index>(heard[kind].size()), layers_of(given, kind)) << name(kind);
}

TEST_P(EveryArchitecture, SaysWhatItIs) {
  EXPECT_EQ(&find_architecture(GetParam()->name), GetParam());
  EXPECT_FALSE(GetParam()->summary.empty());
  EXPECT_FALSE(GetParam()->command.empty());
  EXPECT_NE(GetParam()->paper.find("arXiv:"), std::string_view::npos);
  EXPECT_EQ(GetParam()->without_positions.empty(), GetParam()->uses("position"));
}

TEST_P(EveryArchitecture, ReadsAsMuchAsItsTableOfPositionsHas) {
  ModelSpec given = spec();
  given.max_length = 7;
  for (const std::string position : {"learned", "rotary"}) {
    given.position = position;
    SCOPED_TRACE(position);
    EXPECT_NO_THROW(rows_of_length(given, 6));
    if (const Index most = max_positions(given); most > 0) {
      EXPECT_EQ(most, 7);
      EXPECT_EQ(position, "learned");
      EXPECT_THROW(rows_of_length(given, 8), Error);
    } else {
      EXPECT_NO_THROW(rows_of_length(given, 8));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Model, EveryArchitecture, ::testing::ValuesIn(all_architectures()),
                         [](const auto& given) { return std::string(given.param->name); });

TEST(FindArchitecture, NamesTheNearest) {
  testing::expect_error("no architecture is called 'transfomer'.*transformer",
                        [] { find_architecture("transfomer"); });
}

}  // namespace
}  // namespace regard
