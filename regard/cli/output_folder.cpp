#include "regard/cli/output_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/open_file.h"
#include "regard/base/system_call.h"
#include "regard/train/checkpoint/durable.h"

namespace regard {
namespace {

namespace fs = std::filesystem;

bool is_taken(const std::string& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0;
}

/// A second name for a file, or its only one if the file system gives no second.
bool link_or_move(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return true;
  const bool links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK;
  return !links && !is_taken(to) && ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

OutputFolder::OutputFolder(std::string folder)
    : folder_(std::move(folder)), draft_(folder_ + "/.regard-XXXXXX") {
  make_folders(folder_);
  if (::mkdtemp(draft_.data())) return;
  const int error = errno;
  remove_folders();
  fail(Fault::io, folder_, ": cannot write: ", std::strerror(error));
}

// Whatever is thrown here, the draft is there already, and the destructor removes it.
OutputFolder::OutputFolder(std::string folder, const std::vector<std::string>& names)
    : OutputFolder(std::move(folder)) {
  for (const std::string& name : names) {
    const std::string inner = fs::path(name).parent_path();
    if (!inner.empty() && std::ranges::find(inner_, inner, &Inner::name) == inner_.end())
      make_inner_folder(inner);
    places_.push_back({.fresh = draft_ + "/" + name, .path = folder_ + "/" + name});
  }
}

void OutputFolder::make_inner_folder(const std::string& name) {
  inner_.push_back({.name = name, .fresh = draft_ + "/" + name, .path = folder_ + "/" + name});
  if (::mkdir(inner_.back().fresh.c_str(), 0777) != 0)
    fail(Fault::io, folder_, ": cannot write: ", std::strerror(errno));
  make_folders(inner_.back().path);
}

void OutputFolder::make_folders(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::string> missing;
  for (fs::path at = folder; !at.empty() && !fs::is_directory(at, ignored); at = at.parent_path()) {
    if (!at.has_filename()) continue;  // the same without the slash comes next
    missing.push_back(at);
  }
  const std::size_t before = made_.size();
  made_.reserve(before + missing.size());
  for (auto path = missing.rbegin(); path != missing.rend(); ++path) {
    if (::mkdir(path->c_str(), 0777) == 0) {
      made_.push_back(std::move(*path));
      continue;
    }
    const int error = errno;
    if (error == EEXIST && fs::is_directory(*path, ignored)) continue;
    remove_folders(before);
    fail(Fault::io, folder, ": cannot make the folder: ", std::strerror(error));
  }
}

void OutputFolder::remove_folders(std::size_t kept) noexcept {
  // Only empty ones go.
  for (; made_.size() > kept; made_.pop_back()) ::rmdir(made_.back().c_str());
}

OutputFolder::~OutputFolder() {
  // Not by a list of what is in it: that takes memory and a descriptor, and they may be gone.
  for (const Place& place : places_) ::unlink(place.fresh.c_str());
  for (const Inner& inner : inner_) ::rmdir(inner.fresh.c_str());
  if (::rmdir(draft_.c_str()) != 0) warn(draft_, ": cannot be removed");
  remove_folders();
}

void OutputFolder::write(const std::string& name, std::string_view content) {
  flushed_ = false;
  const std::string path = draft_ + "/" + name;
  Descriptor file(open_path(path, O_WRONLY | O_CREAT | O_EXCL));
  const bool whole = file.get() >= 0 && write_all(file.get(), content) == content.size();
  if (!whole || !file.close())
    fail(Fault::io, folder_, "/", name, ": cannot write: ", std::strerror(errno));
}

void OutputFolder::flush_draft() const {
  const Descriptor draft(open_path(draft_, O_RDONLY | O_DIRECTORY));
  if (draft.get() < 0 || ::syncfs(draft.get()) != 0)
    fail(Fault::io, folder_, ": cannot flush to the disk: ", std::strerror(errno));
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
  if (!flushed_) flush_draft();
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
  for (const Inner& inner : inner_) flush_folder(inner.path);
  flush_folder(folder_);
}

}  // namespace regard
