#include "regard/train/run_pictures.h"

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
#include "regard/train/checkpoint/manifest.h"
#include "regard/train/put_aside.h"

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

/// What is there of the lists and their pictures, to know by whether it changes: bytes of the
/// lists, and of pictures, which may be many, sizes and times.
std::string state_of(const DataSpec& data) {
  std::string state;
  for (const std::string& list : {data.train_source, data.valid_source}) {
    if (list.empty() || find_picture_corpus(list)) continue;
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

/// Whole pictures are put aside: what else is said of one that was learned from would be no test.
void put_pictures_aside(RunPictures& found, const Recipe& recipe, const RunRequest& request) {
  PictureExamples &train = found.train, &valid = found.valid;
  std::vector<std::vector<Index>> said_of;  // numbers of the set by picture
  for (const Index i : train.chosen) {
    const auto picture = static_cast<std::size_t>(train.pictures->picture(i));
    said_of.resize(std::max(said_of.size(), picture + 1));
    said_of[picture].push_back(i);
  }
  const Division division =
      put_aside(static_cast<Index>(said_of.size()), static_cast<std::uint64_t>(recipe.train.seed),
                "picture", request.valid_remedy);
  const auto all_said = [&](const std::vector<Index>& pictures) {
    std::vector<Index> all;
    for (const Index picture : pictures)
      for (const Index i : said_of[static_cast<std::size_t>(picture)]) all.push_back(i);
    return all;
  };
  valid.pictures = train.pictures;
  valid.chosen = all_said(division.valid);
  train.chosen = all_said(division.train);
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
  if (data.train_source == corpus.name || data.valid_source == corpus.name)
    corpus.say(corpus.scene({}, 0).content, data.to);
  check(data.train_source != corpus.name || data.builtin_pairs <= scenes::kMaxScenes, corpus.name,
        " has ", scenes::kMaxScenes, " scenes to train on, not ", data.builtin_pairs,
        "; lower data.builtin_pairs");
  for (const std::string& path : {data.train_source, data.valid_source})
    check(path == corpus.name || !path.starts_with("builtin:"), needs, ", and ", path,
          " is none; take ", corpus.name);
  for (const std::string& path : {data.train_source, data.valid_source})
    check(path.empty() || !is_stream(path), needs,
          ", which is read again when a run goes on, so it cannot come from ",
          path == "-" ? "standard input" : path, "; name a file");
}

RunPictures read_run_pictures(const Recipe& recipe, const RunRequest& request,
                              const PictureCorpus& corpus) {
  const DataSpec& data = recipe.data;
  const std::string state = state_of(data);
  const Read train = read(recipe, data.train_source, Split::train, corpus);
  RunPictures found{.train = all_of(train.pictures)};
  nlohmann::ordered_json note{{"train", train.note}};
  const bool builtin = data.train_source == corpus.name;
  const std::string other =
      data.valid_source.empty() && builtin ? data.train_source : data.valid_source;
  request.say(fmt::format("train: {} pictures", train.pictures->count()));
  if (other.empty()) {
    put_pictures_aside(found, recipe, request);
  } else {
    const Read valid = read(recipe, other, Split::valid, corpus);
    note["valid"] = valid.note;
    found.valid = all_of(valid.pictures);
    request.say(fmt::format("valid: {} pictures", valid.pictures->count()));
  }
  if (state_of(data) != state)
    fail(Fault::input, data.train_source,
         ": the lists or their pictures changed while they were read; start again when nothing ",
         "writes to them");
  found.note = note.dump();
  return found;
}

}  // namespace regard
