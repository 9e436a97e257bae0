#include "regard/measure/alignment.h"

#include <algorithm>
#include <charconv>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

double share(Index part, Index whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Alignment parse_moses(std::string_view line, std::string_view where) {
  Alignment links;
  for (auto at = line.find_first_not_of(kSpace); at != line.npos;
       at = line.find_first_not_of(kSpace, at)) {
    const auto end = std::min(line.find_first_of(kSpace, at), line.size());
    const std::string_view link = line.substr(at, end - at);
    Index source = -1, target = -1;
    const char* const last = link.data() + link.size();
    const auto first = std::from_chars(link.data(), last, source);
    bool good = first.ec == std::errc() && first.ptr != last && *first.ptr == '-';
    if (good) {
      const auto second = std::from_chars(first.ptr + 1, last, target);
      good = second.ec == std::errc() && second.ptr == last && source >= 0 && target >= 0;
    }
    if (!good)
      fail(Fault::input, where,
           ": expected links such as '0-0 1-2' (source-target, from 0), found '", link, "'");
    links.emplace_back(source, target);
    at = end;
  }
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

AlignmentScore alignment_error_rate(std::span<const Alignment> found,
                                    std::span<const Alignment> gold) {
  if (found.size() != gold.size())
    fail(Fault::input, "alignments of ", found.size(), " sentences against gold ones of ",
         gold.size());
  Index common = 0, all_found = 0, all_gold = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    Alignment both;
    std::ranges::set_intersection(found[i], gold[i], std::back_inserter(both));
    common += static_cast<Index>(both.size());
    all_found += static_cast<Index>(found[i].size());
    all_gold += static_cast<Index>(gold[i].size());
  }
  return {.error_rate = 1 - share(2 * common, all_found + all_gold),
          .precision = share(common, all_found),
          .recall = share(common, all_gold)};
}

}  // namespace regard
