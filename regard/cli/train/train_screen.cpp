#include "regard/cli/train/train_screen.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/open_file.h"
#include "regard/cli/standard_output.h"

namespace regard {
namespace {

/// 1,500 as "1.5k".
std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:.1f}M", value / 1e6);
  return value >= 1e4 ? fmt::format("{:.1f}k", value / 1e3) : fmt::format("{:.0f}", value);
}

/// The time left, such as 05:12 or 1h25m. With --epochs the end is an estimate, and may be passed.
std::string time_left(const StepReport& report, const TrainPace& pace) {
  const auto updates = static_cast<double>(std::max<Index>(report.last - report.step, 0));
  const auto seconds = static_cast<Index>(pace.seconds_per_update * updates);
  return seconds < 3600 ? fmt::format("{:02}:{:02}", seconds / 60, seconds % 60)
                        : fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

std::string memory_text(Index mib) {
  return mib < 1000 ? fmt::format("{} MiB", mib)
                    : fmt::format("{:.1f} GiB", static_cast<double>(mib) / 1024);
}

/// The most memory this process has held, in MiB.
Index peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string bar(const Terminal& terminal, double done, int width) {
  const int full = std::clamp(static_cast<int>(std::lround(done * width)), 0, width);
  std::string text = terminal.unicode ? "▕" : "[";
  for (int i = 0; i < width; ++i)
    text += i < full ? (terminal.unicode ? "█" : "#") : (terminal.unicode ? " " : ".");
  return text + (terminal.unicode ? "▏" : "]");
}

double share_done(const StepReport& report) {
  return report.last > 0 ? static_cast<double>(report.step) / static_cast<double>(report.last) : 0;
}

std::string shown(const Measure& measure, int digits) {
  return fmt::format("{} {:.{}f}", measure.label, measure.value, digits);
}

std::string lasting_line(const StepReport& report, const TrainPace& pace) {
  const bool has_end = report.last > 0;
  std::string measures;
  for (const Measure& each : report.measures) measures += "  " + shown(each, each.digits);
  return fmt::format(
      "step {:>6}{}  epoch {}  loss {:.3f}{}  lr {:.1e}  {} {}/s{}  {} MiB", report.step,
      has_end ? fmt::format("/{}", report.last) : "", report.epoch, report.loss, measures,
      report.rate, short_number(pace.targets_per_second), report.unit.brief,
      has_end ? fmt::format("  eta {}", time_left(report, pace)) : "", pace.peak_mib);
}

void add(const std::vector<Measure>& measures, nlohmann::ordered_json& line) {
  for (const Measure& each : measures) line[std::string(each.key)] = each.value;
}

}  // namespace

std::string moving_line(const Terminal& terminal, const StepReport& report, const TrainPace& pace) {
  constexpr int kShortestBar = 6, kLongestBar = 20;
  const bool has_end = report.last > 0;
  const std::string last = std::to_string(report.last);
  const std::string step = has_end ? fmt::format("step {:>{}}/{}", report.step, last.size(), last)
                                   : fmt::format("step {} epoch {}", report.step, report.epoch);
  const int columns = terminal.width - 1;
  std::vector<std::string> parts{fmt::format("loss {:.3f}", report.loss)};
  for (const Measure& each : report.measures)
    parts.push_back(shown(each, each.value < 100 ? each.digits : 0));
  parts.push_back(fmt::format("lr {:.1e}", report.rate));
  parts.push_back(fmt::format("{} {}/s", short_number(pace.targets_per_second), report.unit.brief));
  if (has_end) parts.push_back("eta " + time_left(report, pace));
  parts.push_back(memory_text(pace.peak_mib));
  // A number cut short would be another number.
  std::string rest;
  bool whole = true;
  for (const std::string& part : parts) {
    whole = static_cast<int>(step.size() + rest.size() + 1 + part.size()) <= columns;
    if (!whole) break;
    rest += " " + part;
  }
  const int around = static_cast<int>(step.size() + rest.size()) + 3;  // a space, ends of the bar
  const int length = std::min(columns - around, kLongestBar);
  const std::string progress = whole && has_end && length >= kShortestBar
                                   ? fmt::format(" {}", bar(terminal, share_done(report), length))
                                   : "";
  return fitted(terminal, step + progress + rest, columns);
}

std::string erased_line(int columns, int width) {
  const int above = width > 0 ? (columns - 1) / width : 0;
  return fmt::format("\r{}\033[J", above > 0 ? fmt::format("\033[{}A", above) : "");
}

TrainScreen::TrainScreen(const Settings& settings, bool json, std::string speed_path)
    : quiet_(settings.quiet),
      json_(json),
      moving_(!settings.quiet && isatty(STDERR_FILENO) != 0 &&
              terminal_of(STDERR_FILENO).colour != TerminalColour::none),
      terminal_(terminal_of(STDERR_FILENO)),
      speed_path_(std::move(speed_path)) {}

void TrainScreen::clear_bar() {
  if (drawn_columns_ == 0) return;
  terminal_ = terminal_of(STDERR_FILENO);
  std::fputs(erased_line(drawn_columns_, terminal_.width).c_str(), stderr);
  drawn_columns_ = 0;
}

void TrainScreen::say(const std::string& line) {
  if (quiet_) return;
  clear_bar();
  write_error_line(line);
}

// Output that nobody takes is no reason to lose a training.
void TrainScreen::write_json(const nlohmann::ordered_json& line) {
  try {
    write_output(line.dump() + "\n");
  } catch (const Error& problem) {
    json_ = false;
    warn(problem.what(), "; training continues without it");
  }
}

TrainPace TrainScreen::pace() const {
  return {
      .targets_per_second = all_seconds_ > 0 ? static_cast<double>(all_targets_) / all_seconds_ : 0,
      .seconds_per_update = updates_ > 0 ? all_seconds_ / static_cast<double>(updates_) : 0,
      .peak_mib = peak_memory()};
}

void TrainScreen::stepped(const StepReport& report) {
  window_targets_ += report.targets;
  all_targets_ += report.targets;
  window_seconds_ += report.seconds;
  all_seconds_ += report.seconds;
  ++updates_;
  if (!moving_ || all_seconds_ - drawn_at_ < 0.2) return;
  drawn_at_ = all_seconds_;
  // Not fmt::print, which throws if the terminal has gone.
  const int width = std::exchange(terminal_, terminal_of(STDERR_FILENO)).width;
  const bool resized = drawn_columns_ > 0 && width != terminal_.width;
  const std::string over = resized ? erased_line(drawn_columns_, terminal_.width) : "\r";
  std::fputs((over + moving_line(terminal_, report, pace())).c_str(), stderr);
  std::fflush(stderr);
  drawn_columns_ = terminal_.width - 1;
}

void TrainScreen::logged(const StepReport& report) {
  const double speed =
      window_seconds_ > 0 ? static_cast<double>(window_targets_) / window_seconds_ : 0;
  const std::string speed_key = fmt::format("{}_per_second", report.unit.name);
  try {
    const std::string line = fmt::format("{{\"step\":{},\"{}\":{:.1f},\"peak_mib\":{}}}\n",
                                         report.step, speed_key, speed, peak_memory());
    (void)!::write(open_own_file(speed_path_).get(), line.data(), line.size());
  } catch (const Error&) {
    // It promises nothing.
  }
  window_targets_ = 0;
  window_seconds_ = 0;
  if (json_) {
    nlohmann::ordered_json line{{"schema", 1},
                                {"type", "train"},
                                {"step", report.step},
                                {"epoch", report.epoch},
                                {"loss", report.loss}};
    add(report.measures, line);
    line["learning_rate"] = report.rate;
    line[speed_key] = speed;
    write_json(line);
  }
  if (!moving_) say(lasting_line(report, pace()));
}

void TrainScreen::say_result(const std::string& what, const ValidationResult& found,
                             const char* verdict) {
  std::string measures;
  for (const Measure& each : found.measures) measures += "  " + shown(each, each.digits);
  if (found.quality) measures += "  " + shown(*found.quality, found.quality->digits);
  say(fmt::format("{}  loss {:.3f}{}{}", what, found.loss, measures, verdict));
  for (const Sample& sample : found.samples) {
    say(fmt::format("  {}", shown(terminal_, sample.source)));
    say(fmt::format("    hyp {}", shown(terminal_, sample.output)));
    if (sample.output != sample.reference)
      say(fmt::format("    ref {}", shown(terminal_, sample.reference)));
  }
}

void TrainScreen::validated(const ValidationResult& validated, bool best) {
  if (json_) {
    nlohmann::ordered_json line{{"schema", 1},
                                {"type", "valid"},
                                {"step", validated.step},
                                {"epoch", validated.epoch},
                                {"loss", validated.loss}};
    add(validated.measures, line);
    line["best"] = best;
    if (validated.quality) add({*validated.quality}, line);
    write_json(line);
  }
  say_result(fmt::format("valid  step {}", validated.step), validated,
             best ? "  (best so far)" : "");
}

void TrainScreen::averaged(const ValidationResult& mean, Index of, bool taken) {
  if (json_) {
    nlohmann::ordered_json line{
        {"schema", 1}, {"type", "average"}, {"checkpoints", of}, {"loss", mean.loss}};
    if (mean.quality) add({*mean.quality}, line);
    line["selected"] = taken;
    write_json(line);
  }
  say_result(fmt::format("average of the {} best checkpoints", of), mean,
             taken ? "  (selected)" : "  (not selected)");
}

}  // namespace regard
