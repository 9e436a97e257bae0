// One target as a program of libFuzzer's.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "regard/base/log.h"

namespace {

const regard::FuzzTarget& target() {
  return *regard::all_fuzz_targets().front();
}

}  // namespace

/// Tells libFuzzer how long inputs may be, unless the command line says it.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  regard::set_warning_sink([](std::string_view) {});
  static std::vector<std::string> texts(*arguments, *arguments + *count);
  const auto says = [](const std::string& text) { return text.starts_with("-max_len="); };
  if (std::ranges::none_of(texts, says))
    texts.insert(texts.begin() + 1, "-max_len=" + std::to_string(target().max_bytes));
  static std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  *count = static_cast<int>(texts.size());
  *arguments = pointers.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    regard::try_bytes(target(), {reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& finding) {
    std::fprintf(stderr, "finding: %s\n", finding.what());
    std::abort();
  }
  return 0;
}
