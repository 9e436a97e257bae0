#include "regard/cli/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "regard/base/check.h"
#include "regard/cli/standard_output.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr std::string_view kMeant = "; did you mean ";
constexpr std::string_view kNoMemoryLine = "regard: error: out of memory; try a smaller input";

/// Also where a library has made an exception of its own of it, as SentencePiece's does.
bool is_no_memory(const std::exception& error) {
  if (dynamic_cast<const Error*>(&error)) return false;
  return dynamic_cast<const std::bad_alloc*>(&error) ||
         std::string_view(error.what()).find("std::bad_alloc") != std::string_view::npos;
}

/// A thread that the system has refused.
bool is_no_thread(const std::exception& error) {
  const auto* refused = dynamic_cast<const std::system_error*>(&error);
  return refused && refused->code() == std::errc::resource_unavailable_try_again;
}

int code_of(const std::exception& error) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) return exit_code(ours->fault);
  if (is_no_memory(error)) return exit_code(Fault::device);
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return exit_code(Fault::io);
  if (is_no_thread(error)) return exit_code(Fault::device);
  return exit_code(Fault::bug);
}

std::string text_of(const std::exception& error) {
  if (is_no_memory(error)) return std::string(kNoMemoryLine.substr(kNoMemoryLine.find("out")));
  if (is_no_thread(error)) return "the system starts no more threads; end other programs first";
  const std::string text = visible_lines(error.what());
  if (code_of(error) != exit_code(Fault::bug)) return text;
  return text + "; this is a fault of regard itself, please report it";
}

/// The hint is the name that was probably meant, with which a message of one line may end.
nlohmann::ordered_json as_json(const std::exception& error) {
  const std::string text = text_of(error);
  const bool hints = text.ends_with("'?") && text.find('\n') == text.npos;
  const std::size_t end = hints ? text.rfind(kMeant) : text.npos;
  nlohmann::ordered_json about{{"code", code_of(error)},
                               {"message", text.substr(0, end)},
                               {"hint", nullptr},
                               {"file", nullptr},
                               {"line", nullptr}};
  if (end != std::string::npos) about["hint"] = text.substr(end + 2);
  if (const auto* ours = dynamic_cast<const Error*>(&error)) {
    if (!ours->place.path.empty()) about["file"] = visible(ours->place.path);
    if (ours->place.line > 0) about["line"] = ours->place.line;
  }
  return {{"schema", 1}, {"error", about}};
}

[[noreturn]] void end_at_once() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    write_error_line(kNoMemoryLine);
    ::_exit(exit_code(Fault::device));
  } catch (...) {
    // A fault of regard itself: what follows tells it, and leaves a picture of the memory.
  }
  __gnu_cxx::__verbose_terminate_handler();
  std::abort();
}

}  // namespace

std::string visible_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!shown.empty()) line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) shown.append(shown.empty() ? "" : "\n  ").append(visible(line));
  }
  return shown;
}

void report_lost_memory() {
  std::set_terminate(end_at_once);
}

int report(const std::exception& error, const Settings& settings, bool json) {
  write_error_line(fmt::format("regard: error: {}", text_of(error)));
  if (const auto* ours = dynamic_cast<const Error*>(&error); ours && settings.verbose)
    write_error_line(fmt::format("regard: raised at {}:{}", ours->file, ours->line));
  if (json) try {
      write_output(as_json(error).dump() + "\n");
    } catch (const Error&) {
      // Standard output is what failed, or fails as well: standard error has said it all.
    }
  return code_of(error);
}

}  // namespace regard
