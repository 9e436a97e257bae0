#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "regard/base/real.h"

namespace regard {

struct CheckpointFile {
  std::string name;  ///< plain: no '/', not "..", not "MANIFEST.json"
  std::string bytes;
};

/// Everything needed to resume from a step.
struct Checkpoint {
  Index step = 0;
  std::string note = {};  ///< a text kept in the manifest, usually JSON
  std::vector<CheckpointFile> files = {};
  std::string folder = {};  ///< it was read from

  /// What a message calls one of its files.
  std::string path(const std::string& name) const {
    return (folder.empty() ? "ckpt-" + std::to_string(step) : folder) + "/" + name;
  }
};

/// The checkpoints of one run: folders ckpt-<step>, each either absent or complete, whatever the
/// moment at which the program or the machine stops.
///
/// Files go to ckpt-<step>.tmp-<pid>/ and are flushed, then MANIFEST.json with the length and hash
/// of each, then the folder; only then is it renamed, and only after that are older ones removed.
/// `latest` names the newest for people and scripts; here that it is there says that there was one.
class CheckpointStore {
 public:
  /// REQUIRES keep >= 1
  CheckpointStore(std::string folder, Index keep);

  /// Throws Error(io) if the disk cannot take it: those there before are untouched, and nothing
  /// of the new one is left. Once it is safe on disk, trouble with `latest` or with removing older
  /// ones is only a warning. The newest `keep` complete ones up to this step stay.
  void save(const Checkpoint& checkpoint);

  /// The newest complete one; every corrupt one skipped is named in a warning. Nothing if there
  /// never was one. Throws Error(input) if all are corrupt or gone, so that a run never starts over
  /// in silence, and if one was made by a newer version.
  std::optional<Checkpoint> newest();

  /// Of all checkpoints, complete or not, ascending.
  std::vector<Index> steps() const;

  /// Removes what a killed run left half done. Throws Error(io) unless there is room, in bytes, for
  /// `keep` + 1 checkpoints, counting those there as room, and for what comes to lie `beside` them,
  /// and a small file can be written.
  void check_space(Index checkpoint, Index beside = 0);

 private:
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string temporary(const std::string& what) const;
  bool is_complete(Index step);
  std::optional<Checkpoint> read_if_complete(Index step);
  void put_in_place(const std::string& ready, Index step);
  void name_latest(Index step);
  void remove_older(Index step);
  void remove_stale();

  std::string folder_;
  Index keep_;
  std::set<Index>
      complete_;  // read or written completely by this object: not read again to be sure
};

}  // namespace regard
