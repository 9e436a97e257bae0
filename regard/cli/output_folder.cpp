#include "regard/cli/output_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/train/checkpoint/durable.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

bool is_taken(const std::string& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0;
}

/// A second name for a file, or its only one where the file system gives no second.
bool link_or_move(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return true;
  const bool links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK;
  return !links && !is_taken(to) && ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

OutputFolder::OutputFolder(std::string folder)
    : folder_(std::move(folder)), draft_(folder_ + "/.regard-XXXXXX") {
  make_folders();
  if (::mkdtemp(draft_.data())) return;
  const int error = errno;
  remove_folders();
  fail(Fault::io, folder_, ": cannot write: ", std::strerror(error));
}

// Whatever is thrown here, the draft is there already, and the destructor removes it.
OutputFolder::OutputFolder(std::string folder, const std::vector<std::string>& names)
    : OutputFolder(std::move(folder)) {
  for (const std::string& name : names)
    places_.push_back({.fresh = draft_ + "/" + name, .path = folder_ + "/" + name});
}

void OutputFolder::make_folders() {
  std::error_code ignored;
  std::vector<std::string> missing;
  for (fs::path at = folder_; !at.empty() && !fs::is_directory(at, ignored);
       at = at.parent_path()) {
    if (!at.has_filename()) continue;  // the same without the slash comes next
    missing.push_back(at);
  }
  made_.reserve(missing.size());
  for (auto path = missing.rbegin(); path != missing.rend(); ++path) {
    if (::mkdir(path->c_str(), 0777) == 0) {
      made_.push_back(std::move(*path));
      continue;
    }
    const int error = errno;
    if (error == EEXIST && fs::is_directory(*path, ignored)) continue;
    remove_folders();
    fail(Fault::io, folder_, ": cannot make the folder: ", std::strerror(error));
  }
}

void OutputFolder::remove_folders() noexcept {
  // Only empty ones go.
  for (auto path = made_.rbegin(); path != made_.rend(); ++path) ::rmdir(path->c_str());
  made_.clear();
}

OutputFolder::~OutputFolder() {
  // Not by a list of what is in it: that takes memory and a descriptor, and they may be gone.
  for (const Place& place : places_) ::unlink(place.fresh.c_str());
  if (::rmdir(draft_.c_str()) != 0) warn(draft_, ": cannot be removed");
  remove_folders();
}

void OutputFolder::put(Place& place, bool overwrite) {
  if (!overwrite || !is_taken(place.path)) {
    if (!link_or_move(place.fresh, place.path))
      fail(Fault::io, place.path, ": cannot write: ", std::strerror(errno));
    place.state = Place::State::added;
  } else if (exchange_paths(place.fresh, place.path)) {
    place.state = Place::State::exchanged;
  } else {
    // A file system that cannot exchange: each file is whole, but none can be put back.
    rename_path(place.fresh, place.path);
    place.state = Place::State::replaced;
  }
}

bool OutputFolder::put_back(const Place& place) {
  try {
    if (place.state == Place::State::added) return ::unlink(place.path.c_str()) == 0;
    if (place.state == Place::State::replaced) return false;
    return place.state == Place::State::before || exchange_paths(place.fresh, place.path);
  } catch (const Error&) {
    return false;
  }
}

void OutputFolder::publish(bool overwrite) {
  try {
    for (Place& place : places_) put(place, overwrite);
  } catch (...) {
    bool all = true;
    for (const Place& place : places_) all = put_back(place) && all;
    if (all) throw;
    fail(Fault::io, folder_,
         ": the disk failed when some files were replaced, and again when they ",
         "were to be put back; it holds old files and new ones");
  }
  made_.clear();
  flush_folder(folder_);
}

}  // namespace regard
