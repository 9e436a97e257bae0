#include "regard/measure/edit_rate.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "regard/base/check.h"

namespace regard::measure {
namespace {

// Tercom's limits, and those of sacreBLEU: figures are equal only with the same ones.
constexpr Index kMaxShiftSize = 10, kMaxShiftDistance = 50, kMaxCandidates = 1000, kBeamWidth = 25;
constexpr Index kInfinity = Index{1} << 50;

using Words = std::u32string;

enum class Edit : char { keep, replace, insert, remove, unreached };

struct Cell {
  Index cost = kInfinity;
  Edit edit = Edit::unreached;
};

/// Cells near the diagonal, those at `first` and after it; all others are unreached.
struct Row {
  Index first = 0;
  std::vector<Cell> cells{};

  Cell at(Index j) const {
    const Index k = j - first;
    return k < 0 || k >= static_cast<Index>(cells.size()) ? Cell{}
                                                          : cells[static_cast<std::size_t>(k)];
  }
};

/// Edit distance to one reference, only near the diagonal. Hypotheses are alike, so rows of words
/// that the last one began with too are kept.
class EditDistance {
 public:
  explicit EditDistance(std::u32string_view reference) : reference_(reference), rows_(1) {
    for (Index j = 0; j <= width(); ++j) rows_[0].cells.push_back({j, Edit::insert});
  }

  /// REQUIRES as many words in every hypothesis: the diagonal depends on it.
  Index operator()(std::u32string_view hypothesis) {
    const auto [differs, end] = std::ranges::mismatch(hypothesis, last_);
    const auto kept = static_cast<std::size_t>(differs - hypothesis.begin());
    rows_.resize(kept + 1);
    last_ = hypothesis;
    while (rows_.size() <= last_.size()) add_row();
    return rows_.back().at(width()).cost;
  }

  /// The edits that make the last hypothesis the reference, in order.
  std::vector<Edit> edits() const {
    std::vector<Edit> path;
    std::size_t i = last_.size();
    for (Index j = width(); i > 0 || j > 0;) {
      const Edit edit = rows_[i].at(j).edit;
      if (edit == Edit::unreached) fail(Fault::bug, "TER: the diagonal was left");
      path.push_back(edit);
      if (edit != Edit::insert) --i;
      if (edit != Edit::remove) --j;
    }
    std::ranges::reverse(path);
    return path;
  }

 private:
  Index width() const { return static_cast<Index>(reference_.size()); }
  char32_t word(Index j) const { return reference_[static_cast<std::size_t>(j)]; }

  void add_row() {
    const auto i = static_cast<Index>(rows_.size()), all = static_cast<Index>(last_.size());
    const double ratio = static_cast<double>(width()) / static_cast<double>(all);
    const Index beam =
        kBeamWidth < ratio / 2 ? static_cast<Index>(std::ceil(ratio / 2 + kBeamWidth)) : kBeamWidth;
    const auto diagonal = static_cast<Index>(std::floor(static_cast<double>(i) * ratio));
    const Index first = std::max<Index>(0, diagonal - beam);
    const Index end = i == all ? width() + 1 : std::min(width() + 1, diagonal + beam);
    const Row& above = rows_.back();
    Row row{first};
    for (Index j = first; j < end; ++j) {
      Cell cell{above.at(j).cost + 1, Edit::remove};
      if (j > 0) {
        const bool same = last_[static_cast<std::size_t>(i) - 1] == word(j - 1);
        const Index aslant = above.at(j - 1).cost + (same ? 0 : 1), left = row.at(j - 1).cost + 1;
        // Of equal costs: keep or replace, then remove, then insert.
        if (aslant <= cell.cost) cell = {aslant, same ? Edit::keep : Edit::replace};
        if (left < cell.cost) cell = {left, Edit::insert};
      }
      row.cells.push_back(cell);
    }
    rows_.push_back(std::move(row));
  }

  std::u32string_view reference_;
  Words last_;
  std::vector<Row> rows_;  ///< [words of last_ + 1]
};

/// Which word of the hypothesis lies at each word of the reference (-1: before the first), and
/// which words of either are wrong.
struct Aligned {
  std::vector<Index> place;
  std::vector<bool> wrong_reference, wrong_hypothesis;

  explicit Aligned(const std::vector<Edit>& edits) {
    Index at = -1;
    for (const Edit edit : edits) {
      const bool wrong = edit != Edit::keep;
      if (edit != Edit::insert) ++at, wrong_hypothesis.push_back(wrong);
      if (edit != Edit::remove) place.push_back(at), wrong_reference.push_back(wrong);
    }
  }
};

struct Run {
  Index hypothesis, reference, length;  ///< starts, and how many words are the same
};

/// Calls visit(run) for each, while it returns true.
void each_common_run(const Words& hypothesis, std::u32string_view reference, auto&& visit) {
  const auto all = static_cast<Index>(hypothesis.size());
  const auto wanted = static_cast<Index>(reference.size());
  const auto same = [&](Index h, Index r) {
    return h < all && r < wanted &&
           hypothesis[static_cast<std::size_t>(h)] == reference[static_cast<std::size_t>(r)];
  };
  for (Index h = 0; h < all; ++h)
    for (Index r = std::max<Index>(0, h - kMaxShiftDistance);
         r < std::min(wanted, h + kMaxShiftDistance + 1); ++r)
      for (Index n = 0; n < kMaxShiftSize && same(h + n, r + n); ++n)
        if (!visit(Run{h, r, n + 1})) return;
}

bool any_within(const std::vector<bool>& flags, Index start, Index length) {
  return std::any_of(flags.begin() + start, flags.begin() + start + length,
                     [](bool flag) { return flag; });
}

/// The run taken out and put in before `target`; inside the run itself, that many words later.
Words moved(const Words& words, const Run& run, Index target) {
  Words result = words;
  const auto begin = result.begin();
  const Index start = run.hypothesis, end = start + run.length;
  if (target < start)
    std::rotate(begin + target, begin + start, begin + end);
  else {
    const Index reached = target > end ? target : target + run.length;
    std::rotate(begin + start, begin + end,
                begin + std::min(reached, static_cast<Index>(words.size())));
  }
  return result;
}

struct Candidate {
  Index gain, length, start, target;
  Words words;
  /// Of equal gains the longest run, then the earliest, then the earliest target.
  auto rank() const { return std::tuple(gain, length, -start, -target); }
};

/// The best of the moves that Tercom would try; none if there is none to try. `tried` counts on.
std::optional<Candidate> best_move(const Words& words, std::u32string_view reference,
                                   EditDistance& distance, Index& tried) {
  const Index before = distance(words);
  const Aligned aligned(distance.edits());
  const auto all = static_cast<Index>(reference.size());
  std::optional<Candidate> best;
  each_common_run(words, reference, [&](const Run& run) {
    if (!any_within(aligned.wrong_hypothesis, run.hypothesis, run.length)) return true;
    if (!any_within(aligned.wrong_reference, run.reference, run.length)) return true;
    const auto place = [&](Index r) { return aligned.place[static_cast<std::size_t>(r)]; };
    const Index now = place(run.reference);
    if (run.hypothesis <= now && now < run.hypothesis + run.length) return true;
    Index last = -1;
    for (Index r = run.reference - 1; r < std::min(all, run.reference + run.length); ++r) {
      const Index target = r < 0 ? 0 : place(r) + 1;
      if (target == last) continue;
      last = target;
      Candidate candidate{0, run.length, run.hypothesis, target, moved(words, run, target)};
      candidate.gain = before - distance(candidate.words);
      ++tried;
      if (!best || candidate.rank() > best->rank()) best = std::move(candidate);
    }
    return tried < kMaxCandidates;
  });
  return best;
}

}  // namespace

Index translation_edits(std::u32string_view hypothesis, std::u32string_view reference) {
  if (reference.empty()) return static_cast<Index>(hypothesis.size());
  EditDistance distance(reference);
  Words words(hypothesis);
  Index moves = 0, tried = 0;
  while (true) {
    auto best = best_move(words, reference, distance, tried);
    // A move found by the try that reached the limit does not count: so it is in sacreBLEU.
    if (tried >= kMaxCandidates || !best || best->gain <= 0) break;
    ++moves;
    words = std::move(best->words);
  }
  return moves + distance(words);
}

}  // namespace regard::measure
