// The model that comes with the program is used if --model is not given.
#include <gtest/gtest.h>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

/// The program as it lies in a clone or once installed: in a folder of its own, the model beside
/// that.
class Installed {
 public:
  explicit Installed(const std::string& models) {
    std::filesystem::create_directories(folder_.path("bin"));
    std::filesystem::copy_file(REGARD_PROGRAM, folder_.path("bin/regard"));
    if (models.empty()) return;
    std::filesystem::create_directories(folder_.path(models));
    model_ = write_small_model(folder_, {}, models + "/en-fr");
  }

  Outcome operator()(std::vector<std::string> arguments) const {
    return run_regard(arguments,
                      {.input = "the black cat sleeps .\n", .program = folder_.path("bin/regard")});
  }
  const std::string& model() const { return model_; }

 private:
  Folder folder_;
  std::string model_;
};

TEST(ShippedModel, IsUsedAndNamedIfNoneIsGiven) {
  for (const char* place : {"models", "share/regard/models"}) {
    const Installed regard(place);
    const Outcome named = regard({"translate", "--model", regard.model()});
    ASSERT_EQ(named.code, 0) << named.err;
    EXPECT_EQ(named.err.find("using"), std::string::npos) << named.err;
    const Outcome shipped = regard({"translate"});
    EXPECT_EQ(shipped.code, 0) << shipped.err;
    EXPECT_EQ(shipped.out, named.out);
    EXPECT_NE(shipped.err.find("using " + regard.model()), std::string::npos) << shipped.err;
    EXPECT_EQ(regard({"translate", "-q"}).err, "");
    EXPECT_EQ(regard({"info", "-q"}).code, 0);
    EXPECT_EQ(regard({"inspect", "-q", "the cat"}).code, 0);
  }
}

TEST(ShippedModel, IsNoOutput) {
  const Installed regard("models");
  const Outcome outcome = regard({"translate", "-o", regard.model() + "/config.json"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
}

TEST(ShippedModel, IsNotNeeded) {
  const Installed regard("");
  const Outcome outcome = regard({"translate"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--model DIR is missing"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace regard
