#pragma once

#include <cstddef>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/check.h"

namespace regard {

/// A reader of bytes from outside, and what must hold for any bytes at all. fuzz/targets/x.cpp
/// defines the target `x`; libFuzzer makes up inputs for it, and the tests replay those in
/// fuzz/seeds/x/ and fuzz/findings/x/.
struct FuzzTarget {
  std::string_view name, about;
  std::size_t max_bytes;  ///< of an input
  /// Reads the bytes and checks what came out. May throw only an Error of the fault `refusal`;
  /// everything else that leaves it is a finding.
  void (*attempt)(std::string_view bytes);
  Fault refusal = Fault::input;
  bool slow = false;  ///< over 50 us an input: `./run fuzz --inputs N` tries a fifth of N
};

/// Every target of this program; made from the files in targets/.
std::span<const FuzzTarget* const> all_fuzz_targets();

/// An attempt whose refusals count as success; whether there was none. Lets all that is a finding
/// pass.
bool try_bytes(const FuzzTarget& target, std::string_view bytes);

/// What must hold did not.
struct BrokenLaw : std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws BrokenLaw with the parts joined unless it holds.
template <class... Parts>
void law(bool holds, const Parts&... parts) {
  if (holds) return;
  std::ostringstream text;
  (text << ... << parts);
  throw BrokenLaw(text.str());
}

/// The files of an input that stands for several: what lies between lines of "%%" alone. As many as
/// asked for; what is missing is empty, and the last takes all that is left.
std::vector<std::string_view> files_in(std::string_view bytes, std::size_t count);

}  // namespace regard
