#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "regard/cli/output_file.h"
#include "regard/viewer/heat_map.h"

namespace CLI {
class App;
}

namespace regard {

/// The files that a command draws to or writes its numbers to, an option for each kind: --svg,
/// --png, --pdf, --csv, --npz, --trace, --html, as far as the command declares them.
struct FigureFiles {
  std::map<std::string, std::optional<std::string>> paths;  ///< by option; "-": standard output
  std::optional<std::string> title;                         ///< "" is none
  bool json = false;                                        ///< --json: to standard output
  bool overwrite = false;

  bool given(const std::string& option) const;
  bool draws() const;               ///< is one of them a picture?
  bool to_standard_output() const;  ///< is one of them "-"?
};

/// --svg, --png, --pdf, --csv, --title and --overwrite. `what` is drawn: "the heads shown".
void declare_figures(CLI::App& app, FigureFiles& files, const std::string& what,
                     const std::string& default_title);

/// A file of another kind: "--npz", "every array, for NumPy".
void declare_file(CLI::App& app, FigureFiles& files, const char* option, const std::string& help);

/// --json: to standard output, as in every command.
void declare_json(CLI::App& app, FigureFiles& files, const std::string& help);

/// What was asked for. Throws Error(usage) that names the right option if a file has the ending
/// of another kind, as in --png x.pdf.
std::vector<OutputFile> outputs_of(const FigureFiles& files);

/// The content of the file of an option: --svg, --png, --pdf or --csv.
std::string drawn(const std::string& option, const HeatMap& map, const FigureFiles& files);

/// Writes what content(option) makes of each output; files of one folder appear together.
/// -> what goes to standard output, if anything does
std::optional<std::string> write_figures(
    const std::vector<OutputFile>& outputs, bool overwrite,
    const std::function<std::string(const std::string& option)>& content);

/// Is it one of the options that drawn() serves?
bool is_drawn(const std::string& option);

/// The path with a number before its ending: "out/cat.png" -> "out/cat-0007.png".
std::string numbered(const std::string& path, std::size_t number, std::size_t of);

}  // namespace regard
