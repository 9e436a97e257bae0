#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "regard/cli/command.h"
#include "regard/train/trainer.h"
#include "regard/viewer/terminal.h"

namespace regard {

/// Shows a training as it goes: a bar that moves where standard error is a terminal, a line now and
/// then where it is not, JSON lines on standard output where asked for. What depends on the machine
/// goes to speed.jsonl in the run's folder.
class TrainScreen final : public TrainObserver {
 public:
  TrainScreen(const Settings& settings, bool json, const std::string& folder);

  void say(const std::string& line);  ///< a line that stays

  void stepped(const StepReport& report) override;
  void logged(const StepReport& report) override;
  void validated(const Validated& validated, bool best) override;

 private:
  std::string status(const StepReport& report) const;
  void clear_bar();
  void write_json(const nlohmann::ordered_json& line);

  const bool quiet_;
  bool json_;  // until nobody reads it any more
  const bool moving_;
  const Terminal terminal_;
  const std::string speed_path_;
  Index window_tokens_ = 0, all_tokens_ = 0, updates_ = 0;
  double window_seconds_ = 0, all_seconds_ = 0;
  double drawn_at_ = -1;  // seconds of training
  bool bar_shown_ = false;
};

}  // namespace regard
