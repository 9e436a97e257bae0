#include "regard/train/checkpoint/run_lock.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <new>
#include <thread>

#include "regard/base/check.h"
#include "regard/base/system_call.h"
#include "regard/model/run_folder.h"
#include "regard/train/checkpoint/durable.h"

namespace regard {
namespace {

/// Who the lock file says holds it; it may not have got round to writing that.
std::string holder(int file) {
  std::array<char, 20> text{};
  const ssize_t n = uninterrupted([&] { return ::pread(file, text.data(), text.size(), 0); });
  const std::string pid(text.data(),
                        std::find_if(text.begin(), text.begin() + std::max<ssize_t>(n, 0),
                                     [](char c) { return c < '0' || c > '9'; }));
  return pid.empty() ? "another process" : "process " + pid;
}

/// Whether the path still leads to the file.
bool is_named(int file, const std::string& path) {
  struct stat held {
  }, named{};
  return ::fstat(file, &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/// What else lies in the folder, in order.
std::vector<std::string> names_beside(const std::string& path, std::error_code& error) {
  const std::filesystem::path lock(path);
  std::vector<std::string> names = names_in(lock.parent_path(), error);
  std::erase(names, lock.filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

RunLock::RunLock(const std::string& folder) : path_(RunFolder(folder).lock()) {
  try {
    // One that its holder removed before letting go has no name any more, and keeps nobody out.
    do {
      open(folder);
      hold(folder);
    } while (!is_named(file_.get(), path_));
  } catch (...) {
    remove_made();
    throw;
  }
  // Only for the message below: the lock holds whether or not this can be written.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file_.get(), 0) == 0) (void)!::write(file_.get(), pid.data(), pid.size());
}

void RunLock::open(const std::string& folder) {
  for (std::string& each : make_folder(folder)) made_.push_back(std::move(each));
  struct stat before {
  }, now{};
  const bool there = ::lstat(path_.c_str(), &before) == 0;
  std::error_code error;
  beside_ = names_beside(path_, error);
  file_ = open_own_file(path_);
  // One that was there is not ours to remove. It may have gone, and ours have come, since we
  // looked.
  const bool same = there && ::fstat(file_.get(), &now) == 0 && before.st_ino == now.st_ino &&
                    before.st_ctim.tv_sec == now.st_ctim.tv_sec &&
                    before.st_ctim.tv_nsec == now.st_ctim.tv_nsec;
  if (same || error) beside_.reset();
}

void RunLock::hold(const std::string& folder) {
  // A server that looks whether it is held shares it for a moment.
  constexpr int kTries = 5;
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(kPause);
    if (uninterrupted([&] { return ::flock(file_.get(), LOCK_EX | LOCK_NB); }) == 0) return;
    if (errno != EWOULDBLOCK) break;
  }
  if (errno == EWOULDBLOCK)
    fail(Fault::usage, folder, ": ", holder(file_.get()),
         " is training here; wait until it ends, or train into another folder");
  fail(Fault::io, path_, ": cannot lock: ", std::strerror(errno));
}

void RunLock::remove_made() const {
  // One into which somebody has put something stays.
  for (auto each = made_.rbegin(); each != made_.rend(); ++each) ::rmdir(each->c_str());
}

bool RunLock::came_to_nothing() const {
  std::error_code error;
  return beside_ && names_beside(path_, error) == *beside_ && !error;
}

RunLock::~RunLock() {
  try {
    if (came_to_nothing()) {
      // While it is held: who has opened it meanwhile finds that it has no name, and starts over.
      ::unlink(path_.c_str());
      remove_made();
      return;
    }
  } catch (const std::bad_alloc&) {
    // Then it stays, and means nothing.
  }
  (void)!::ftruncate(file_.get(), 0);
}

}  // namespace regard
