#include "regard/cli/train/train_screen.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/cli/standard_output.h"

namespace regard {
namespace {

/// 1,500 as "1.5k".
std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:.1f}M", value / 1e6);
  return value >= 1e4 ? fmt::format("{:.1f}k", value / 1e3) : fmt::format("{:.0f}", value);
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<Index>(seconds);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{:02}:{:02}", whole / 60, whole % 60);
}

/// The most memory this process has held, in MiB.
Index peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string bar(const Terminal& terminal, double done, int width) {
  const int full = std::clamp(static_cast<int>(done * width + 0.5), 0, width);
  std::string text = terminal.unicode ? "▕" : "[";
  for (int i = 0; i < width; ++i)
    text += i < full ? (terminal.unicode ? "█" : "#") : (terminal.unicode ? " " : ".");
  return text + (terminal.unicode ? "▏" : "]");
}

double share_done(const StepReport& report) {
  return report.last > 0 ? static_cast<double>(report.step) / static_cast<double>(report.last) : 0;
}

}  // namespace

TrainScreen::TrainScreen(const Settings& settings, bool json, const std::string& folder)
    : quiet_(settings.quiet),
      json_(json),
      moving_(!settings.quiet && isatty(STDERR_FILENO) != 0 &&
              terminal_of(STDERR_FILENO).colour != TerminalColour::none),
      terminal_(terminal_of(STDERR_FILENO)),
      speed_path_(folder + "/speed.jsonl") {}

void TrainScreen::clear_bar() {
  if (!bar_shown_) return;
  std::fputs("\r\033[K", stderr);
  bar_shown_ = false;
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
    warn(problem.what(), "; training goes on without");
  }
}

std::string TrainScreen::status(const StepReport& report) const {
  const double speed = all_seconds_ > 0 ? static_cast<double>(all_tokens_) / all_seconds_ : 0;
  const double each = updates_ > 0 ? all_seconds_ / static_cast<double>(updates_) : 0;
  const std::string eta =
      report.last > 0
          ? fmt::format("  eta {}",
                        clock_time(each * static_cast<double>(report.last - report.step)))
          : "";
  return fmt::format("loss {:.3f}  ppl {:.2f}  lr {:.1e}  {} tok/s{}  {} MiB", report.loss,
                     report.perplexity, report.rate, short_number(speed), eta, peak_memory());
}

void TrainScreen::stepped(const StepReport& report) {
  window_tokens_ += report.tokens;
  all_tokens_ += report.tokens;
  window_seconds_ += report.seconds;
  all_seconds_ += report.seconds;
  ++updates_;
  if (!moving_ || all_seconds_ - drawn_at_ < 0.2) return;
  drawn_at_ = all_seconds_;
  std::string line = report.last > 0
                         ? fmt::format("step {:>6}/{} {} ", report.step, report.last,
                                       bar(terminal_, share_done(report), 20))
                         : fmt::format("step {:>6}  epoch {}  ", report.step, report.epoch + 1);
  line += status(report);
  // Not fmt::print, which throws where the terminal has gone.
  std::fputs(fmt::format("\r{}", fitted(terminal_, line, terminal_.width - 1)).c_str(), stderr);
  std::fflush(stderr);
  bar_shown_ = true;
}

void TrainScreen::logged(const StepReport& report) {
  const double speed =
      window_seconds_ > 0 ? static_cast<double>(window_tokens_) / window_seconds_ : 0;
  if (std::FILE* file = std::fopen(speed_path_.c_str(), "a")) {
    fmt::print(file, "{{\"step\":{},\"tokens_per_second\":{:.1f},\"peak_mib\":{}}}\n", report.step,
               speed, peak_memory());
    std::fclose(file);
  }
  window_tokens_ = 0;
  window_seconds_ = 0;
  if (json_)
    write_json(nlohmann::ordered_json{{"schema", 1},
                                      {"type", "train"},
                                      {"step", report.step},
                                      {"epoch", report.epoch},
                                      {"loss", report.loss},
                                      {"perplexity", report.perplexity},
                                      {"learning_rate", report.rate},
                                      {"tokens_per_second", speed}});
  if (moving_) return;
  say(fmt::format("step {:>6}{}  epoch {}  {}", report.step,
                  report.last > 0 ? fmt::format("/{}", report.last) : "", report.epoch + 1,
                  status(report)));
}

void TrainScreen::validated(const Validated& validated, bool best) {
  if (json_) {
    nlohmann::ordered_json line{{"schema", 1},
                                {"type", "valid"},
                                {"step", validated.step},
                                {"loss", validated.loss},
                                {"perplexity", validated.perplexity},
                                {"best", best}};
    if (validated.bleu >= 0) line["bleu"] = validated.bleu;
    write_json(line);
  }
  say(fmt::format("valid  step {}  loss {:.3f}  ppl {:.2f}{}{}", validated.step, validated.loss,
                  validated.perplexity,
                  validated.bleu >= 0 ? fmt::format("  BLEU {:.1f}", validated.bleu) : "",
                  best ? "  (best so far)" : ""));
  for (const Sample& sample : validated.samples) {
    say(fmt::format("  {}", shown(terminal_, sample.source)));
    say(fmt::format("    said     {}", shown(terminal_, sample.translation)));
    if (sample.translation != sample.reference)
      say(fmt::format("    expected {}", shown(terminal_, sample.reference)));
  }
}

}  // namespace regard
