#include "regard/batch/builtin/split.h"

#include <cstdint>
#include <utility>

namespace regard::builtin {
namespace {

/// FNV-1a (Fowler, Noll, Vo), its bits then spread so that remainders are even.
class Hash {
 public:
  Hash& operator<<(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
    step(0);
    return *this;
  }
  std::uint64_t value() const {
    std::uint64_t x = state_;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
  }

 private:
  void step(std::uint64_t byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace

bool held_out(std::string_view lemma, std::string_view other) {
  if (other < lemma) std::swap(lemma, other);
  return (Hash() << lemma << other).value() % 25 == 0;
}

Split split_of(std::string_view english, std::span<const std::string_view> lemmas) {
  for (std::size_t i = 0; i < lemmas.size(); ++i)
    for (std::size_t j = i + 1; j < lemmas.size(); ++j)
      if (held_out(lemmas[i], lemmas[j])) return Split::test;
  return (Hash() << english).value() % 10 == 0 ? Split::valid : Split::train;
}

}  // namespace regard::builtin
