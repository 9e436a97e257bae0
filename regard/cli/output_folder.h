#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// Where a command makes several files that belong together, as the two sides of a corpus: they are
/// written to a draft inside of their folder, and then all of them take their places, or none does.
class OutputFolder {
 public:
  /// For files of these names, in the order in which they take their places; "a/b" lies in a folder
  /// of the folder. Makes the folders if they are missing. Throws Error(io).
  OutputFolder(std::string folder, const std::vector<std::string>& names);
  /// Removes the draft; unless it was published, the folders that were made for it too.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& draft() const { return draft_; }  ///< the folder to write to
  /// Writes a file of the draft. It is on the disk when it is published: with thousands of files,
  /// to wait for each takes minutes. Throws Error(io).
  void write(const std::string& name, std::string_view content);

  /// Moves the files of the draft to their places. Throws Error(io), also if a place is taken
  /// and may not be, and all is as before; if even that fails it says so.
  void publish(bool overwrite);

 private:
  explicit OutputFolder(std::string folder);
  void make_folders(const std::string& folder);
  void make_inner_folder(const std::string& name);
  void remove_folders(std::size_t kept = 0) noexcept;
  void flush_draft() const;

  /// A file of the draft and where it belongs.
  struct Place {
    enum class State { before, added, exchanged, replaced };
    std::string fresh, path;
    State state =
        State::before;  // exchanged: what was there lies in the draft; replaced: it is gone
  };
  /// A folder in the folder, and so in the draft.
  struct Inner {
    std::string name, fresh, path;
  };
  static void put(Place& place, bool overwrite);
  static bool put_back(const Place& place);  // false if that fails

  const std::string folder_;
  std::string draft_;
  std::vector<std::string> made_;  // folders, outermost first
  std::vector<Inner> inner_;
  bool flushed_ = true;  // what write() wrote
  std::vector<Place> places_;
};

}  // namespace regard
