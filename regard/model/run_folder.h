#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regard {

inline constexpr std::string_view kConfigFile = "config.json", kWeightsFile = "model.safetensors",
                                  kJointTokensFile = "joint.tokens",
                                  kSourceTokensFile = "source.tokens",
                                  kTargetTokensFile = "target.tokens",
                                  kReceiptFile = "receipt.json";

/// The folder of a run or a model: what it keeps there, by name. The folder may be named by a link;
/// what lies in it may be none, so that nothing outside of it is read or changed.
class RunFolder {
 public:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string within(std::string_view name) const { return path_ + "/" + std::string(name); }

  std::string recipe() const { return within("recipe.toml"); }
  std::string metrics() const { return within("metrics.jsonl"); }
  std::string speed() const { return within("speed.jsonl"); }
  std::string curves() const { return within("curves.svg"); }
  std::string weights() const { return within(kWeightsFile); }
  std::string config() const { return within(kConfigFile); }
  std::string receipt() const { return within(kReceiptFile); }  ///< of a converted model
  std::vector<std::string> vocabularies() const;                ///< those that a run may have
  std::string state() const { return within("state.json"); }
  std::string lock() const { return within("lock"); }
  std::string checkpoints() const { return within("checkpoints"); }  ///< a folder
  std::string best() const { return within("best"); }                ///< a folder

  /// All that a run may write there, but for the lock, and the receipt of a conversion, which would
  /// no longer be of these weights; the recipe, which says that it is a run, last.
  std::vector<std::string> content() const;
  std::vector<std::string> files() const;  ///< the same without the folders, but with the lock

  /// Throws Error(input) if one of these is a link, or not of its kind.
  void check_own() const;

 private:
  std::string path_;
};

}  // namespace regard
