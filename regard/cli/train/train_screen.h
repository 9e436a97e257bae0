#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "regard/cli/command.h"
#include "regard/train/trainer.h"
#include "regard/viewer/terminal.h"

namespace regard {

/// What training takes, as far as this process has seen.
struct TrainPace {
  double targets_per_second = 0, seconds_per_update = 0;
  Index peak_mib = 0;  ///< the most memory held
};

/// A line that is drawn over the one before, in one column less than the terminal has. What is
/// known of the update comes first: the bar has the columns left over, if they are worth it. What
/// does not fit is left out whole, from the end.
std::string moving_line(const Terminal& terminal, const StepReport& report, const TrainPace& pace);

/// What takes a line of so many columns off a terminal that may have become narrower since: the
/// line then covers several rows, and the cursor is on the last.
std::string erased_line(int columns, int width);

/// Shows a training as it goes: a bar that moves if standard error is a terminal, a line now and
/// then if it is not, JSON lines on standard output if asked for. What depends on the machine
/// goes to the file of the run's speed.
class TrainScreen final : public TrainObserver {
 public:
  TrainScreen(const Settings& settings, bool json, std::string speed_path);

  void say(const std::string& line);  ///< a line that stays

  void stepped(const StepReport& report) override;
  void logged(const StepReport& report) override;
  void validated(const ValidationResult& validated, bool best) override;
  void averaged(const ValidationResult& mean, Index of, bool taken) override;

 private:
  TrainPace pace() const;
  void clear_bar();
  void write_json(const nlohmann::ordered_json& line);
  void say_result(const std::string& what, const ValidationResult& found, const char* verdict);

  const bool quiet_;
  bool json_;  // until nobody reads it any more
  const bool moving_;
  Terminal terminal_;  // its width as of the last line drawn
  const std::string speed_path_;
  Index window_targets_ = 0, all_targets_ = 0, updates_ = 0;
  double window_seconds_ = 0, all_seconds_ = 0;
  double drawn_at_ = -1;   // seconds of training
  int drawn_columns_ = 0;  // of the moving line; 0: none is shown
};

}  // namespace regard
