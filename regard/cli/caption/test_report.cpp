#include "regard/cli/caption/test_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/cli/caption/captioned_picture.h"
#include "regard/decode/gaze.h"
#include "regard/image/source.h"
#include "regard/measure/bleu.h"
#include "regard/tokens/normalise.h"
#include "regard/trace/picture_looks.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

/// Pictures of one kind, while they are counted.
struct Kind {
  CaptionScore score;
  std::vector<std::string> said{}, wanted{};

  void add(const std::string& caption, const std::string& reference) {
    ++score.pictures;
    score.exact += caption == reference;
    said.push_back(caption);
    wanted.push_back(reference);
  }
  CaptionScore scored() const {
    CaptionScore whole = score;
    if (!said.empty()) whole.bleu = bleu(said, {wanted}).score;
    return whole;
  }
};

double percent_exact(const CaptionScore& score) {
  return 100 * static_cast<double>(score.exact) / static_cast<double>(score.pictures);
}

}  // namespace

std::vector<CaptionScore> caption_scores(const LoadedModel& model, const CaptionedSet& pictures,
                                         const std::vector<std::vector<Hypothesis>>& found) {
  constexpr Index kTogether = 64;
  const Tokenizer& words = *model.info.target;
  const PatchGrid grid = grid_of(model.info.spec);
  Kind all{{.name = "all"}}, seen{{.name = "seen pairs"}}, unseen{{.name = "unseen pairs"}};
  for (Index begin = 0; begin < pictures.count(); begin += kTogether) {
    std::vector<SaidOfSource> pairs;
    for (Index i = begin; i < std::min(pictures.count(), begin + kTogether); ++i)
      pairs.push_back(
          {source_of(pictures.square(i), grid), words.encode(pictures.about(i).caption)});
    const std::vector<Tensor> looks = gazes(*model.model, pairs, model.info.alignment);
    for (std::size_t j = 0; j < looks.size(); ++j) {
      const Index i = begin + static_cast<Index>(j);
      const Captioned about = pictures.about(i);
      const std::string said = words.decode(found[static_cast<std::size_t>(i)].front().ids);
      for (Kind* kind : {&all, about.unseen ? &unseen : &seen}) {
        kind->add(said, normalise(about.caption));
        kind->score.boxed += !about.named.empty();
        add(kind->score.looks, looks[j], words.tokens(about.caption), about, grid);
      }
    }
  }
  if (unseen.said.empty()) return {all.scored()};
  return {seen.scored(), unseen.scored(), all.scored()};
}

std::string as_text(const std::vector<CaptionScore>& scores, const AlignmentHead& head,
                    const std::string& boxes_file) {
  std::string text = fmt::format("{:<14}{:>9}{:>9}{:>8}", "", "pictures", "exact", "BLEU");
  const bool boxes = std::ranges::any_of(scores, [](const auto& each) { return each.looks.words; });
  if (boxes) text += fmt::format("{:>10}{:>9}{:>8}", "in box", "chance", "times");
  text += '\n';
  for (const CaptionScore& score : scores) {
    text += fmt::format("{:<14}{:>9}{:>7.1f} %{:>8.2f}", score.name, score.pictures,
                        percent_exact(score), score.bleu);
    if (boxes)
      text += fmt::format("{:>8.1f} %{:>7.1f} %{:>8.1f}", 100 * score.looks.mean_mass(),
                          100 * score.looks.mean_chance(), score.looks.times_chance());
    text += '\n';
  }
  if (!boxes && boxes_file.empty()) return text;
  if (!boxes)
    return text +
           fmt::format("in box: not measured; {} would say what words name\n", visible(boxes_file));
  text += fmt::format(
      "in box: attention of words that name an object ({}), inside its box; chance: the box's "
      "share of the picture\n",
      described(head));
  const CaptionScore& all = scores.back();
  if (all.boxed < all.pictures)
    text += fmt::format("boxes are known of {} of the {} pictures\n", all.boxed, all.pictures);
  return text;
}

nlohmann::ordered_json as_json(const std::vector<CaptionScore>& scores, const AlignmentHead& head) {
  nlohmann::ordered_json all{{"schema", 1},
                             {"head", {{"layer", head.layer}, {"head", head.head}}},
                             {"scores", nlohmann::ordered_json::array()}};
  for (const CaptionScore& score : scores) {
    nlohmann::ordered_json one{{"name", score.name},
                               {"pictures", score.pictures},
                               {"exact", score.exact},
                               {"exact_percent", percent_exact(score)},
                               {"bleu", score.bleu}};
    if (score.looks.words > 0)
      one["in_box"] = {{"pictures", score.boxed},
                       {"words", score.looks.words},
                       {"mass", score.looks.mean_mass()},
                       {"chance", score.looks.mean_chance()},
                       {"times_chance", score.looks.times_chance()}};
    all["scores"].push_back(std::move(one));
  }
  return all;
}

}  // namespace regard
