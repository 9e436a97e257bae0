#include "regard/train/run_captions.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/image/scenes/caption.h"
#include "regard/model/architecture.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {
namespace {

constexpr int kScenesVersion = 1;

CaptionExamples all_of(std::shared_ptr<const CaptionedSet> pictures) {
  CaptionExamples all{.pictures = std::move(pictures)};
  all.chosen.resize(static_cast<std::size_t>(all.pictures->count()));
  std::iota(all.chosen.begin(), all.chosen.end(), Index{0});
  return all;
}

std::shared_ptr<const CaptionedSet> scenes_of(const Recipe& recipe, Split split) {
  const Index count =
      split == Split::train ? recipe.data.builtin_pairs : scenes::usual_scenes(split);
  return captioned_scenes({.split = split}, count, recipe.data.to, recipe.model.image_size);
}

std::string note_of_scenes(const Recipe& recipe, Split split, Index count) {
  return fmt::format("{} {} {} {} {}", kBuiltinScenes, kScenesVersion, name(split), count,
                     recipe.data.to);
}

/// Which pictures and captions they are, whatever their files are called.
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

Read read(const Recipe& recipe, const std::string& path, Split split) {
  if (path == kBuiltinScenes) {
    auto pictures = scenes_of(recipe, split);
    const std::string note = note_of_scenes(recipe, split, pictures->count());
    return {std::move(pictures), note};
  }
  std::shared_ptr<const CaptionedSet> pictures = captioned_pictures(path, recipe.model.image_size);
  const std::string note = note_of_files(*pictures);
  return {std::move(pictures), note};
}

/// The last of the training pictures in a shuffled order; of a handful, all serve for both.
CaptionExamples put_aside(CaptionExamples& train, const Recipe& recipe, const RunRequest& request) {
  CaptionExamples valid{.pictures = train.pictures};
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

void check_run_captions(const Recipe& recipe) {
  const DataSpec& data = recipe.data;
  const std::string needs =
      "architecture " + recipe.model.architecture + " learns from a list of pictures and captions";
  for (const std::string& second : {data.train_target, data.valid_target})
    check(second.empty(), needs, ", which is one file: lines of path, tab and caption; leave ",
          second, " out");
  check(data.from.empty(), needs, ", whose language is data.to; leave data.from '", data.from,
        "' out");
  if (data.train_source == kBuiltinScenes || data.valid_source == kBuiltinScenes)
    scenes::caption({.objects = {{}}}, data.to);
  check(data.train_source != kBuiltinScenes || data.builtin_pairs <= scenes::kMaxScenes,
        kBuiltinScenes, " has ", scenes::kMaxScenes, " scenes to train on, not ",
        data.builtin_pairs, "; lower data.builtin_pairs");
  for (const std::string& path : {data.train_source, data.valid_source})
    check(path == kBuiltinScenes || !path.starts_with("builtin:"), needs, ", and ", path,
          " is none; take ", kBuiltinScenes);
  const Index positions = max_positions(recipe.model);
  check(positions == 0 || data.max_tokens < positions, "captions of up to ", data.max_tokens,
        " tokens (data.max_tokens) do not fit ", positions,
        " learned positions (model.max_length); the latter must be larger");
}

RunCaptions read_run_captions(const Recipe& recipe, const RunRequest& request) {
  const DataSpec& data = recipe.data;
  const Read train = read(recipe, data.train_source, Split::train);
  RunCaptions found{.train = all_of(train.pictures)};
  nlohmann::ordered_json note{{"train", train.note}};
  const bool scenes = data.train_source == kBuiltinScenes;
  const std::string other =
      data.valid_source.empty() && scenes ? std::string(kBuiltinScenes) : data.valid_source;
  request.say(fmt::format("train: {} pictures", train.pictures->count()));
  if (other.empty()) {
    found.valid = put_aside(found.train, recipe, request);
  } else {
    const Read valid = read(recipe, other, Split::valid);
    note["valid"] = valid.note;
    found.valid = all_of(valid.pictures);
    request.say(fmt::format("valid: {} pictures", valid.pictures->count()));
  }
  found.note = note.dump();
  for (const Index i : found.train.chosen)
    found.captions.push_back(train.pictures->about(i).caption);
  return found;
}

Index encode(CaptionExamples& examples, const Tokenizer& tokenizer, Index max_tokens) {
  std::vector<Index> kept;
  examples.targets.clear();
  for (const Index i : examples.chosen) {
    std::vector<std::int32_t> ids = tokenizer.encode(examples.pictures->about(i).caption);
    if (static_cast<Index>(ids.size()) > max_tokens) continue;
    examples.targets.push_back(std::move(ids));
    kept.push_back(i);
  }
  const auto left_out = static_cast<Index>(examples.chosen.size() - kept.size());
  examples.chosen = std::move(kept);
  return left_out;
}

}  // namespace regard
