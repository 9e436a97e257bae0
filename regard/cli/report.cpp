#include "regard/cli/report.h"

#include <fmt/format.h>

#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "regard/base/check.h"
#include "regard/cli/source.h"
#include "regard/cli/standard_output.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr std::string_view kMeant = "; did you mean ";

int code_of(const std::exception& error) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) return exit_code(ours->fault);
  if (dynamic_cast<const std::bad_alloc*>(&error)) return exit_code(Fault::device);
  return exit_code(Fault::bug);
}

std::string text_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error)) return "out of memory; try a smaller input";
  const std::string text = visible(error.what());  // one line, and no escape sequences of a file's
  if (code_of(error) != exit_code(Fault::bug)) return text;
  return text + "; this is a fault of regard itself, please report it";
}

/// The hint is the name that was probably meant, with which such a message ends.
nlohmann::ordered_json as_json(const std::exception& error) {
  const std::string text = text_of(error);
  const std::size_t end = text.ends_with("'?") ? text.rfind(kMeant) : text.npos;
  nlohmann::ordered_json about{{"code", code_of(error)},
                               {"message", text.substr(0, end)},
                               {"hint", nullptr},
                               {"file", nullptr},
                               {"line", nullptr}};
  if (end != std::string::npos) about["hint"] = text.substr(end + 2);
  if (const auto* placed = dynamic_cast<const InputError*>(&error)) {
    if (!placed->path.empty()) about["file"] = visible(placed->path);
    if (placed->line_of_input > 0) about["line"] = placed->line_of_input;
  }
  return {{"error", about}};
}

}  // namespace

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
