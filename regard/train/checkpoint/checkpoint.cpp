#include "regard/train/checkpoint/checkpoint.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <thread>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/base/memory_left.h"
#include "regard/base/open_file.h"
#include "regard/train/checkpoint/durable.h"
#include "regard/train/checkpoint/manifest.h"

namespace regard {
namespace {

constexpr std::string_view kPrefix = "ckpt-";
constexpr std::string_view kTemporary = ".tmp-";
constexpr const char* kManifest = "MANIFEST.json";
constexpr const char* kLatest = "latest";  ///< the name of the newest checkpoint

std::string name_of(Index step) {
  return std::string(kPrefix) + std::to_string(step);
}

/// A whole number as std::to_string writes it, and nothing else.
std::optional<Index> number(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = error == std::errc() && end == text.data() + text.size();
  if (!all || value < 0 || std::to_string(value) != text) return {};
  return value;
}

/// A name that `temporary` gives: what it was for, and the process that made it.
struct TemporaryName {
  std::string what;
  Index pid;
};

/// The step of one that stepped aside for another of the same step: "old-" and its step.
std::optional<Index> replaced_step(std::string_view what) {
  constexpr std::string_view kOld = "old-";
  if (!what.starts_with(kOld)) return {};
  return number(what.substr(kOld.size()));
}

/// What stands for a checkpoint under a temporary name.
bool is_folder_name(std::string_view what) {
  return number(what) || replaced_step(what);
}

std::optional<TemporaryName> temporary_name(std::string_view name) {
  const std::size_t mark = name.find(kTemporary);
  if (!name.starts_with(kPrefix) || mark == name.npos || mark < kPrefix.size()) return {};
  const std::string what(name.substr(kPrefix.size(), mark - kPrefix.size()));
  const std::optional<Index> pid = number(name.substr(mark + kTemporary.size()));
  if (!pid || *pid == 0 || *pid > std::numeric_limits<pid_t>::max() ||
      !(is_folder_name(what) || what == kLatest || what == "trial"))
    return {};
  return TemporaryName{what, *pid};
}

/// Ours, or of a process that is no more.
bool is_abandoned(Index pid) {
  return pid == ::getpid() || (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH);
}

Manifest describe(const Checkpoint& checkpoint) {
  Manifest manifest{.step = checkpoint.step, .note = checkpoint.note};
  for (const CheckpointFile& file : checkpoint.files)
    manifest.entries.push_back(
        {.name = file.name, .size = file.bytes.size(), .hash = content_hash(file.bytes)});
  return manifest;
}

Manifest read_manifest(const std::string& folder, Index step) {
  constexpr Index kLargestManifest = 1 << 24;
  const std::string path = folder + "/" + kManifest;
  if (file_size(path) > kLargestManifest) fail(Fault::input, path, ": too large");
  Manifest manifest = parse_manifest(read_own_file(path, kLargestManifest), path);
  if (manifest.format <= kCheckpointFormat && manifest.step != step)
    fail(Fault::input, path, ": belongs to step ", manifest.step, ", not ", step);
  return manifest;
}

/// Throws Error(input) if it is not what the manifest says.
std::string read_entry(const std::string& folder, const ManifestEntry& entry) {
  const std::string path = folder + "/" + entry.name;
  // Compared before reading: a file grown to any size costs nothing.
  if (const Index size = file_size(path); static_cast<std::uint64_t>(size) != entry.size)
    fail(Fault::input, path, ": has ", size, " bytes, expected ", entry.size);
  check_memory("this checkpoint", static_cast<double>(entry.size), "move it away");
  std::string bytes = read_own_file(path, entry.size);
  if (bytes.size() != entry.size || content_hash(bytes) != entry.hash)
    fail(Fault::input, path, ": corrupt: wrong checksum");
  return bytes;
}

Checkpoint read_checkpoint(const std::string& folder, const Manifest& manifest) {
  Checkpoint checkpoint{.step = manifest.step, .note = manifest.note, .folder = folder};
  for (const ManifestEntry& entry : manifest.entries)
    checkpoint.files.push_back({.name = entry.name, .bytes = read_entry(folder, entry)});
  return checkpoint;
}

/// A folder being filled; removed again unless it has been moved to its place.
class Draft {
 public:
  explicit Draft(std::string path) : path_(std::move(path)) {}
  ~Draft() {
    try {
      remove_path(path_);
    } catch (const std::bad_alloc&) {
      // Then the next save removes it.
    }
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void open() const { make_own_folder(path_); }
  void write(const std::string& name, std::string_view bytes) const {
    write_flushed(path_ + "/" + name, bytes);
  }
  void flush() const { flush_folder(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

CheckpointStore::CheckpointStore(std::string folder, Index keep)
    : folder_(std::move(folder)), keep_(keep) {
  check(!folder_.empty(), "the folder of checkpoints has no name");
  check(keep_ >= 1, "at least one checkpoint must be kept, got keep = ", keep_);
}

std::string CheckpointStore::temporary(const std::string& what) const {
  return path(std::string(kPrefix) + what + std::string(kTemporary) + std::to_string(::getpid()));
}

void CheckpointStore::save(const Checkpoint& checkpoint) {
  check(checkpoint.step >= 0, "a checkpoint cannot be of step ", checkpoint.step);
  const Index step = checkpoint.step;
  const Manifest manifest = describe(checkpoint);
  const std::string text = manifest_text(manifest);
  make_own_folder(folder_);
  remove_stale();
  // A run resumed from here saves the same again: what is there is as good, once it is checked.
  complete_.erase(step);
  if (!is_complete(step) || read_manifest(path(name_of(step)), step) != manifest) {
    const Draft draft(temporary(std::to_string(step)));
    draft.open();
    for (const CheckpointFile& file : checkpoint.files) draft.write(file.name, file.bytes);
    draft.write(kManifest, text);
    draft.flush();
    put_in_place(draft.path(), step);
  }
  flush_folder(folder_);
  complete_.insert(step);
  try {
    name_latest(step);
    remove_older(step);
  } catch (const Error& error) {
    if (error.fault != Fault::io) throw;
    warn("checkpoint ", step, " is saved, but: ", error.what());
  }
}

bool CheckpointStore::is_complete(Index step) {
  if (!is_own_folder(path(name_of(step)))) return false;
  if (complete_.contains(step)) return true;
  try {
    const Manifest manifest = read_manifest(path(name_of(step)), step);
    if (manifest.format > kCheckpointFormat) return false;
    for (const ManifestEntry& entry : manifest.entries) read_entry(path(name_of(step)), entry);
  } catch (const Error&) {
    return false;
  }
  complete_.insert(step);
  return true;
}

void CheckpointStore::put_in_place(const std::string& ready, Index step) {
  const std::string place = path(name_of(step));
  if (!is_there(place)) return rename_path(ready, place);
  if (!is_own_folder(place))
    fail(Fault::io, place, ": not a checkpoint, but has the name of one; move it away");
  if (exchange_paths(ready, place)) return;  // the draft is now the old one, and removed
  // The file system knows no exchange: for a moment only older ones have their names, and both of
  // this step are whole under temporary ones.
  const std::string old = temporary("old-" + std::to_string(step));  // see remove_stale
  rename_path(place, old);
  rename_path(ready, place);
  if (!remove_path(old)) fail(Fault::io, old, ": cannot remove: ", std::strerror(errno));
}

void CheckpointStore::name_latest(Index step) {
  const std::string draft = temporary(kLatest);
  write_flushed(draft, name_of(step) + "\n");
  try {
    rename_path(draft, path(kLatest));
  } catch (const Error&) {
    remove_path(draft);
    throw;
  }
  flush_folder(folder_);
}

void CheckpointStore::remove_older(Index step) {
  std::vector<Index> all = steps();
  std::ranges::reverse(all);
  Index kept = 0;
  for (const Index other : all) {
    if (other > step) continue;
    if (kept >= keep_) {
      // Renamed first: one half removed must not be taken for a damaged one.
      const std::string doomed = temporary(std::to_string(other));
      rename_path(path(name_of(other)), doomed);
      complete_.erase(other);
      if (!remove_path(doomed)) fail(Fault::io, doomed, ": cannot remove: ", std::strerror(errno));
    } else if (is_complete(other)) {
      ++kept;
    }
  }
}

void CheckpointStore::remove_stale() {
  for (const std::string& name : names_in(folder_)) {
    const std::optional<TemporaryName> stale = temporary_name(name);
    if (!stale || !is_abandoned(stale->pid)) continue;
    const bool of_its_kind =
        is_folder_name(stale->what) ? is_own_folder(path(name)) : is_own_file(path(name));
    const std::optional<Index> replaced = replaced_step(stale->what);
    if (of_its_kind && replaced && !is_own_folder(path(name_of(*replaced)))) {
      rename_path(path(name), path(name_of(*replaced)));  // what was to replace it never came
      flush_folder(folder_);
    } else if (of_its_kind && !remove_path(path(name)))
      warn(path(name), ": left by an interrupted run, cannot remove: ", std::strerror(errno));
  }
}

std::optional<Checkpoint> CheckpointStore::newest() {
  // A training may be at work here: what was listed is gone when it is read, and a list made while
  // names change can lack both the old and the new. It is then made again, for a few seconds.
  constexpr int kMaxLists = 1000;
  std::vector<Index> all;
  for (int lists = 0; lists < kMaxLists; ++lists) {
    const std::vector<Index> before = std::exchange(all, steps());
    if (all.empty() && !is_own_file(path(kLatest))) return {};
    if (!all.empty() && all == before) break;
    for (auto step = all.rbegin(); step != all.rend(); ++step)
      if (std::optional<Checkpoint> checkpoint = read_if_complete(*step)) return checkpoint;
    std::this_thread::sleep_for(std::chrono::milliseconds(lists < 10 ? 0 : 5));
  }
  if (all.empty())
    fail(Fault::input, folder_, ": its checkpoints are gone, though ", kLatest,
         " names one; put them ", "back, or start over with --fresh");
  fail(Fault::input, folder_, ": none of its ", all.size(),
       " checkpoints is valid; move the folder away to start over");
}

std::optional<Checkpoint> CheckpointStore::read_if_complete(Index step) {
  const std::string place = path(name_of(step));
  Index format = 0;
  try {
    const Manifest manifest = read_manifest(place, step);
    format = manifest.format;
    if (format <= kCheckpointFormat) {
      Checkpoint checkpoint = read_checkpoint(place, manifest);
      complete_.insert(step);
      return checkpoint;
    }
  } catch (const Error& error) {
    complete_.erase(step);
    if (is_own_folder(place)) warn(place, ": corrupt, trying the previous one: ", error.what());
    return {};
  }
  fail(Fault::input, place, ": made by version ", format, " of the checkpoint format, this is ",
       kCheckpointFormat, "; update regard");
}

std::vector<Index> CheckpointStore::steps() const {
  std::vector<Index> all;
  for (const std::string& name : names_in(folder_)) {
    if (!name.starts_with(kPrefix)) continue;
    const std::optional<Index> step = number(std::string_view(name).substr(kPrefix.size()));
    if (step && is_own_folder(path(name))) all.push_back(*step);
  }
  std::ranges::sort(all);
  return all;
}

void CheckpointStore::check_space(Index checkpoint, Index beside) {
  make_own_folder(folder_);
  remove_stale();
  const Index there = static_cast<Index>(steps().size());
  const auto missing = static_cast<double>(std::max<Index>(keep_ + 1 - there, 1));
  const double needed = static_cast<double>(checkpoint) * missing + static_cast<double>(beside);
  const Index free = free_space(folder_);
  constexpr double kMebi = 1 << 20;
  if (static_cast<double>(free) < needed)
    fail(Fault::io, folder_, ": checkpoints need ", needed / kMebi, " MiB more, the disk has ",
         static_cast<double>(free) / kMebi, " MiB free; make room",
         keep_ > 1 ? " or keep fewer of them" : "");

  constexpr std::size_t kTrial = 1 << 16;
  const std::string trial = temporary("trial");
  write_flushed(trial, std::string(kTrial, '\0'));
  if (!remove_path(trial)) fail(Fault::io, trial, ": cannot remove: ", std::strerror(errno));
}

}  // namespace regard
