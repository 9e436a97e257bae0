#include "regard/train/put_aside.h"

#include <algorithm>
#include <numeric>

#include "regard/base/log.h"
#include "regard/base/shuffle.h"

namespace regard {

Division put_aside(Index count, std::uint64_t seed, std::string_view what,
                   const std::string& remedy) {
  constexpr Index kFewest = 20, kMostAside = 1000;
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  if (count < kFewest) {
    warn("only ", count, " training ", what, count == 1 ? ": it is" : "s: they are",
         " the validation set too, so validation says nothing about others; ", remedy);
    return {.train = all, .valid = all};
  }
  // The name decides which are held out: runs of older versions resume with the same.
  shuffle(std::span(all), Rng(seed).fork("put aside"));
  const auto first_aside = all.end() - std::min(kMostAside, count / 10);
  return {.train = {all.begin(), first_aside}, .valid = {first_aside, all.end()}};
}

}  // namespace regard
