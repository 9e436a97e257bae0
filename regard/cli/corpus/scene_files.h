#pragma once

#include <string>

#include "regard/cli/command.h"
#include "regard/image/scenes/corpus.h"

namespace regard {

/// Scenes 0 to count - 1 of the built-in corpus.
struct ScenesRequest {
  scenes::ScenesSpec spec{};
  Index count = 0;
};

/// Writes pictures, `SPLIT.en.tsv` and `SPLIT.fr.tsv` (path TAB caption, as read_captioned_files
/// wants them) and `SPLIT.boxes.jsonl` (see scene_json) into a folder: all, or nothing if this
/// throws or a signal comes. Returns the exit code.
int write_scenes(const ScenesRequest& request, const std::string& folder, bool overwrite,
                 const Settings& settings);

/// The captions of each scene in one line on standard output, tabs between them, or all that is
/// known of it as JSON.
void show_scenes(const ScenesRequest& request, bool json);

}  // namespace regard
