#include "regard/train/run_pictures.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/rng.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {
namespace {

PictureExamples all_of(std::shared_ptr<const CaptionedSet> pictures) {
  PictureExamples all{.pictures = std::move(pictures)};
  all.chosen.resize(static_cast<std::size_t>(all.pictures->count()));
  std::iota(all.chosen.begin(), all.chosen.end(), Index{0});
  return all;
}

std::string note_of_corpus(const PictureCorpus& corpus, Split split, Index count,
                           const std::string& language) {
  return fmt::format("{} {} {} {}{}{}", corpus.name, corpus.version, name(split), count,
                     language.empty() ? "" : " ", language);
}

/// Which pictures they are and what is said of them, whatever their files are called.
std::string note_of_files(const CaptionedSet& pictures) {
  std::string all;
  for (Index i = 0; i < pictures.count(); ++i) {
    const Image square = pictures.square(i);
    all += pictures.about(i).caption + "\n";
    all += fmt::format(
        "{:016x}\n",
        content_hash({reinterpret_cast<const char*>(square.pixels.data()), square.pixels.size()}));
  }
  return fmt::format("{} {:016x}", pictures.count(), content_hash(all));
}

/// Pictures of a split, and what says which they are.
struct Read {
  std::shared_ptr<const CaptionedSet> pictures;
  std::string note;
};

Read read(const Recipe& recipe, const std::string& path, Split split, const PictureCorpus& corpus) {
  const Index side = recipe.model.image_size;
  if (path == corpus.name) {
    const std::string& language = recipe.data.to;
    const Index count =
        split == Split::train ? recipe.data.builtin_pairs : scenes::usual_scenes(split);
    return {builtin_pictures(corpus, {.split = split}, count, language, side),
            note_of_corpus(corpus, split, count, language)};
  }
  std::shared_ptr<const CaptionedSet> pictures = captioned_pictures(path, side);
  const std::string note = note_of_files(*pictures);
  return {std::move(pictures), note};
}

/// The last of the training pictures in a shuffled order; of a handful, all serve for both.
PictureExamples put_aside(PictureExamples& train, const Recipe& recipe, const RunRequest& request) {
  PictureExamples valid{.pictures = train.pictures};
  if (train.chosen.size() < 20) {
    warn("only ", train.chosen.size(),
         " training pictures: they are the validation set too, so validation says nothing about "
         "other pictures; ",
         request.valid_remedy);
    valid.chosen = train.chosen;
    return valid;
  }
  const Rng rng = Rng(static_cast<std::uint64_t>(recipe.train.seed)).fork("put aside");
  for (std::size_t i = train.chosen.size(); i > 1; --i)
    std::swap(train.chosen[i - 1], train.chosen[rng.below(i, i)]);
  const auto count =
      static_cast<std::ptrdiff_t>(std::min<std::size_t>(1000, train.chosen.size() / 10));
  valid.chosen.assign(train.chosen.end() - count, train.chosen.end());
  train.chosen.erase(train.chosen.end() - count, train.chosen.end());
  return valid;
}

}  // namespace

void check_run_pictures(const Recipe& recipe, const PictureCorpus& corpus) {
  const DataSpec& data = recipe.data;
  const std::string needs = fmt::format("architecture {} learns from a list of pictures and {}s",
                                        recipe.model.architecture, corpus.said);
  for (const std::string& second : {data.train_target, data.valid_target})
    check(second.empty(), needs, ", which is one file: lines of path, tab and ", corpus.said,
          "; leave ", second, " out");
  check(data.from.empty() || !corpus.has_languages(), needs,
        ", whose language is data.to; leave data.from '", data.from, "' out");
  check((data.from + data.to).empty() || corpus.has_languages(), needs,
        ", which have no language; leave data.from '", data.from, "' and data.to '", data.to,
        "' out");
  if (data.train_source == corpus.name || data.valid_source == corpus.name) {
    corpus.say(corpus.scene({}, 0).content, data.to);
    check(data.builtin_pairs <= scenes::kMaxScenes, corpus.name, " has ", scenes::kMaxScenes,
          " scenes to train on, not ", data.builtin_pairs, "; lower data.builtin_pairs");
  }
  for (const std::string& path : {data.train_source, data.valid_source})
    check(path == corpus.name || !path.starts_with("builtin:"), needs, ", and ", path,
          " is none; take ", corpus.name);
}

RunPictures read_run_pictures(const Recipe& recipe, const RunRequest& request,
                              const PictureCorpus& corpus) {
  const DataSpec& data = recipe.data;
  const Read train = read(recipe, data.train_source, Split::train, corpus);
  RunPictures found{.train = all_of(train.pictures)};
  nlohmann::ordered_json note{{"train", train.note}};
  const bool builtin = data.train_source == corpus.name;
  const std::string other =
      data.valid_source.empty() && builtin ? data.train_source : data.valid_source;
  request.say(fmt::format("train: {} pictures", train.pictures->count()));
  if (other.empty()) {
    found.valid = put_aside(found.train, recipe, request);
  } else {
    const Read valid = read(recipe, other, Split::valid, corpus);
    note["valid"] = valid.note;
    found.valid = all_of(valid.pictures);
    request.say(fmt::format("valid: {} pictures", valid.pictures->count()));
  }
  found.note = note.dump();
  return found;
}

}  // namespace regard
