#include "regard/cli/processor.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/cli/program.h"

namespace regard {
namespace {

// covers CL8
TEST(Processor, WithEveryFeatureIsFit) {
  EXPECT_EQ(unfit({.avx2 = true, .fma = true, .bmi2 = true}), nullptr);
  require_fit_processor();  // else this test could not run
}

// covers CL8
TEST(Processor, ThatLacksOneIsToldWhich) {
  for (int set = 0; set < 7; ++set) {
    const ProcessorFeatures features{
        .avx2 = (set & 1) != 0, .fma = (set & 2) != 0, .bmi2 = (set & 4) != 0};
    const char* why = unfit(features);
    ASSERT_NE(why, nullptr) << set;
    const std::string line(why);
    EXPECT_TRUE(line.starts_with("regard: error: this processor has no ")) << line;
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    EXPECT_NE(line.find(!features.avx2  ? "no AVX2,"
                        : !features.fma ? "no FMA,"
                                        : "no BMI2,"),
              line.npos)
        << line;
  }
}

/// What a command prints.
std::string output_of(const std::string& command) {
  std::string all;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return all;
  char part[4096];
  for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) all.append(part, n);
  pclose(pipe);
  return all;
}

// The check must run where nothing else can: its own code may use no instruction newer than
// x86-64, all of which the disassembler shows by a register or by a name that starts with v.
// covers CL8
TEST(Processor, IsCheckedByCodeThatRunsAnywhere) {
  if (testing::kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer puts code of its own into every function";
  if (output_of("command -v objdump").empty()) GTEST_SKIP() << "skipped: no objdump";
  const std::filesystem::path folder = std::filesystem::path(REGARD_PROGRAM).parent_path();
  const std::string archive = (folder / "parts" / "libregard_cli.a").string();
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "skipped: no " << archive;
  const auto code_of = [&](const std::string& object) {
    return output_of("cd /tmp && ar p '" + archive + "' " + object + " > processor_$$.o && " +
                     "objdump -d --no-show-raw-insn processor_$$.o; rm -f processor_$$.o");
  };
  const std::string code = code_of("processor.cpp.o");
  ASSERT_NE(code.find("require_fit_processor"), code.npos) << "nothing to look at";
  for (const char* newer : {"ymm", "zmm", "\tv", "shlx", "sarx", "shrx", "mulx", "andn"})
    EXPECT_EQ(code.find(newer), code.npos) << newer;
  EXPECT_NE(code_of("program.cpp.o").find("ymm"), std::string::npos) << "the test sees nothing";
}

// covers CL8
TEST(Processor, IsCheckedBeforeAnyOtherInitialiser) {
  if (output_of("command -v objdump").empty()) GTEST_SKIP() << "skipped: no objdump";
  const std::string archive =
      (std::filesystem::path(REGARD_PROGRAM).parent_path() / "parts" / "libregard_cli.a").string();
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << "skipped: no " << archive;
  EXPECT_NE(output_of("objdump -h '" + archive + "'").find(".init_array.00101"), std::string::npos);
  EXPECT_NE(output_of("objdump -t '" + std::string(REGARD_PROGRAM) + "'")
                .find("before_every_initialiser"),
            std::string::npos)
      << "the linker left it out";
}

}  // namespace
}  // namespace regard
