#pragma once

#include <string>
#include <vector>

namespace regard {

/// Where a command makes several files that belong together, as the two sides of a corpus: they are
/// written to a draft inside of their folder, and then all of them take their places, or none does.
class OutputFolder {
 public:
  /// For files of these names, in the order in which they take their places. Makes the folder
  /// where it is missing. Throws Error(io).
  OutputFolder(std::string folder, const std::vector<std::string>& names);
  /// Removes the draft; unless it was published, the folders that were made for it too.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& draft() const { return draft_; }  ///< the folder to write to

  /// Moves the files of the draft to their places. Throws Error(io), also if a place is taken
  /// and may not be, and all is as before; where even that fails it says so.
  void publish(bool overwrite);

 private:
  explicit OutputFolder(std::string folder);
  void make_folders();
  void remove_folders() noexcept;

  /// A file of the draft and where it belongs.
  struct Place {
    enum class State { before, added, exchanged, replaced };
    std::string fresh, path;
    State state =
        State::before;  // exchanged: what was there lies in the draft; replaced: it is gone
  };
  static void put(Place& place, bool overwrite);
  static bool put_back(const Place& place);  // false if that fails

  const std::string folder_;
  std::string draft_;
  std::vector<std::string> made_;  // folders, outermost first
  std::vector<Place> places_;
};

}  // namespace regard
