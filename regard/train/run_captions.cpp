#include "regard/train/run_captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "regard/base/check.h"
#include "regard/batch/corpus.h"
#include "regard/batch/raw_file.h"
#include "regard/image/captioned_files.h"
#include "regard/image/scenes/caption.h"
#include "regard/model/architecture.h"
#include "regard/train/checkpoint/manifest.h"
#include "regard/train/put_aside.h"

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

/// What is there of the lists and their pictures, to know by whether it changes: bytes of the
/// lists, and of pictures, which may be many, sizes and times.
std::string state_of(const DataSpec& data) {
  std::string state;
  for (const std::string& list : {data.train_source, data.valid_source}) {
    if (list.empty() || list == kBuiltinScenes) continue;
    state += corpus_fingerprint({{list}, "", ""}) + "\n";
    for (const CaptionedFile& file : read_captioned_files(list)) {
      std::error_code missing;  // which is told, with its line, when it is read
      const auto size = std::filesystem::file_size(file.path, missing);
      const auto time = std::filesystem::last_write_time(file.path, missing).time_since_epoch();
      state += fmt::format("{} {}\n", size, time.count());
    }
  }
  return state;
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

/// Whole pictures are put aside: another caption of one that was learned from would be no test.
void put_pictures_aside(RunCaptions& found, const Recipe& recipe, const RunRequest& request) {
  CaptionExamples &train = found.train, &valid = found.valid;
  std::vector<std::vector<Index>> captions_of;
  for (const Index i : train.chosen) {
    const auto picture = static_cast<std::size_t>(train.pictures->picture(i));
    captions_of.resize(std::max(captions_of.size(), picture + 1));
    captions_of[picture].push_back(i);
  }
  const Division division =
      put_aside(static_cast<Index>(captions_of.size()),
                static_cast<std::uint64_t>(recipe.train.seed), "picture", request.valid_remedy);
  const auto captions = [&](const std::vector<Index>& pictures) {
    std::vector<Index> all;
    for (const Index picture : pictures)
      for (const Index i : captions_of[static_cast<std::size_t>(picture)]) all.push_back(i);
    return all;
  };
  valid.pictures = train.pictures;
  valid.chosen = captions(division.valid);
  train.chosen = captions(division.train);
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
  for (const std::string& path : {data.train_source, data.valid_source})
    check(path.empty() || !is_stream(path), needs,
          ", which is read again when a run goes on, so it cannot come from ",
          path == "-" ? "standard input" : path, "; name a file");
  const Index positions = max_positions(recipe.model);
  check(positions == 0 || data.max_tokens < positions, "captions of up to ", data.max_tokens,
        " tokens (data.max_tokens) do not fit ", positions,
        " learned positions (model.max_length); the latter must be larger");
}

RunCaptions read_run_captions(const Recipe& recipe, const RunRequest& request) {
  const DataSpec& data = recipe.data;
  const std::string state = state_of(data);
  const Read train = read(recipe, data.train_source, Split::train);
  RunCaptions found{.train = all_of(train.pictures)};
  nlohmann::ordered_json note{{"train", train.note}};
  const bool scenes = data.train_source == kBuiltinScenes;
  const std::string other =
      data.valid_source.empty() && scenes ? std::string(kBuiltinScenes) : data.valid_source;
  request.say(fmt::format("train: {} pictures", train.pictures->count()));
  if (other.empty()) {
    put_pictures_aside(found, recipe, request);
  } else {
    const Read valid = read(recipe, other, Split::valid);
    note["valid"] = valid.note;
    found.valid = all_of(valid.pictures);
    request.say(fmt::format("valid: {} pictures", valid.pictures->count()));
  }
  if (state_of(data) != state)
    fail(Fault::input, data.train_source,
         ": the lists or their pictures changed while they were read; start again when nothing ",
         "writes to them");
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
