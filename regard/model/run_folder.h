#pragma once

#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "regard/base/real.h"

namespace regard {

inline constexpr std::string_view kConfigFile = "config.json", kWeightsFile = "model.safetensors",
                                  kJointTokensFile = "joint.tokens",
                                  kSourceTokensFile = "source.tokens",
                                  kTargetTokensFile = "target.tokens",
                                  kReceiptFile = "receipt.json", kExamplesFile = "examples.json";

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
  std::string receipt() const { return within(kReceiptFile); }    ///< of a converted model
  std::string examples() const { return within(kExamplesFile); }  ///< sentences to try
  std::vector<std::string> vocabularies() const;                  ///< those that a run may have
  std::string state() const { return within("state.json"); }
  std::string lock() const { return within("lock"); }
  std::string checkpoints() const { return within("checkpoints"); }  ///< a folder
  std::string best() const { return within("best"); }                ///< a folder
  std::string best_step(Index step) const;  ///< weights in best(): step-N.safetensors
  /// The steps whose weights are in best(), ascending; none and the error if it cannot be listed.
  std::vector<Index> best_steps(std::error_code& error) const;

  /// All that a run writes except the lock, plus the receipt of a conversion; the recipe last.
  std::vector<std::string> content() const;
  std::vector<std::string> files() const;  ///< the same without the folders, but with the lock

  /// Throws Error(input) if one of these is a link, or not of its kind.
  void check_own() const;

 private:
  std::string path_;
};

}  // namespace regard
