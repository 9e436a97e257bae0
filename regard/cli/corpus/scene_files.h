#pragma once

#include <string>

#include "regard/cli/command.h"
#include "regard/image/picture_corpus.h"

namespace regard {

/// Scenes 0 to count - 1 of a built-in corpus.
struct ScenesRequest {
  const PictureCorpus& corpus;
  scenes::ScenesSpec spec{};
  Index count = 0;
};

/// Writes pictures, `SPLIT.en.tsv` and `SPLIT.fr.tsv` (path TAB caption, as read_captioned_files
/// wants them), or `SPLIT.tsv` of a corpus with labels, and `SPLIT.boxes.jsonl` (see scene_json)
/// into a folder: all, or nothing if this throws or a signal comes. Returns the exit code.
int write_scenes(const ScenesRequest& request, const std::string& folder, bool overwrite,
                 const Settings& settings);

/// What is said of each scene in one line on standard output, tabs between languages, or all that
/// is known of it as JSON.
void show_scenes(const ScenesRequest& request, bool json);

}  // namespace regard
