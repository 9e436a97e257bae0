#include "regard/trace/pooled_weight.h"

#include <cmath>
#include <map>
#include <numeric>

#include "regard/base/check.h"
#include "tests/model/model_folder_testing.h"
#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

/// The plain mean of the part of a matrix that a cell of the picture stands for.
double mean_of(const std::vector<double>& x, Index columns, std::pair<Index, Index> rows,
               std::pair<Index, Index> cols) {
  double sum = 0, count = 0;
  for (Index r = rows.first; r < rows.second; ++r)
    for (Index c = cols.first; c < cols.second; ++c, ++count)
      sum += x[static_cast<std::size_t>(r * columns + c)];
  return sum / count;
}

TEST(PooledWeight, IsTheMeanOfItsPartsAndWholeWhereItFits) {
  const testing::ScratchFolder folder;
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(7));
  save_weights(RunFolder(folder.path()).weights(), parameters_of(*model.model));
  const SafetensorsFile file(RunFolder(folder.path()).weights());
  law("pooled weights", 40, [&](Draw& draw) {
    const std::vector<NamedParameter> all = parameters_of(*model.model);
    const NamedParameter& one =
        all[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(all.size()) - 1))];
    const std::vector<double> x = one.parameter.value().values();
    const Index columns = one.parameter.size(-1), rows = static_cast<Index>(x.size()) / columns;
    const Index size = draw.integer(1, 40);
    const PooledWeight pooled = pooled_weight(file, one.name, size);
    EXPECT_EQ(pooled.matrix_rows, rows);
    EXPECT_EQ(pooled.matrix_cols, columns);
    ASSERT_EQ(pooled.rows, std::min(rows, size));
    ASSERT_EQ(pooled.cols, std::min(columns, size));
    for (Index r = 0; r < pooled.rows; ++r)
      for (Index c = 0; c < pooled.cols; ++c)
        EXPECT_NEAR(pooled.values[static_cast<std::size_t>(r * pooled.cols + c)],
                    mean_of(x, columns, {r * rows / pooled.rows, (r + 1) * rows / pooled.rows},
                            {c * columns / pooled.cols, (c + 1) * columns / pooled.cols}),
                    1e-6);
  });
}

TEST(PooledWeight, OfWholeNumbersHasTheirScales) {
  const testing::ScratchFolder plain, rounded;
  ModelSpec spec = testing::small_spec();
  spec.tied = "target";
  const LoadedModel model = testing::traced_model(spec, Rng(7));
  save_weights(RunFolder(plain.path()).weights(), parameters_of(*model.model));
  std::vector<std::string> names;
  for (const NamedParameter& each : parameters_of(*model.model)) names.push_back(each.name);
  model.model->quantise();
  save_weights(RunFolder(rounded.path()).weights(), parameters_of(*model.model));
  const SafetensorsFile exact(RunFolder(plain.path()).weights()),
      whole(RunFolder(rounded.path()).weights());
  for (const std::string& name : names) {
    const PooledWeight a = pooled_weight(exact, name, 1000), b = pooled_weight(whole, name, 1000);
    ASSERT_EQ(a.values.size(), b.values.size()) << name;
    float largest = 0;
    for (const float x : a.values) largest = std::max(largest, std::fabs(x));
    for (std::size_t i = 0; i < a.values.size(); ++i)
      EXPECT_NEAR(a.values[i], b.values[i], largest / 127) << name;
  }
}

TEST(PooledWeight, OfAnotherNameIsNone) {
  const testing::ScratchFolder folder;
  const LoadedModel model = testing::traced_model(testing::small_spec(), Rng(7));
  save_weights(RunFolder(folder.path()).weights(), parameters_of(*model.model));
  const SafetensorsFile file(RunFolder(folder.path()).weights());
  for (const char* name : {"", "encoder", "../model", "encoder.blocks.9.self.packed.weight"})
    EXPECT_THROW(pooled_weight(file, name, 8), Error) << name;
}

}  // namespace
}  // namespace regard
