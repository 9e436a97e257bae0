#include "tests/support/law.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "regard/backend/cpu/cpu.h"

namespace regard::testing {
namespace {

std::set<std::string> names;
long draws_made = 0;

/// Says at the end of a test program how many properties held over how many random cases.
class Totals final : public ::testing::EmptyTestEventListener {
  void OnTestProgramEnd(const ::testing::UnitTest&) override {
    if (!names.empty())
      std::printf("properties: %zu, random cases: %ld\n", names.size(), draws_made);
  }
};

}  // namespace

void law(const std::string& name, int draws, const std::function<void(Draw& draw)>& holds) {
  static const bool counted = [] {
    ::testing::UnitTest::GetInstance()->listeners().Append(new Totals);
    return true;
  }();
  static_cast<void>(counted);
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  names.insert(std::string(test->test_suite_name()) + "." + test->name() + "." + name);
  const Rng rng = Rng(20).fork(name);
  for (int i = 0; i < draws; ++i) {
    Draw draw(rng.fork(static_cast<std::uint64_t>(i)), i);
    const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                       "law '" + name + "', draw " + std::to_string(i));
    holds(draw);
    ++draws_made;
    if (::testing::Test::HasFailure()) return;
  }
}

void in_every_setting(const std::function<void(const std::string& what)>& f) {
  Cpu& cpu = Cpu::get();
  const int threads = cpu.threads();
  const std::string isa(cpu.isa());
  for (const std::string& set : isa == "avx512" ? std::vector<std::string>{"avx2", "avx512"}
                                                : std::vector<std::string>{"avx2"}) {
    cpu.set_isa(set);
    for (const int count : {1, 2, 3, 7, 16, 64}) {
      cpu.set_threads(count);
      f(set + ", " + std::to_string(count) + " threads");
    }
  }
  cpu.set_isa(isa);
  cpu.set_threads(threads);
}

}  // namespace regard::testing
