#include "regard/backend/cpu/cpu.h"

#include <hwy/targets.h>

#include <cstdlib>

#include "regard/base/arena.h"
#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::int64_t kWide = HWY_AVX3 | HWY_AVX3_DL;

}  // namespace

Cpu& Cpu::get() {
  // Never destroyed: exit() may come from any thread, a task or the destructor of a static object,
  // where joining the threads would hang or what still computes would find them gone.
  static Cpu& cpu = *new Cpu;
  return cpu;
}

Cpu::Cpu() : pool_(std::make_unique<ThreadPool>(default_thread_count())) {
  isa_ = hwy::SupportedTargets() & kWide ? "avx512" : "avx2";
  if (const char* isa = std::getenv("REGARD_ISA")) set_isa(isa);
}

void Cpu::set_threads(int threads) {
  pool_ = std::make_unique<ThreadPool>(threads);
}

void Cpu::set_isa(std::string_view isa) {
  check(isa == "avx2" || isa == "avx512", "REGARD_ISA is '", isa, "', expected avx2 or avx512");
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t machine = hwy::SupportedTargets();
  check(isa == "avx2" || (machine & kWide) != 0,
        "REGARD_ISA asks for avx512, which this machine lacks; leave it unset");
  if (isa == "avx2") hwy::SetSupportedTargetsForTest(machine & ~kWide);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  isa_ = isa == "avx2" ? "avx2" : "avx512";
}

std::byte* scratch_bytes(std::size_t bytes) {
  thread_local Arena arena(std::size_t{2} << 20);
  arena.reset();
  return static_cast<std::byte*>(arena.allocate(bytes));
}

}  // namespace regard
