#include "regard/cli/figure/figure_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "regard/base/check.h"
#include "regard/cli/options.h"
#include "regard/cli/output_set.h"

namespace regard {
namespace {

constexpr const char* kGroup = "Output";

struct Kind {
  const char *option, *ending;  // no option: what nothing here writes
};
constexpr Kind kKinds[]{{"--svg", ".svg"},   {"--png", ".png"},    {"--pdf", ".pdf"},
                        {"--csv", ".csv"},   {"--trace", ".json"}, {"--npz", ".npz"},
                        {"--html", ".html"}, {"--html", ".htm"},   {"", ".jpg"},
                        {"", ".jpeg"},       {"", ".gif"},         {"", ".webp"},
                        {"", ".bmp"},        {"", ".tif"},         {"", ".tiff"}};

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

void check_ending(const std::string& option, const std::string& path, const FigureFiles& files) {
  const std::string ending = ending_of(path);
  const auto* kind =
      std::ranges::find_if(kKinds, [&](const Kind& each) { return ending == each.ending; });
  if (kind == std::end(kKinds) || option == kind->option) return;
  const std::string remedy = files.paths.contains(kind->option)
                                 ? fmt::format("use {} {}", kind->option, path)
                                 : "name a file that ends in ." + option.substr(2);
  fail(Fault::usage, option, " does not write ", ending, " files, as ", path, " is; ", remedy);
}

}  // namespace

bool FigureFiles::given(const std::string& option) const {
  if (option == "--json") return json;
  const auto found = paths.find(option);
  return found != paths.end() && found->second.has_value();
}

bool FigureFiles::draws() const {
  return given("--svg") || given("--png") || given("--pdf");
}

bool FigureFiles::to_standard_output() const {
  return json || std::ranges::any_of(paths, [](const auto& each) { return each.second == "-"; });
}

void declare_file(CLI::App& app, FigureFiles& files, const char* option, const std::string& help) {
  add_option(app, {option, "FILE", help + " ('-': to standard output)", kGroup},
             files.paths[option]);
}

void declare_json(CLI::App& app, FigureFiles& files, const std::string& help) {
  add_flag(app, {"--json", "", help, kGroup}, files.json);
}

void declare_figures(CLI::App& app, FigureFiles& files, const std::string& what,
                     const std::string& default_title) {
  declare_file(app, files, "--svg", "draw " + what);
  declare_file(app, files, "--png", "draw " + what);
  declare_file(app, files, "--pdf", "draw " + what);
  declare_file(app, files, "--csv", "the numbers drawn, one per line");
  add_option(
      app,
      {"--title", "TEXT", "title of pictures; '': none (default: " + default_title + ")", kGroup},
      files.title);
  add_flag(app, {"--overwrite", "", "replace existing files", kGroup}, files.overwrite);
}

std::vector<OutputFile> outputs_of(const FigureFiles& files) {
  std::vector<OutputFile> outputs;
  for (const auto& [option, path] : files.paths) {
    if (!path) continue;
    check_ending(option, *path, files);
    outputs.push_back({option, *path});
  }
  if (files.json) outputs.push_back({"--json", "-"});
  check(!files.title || files.draws(),
        "--title is written over pictures; give --svg, --png or --pdf");
  return outputs;
}

bool is_drawn(const std::string& option) {
  return option == "--svg" || option == "--png" || option == "--pdf" || option == "--csv";
}

std::string drawn(const std::string& option, const HeatMap& map, const FigureFiles& files) {
  if (option == "--csv") return csv(map);
  HeatMap titled = map;
  if (files.title) {
    titled.title = *files.title;
    titled.subtitle.clear();
  }
  return option == "--svg" ? svg(titled) : option == "--png" ? png(titled) : pdf(titled);
}

std::optional<std::string> write_figures(
    const std::vector<OutputFile>& outputs, bool overwrite,
    const std::function<std::string(const std::string& option)>& content) {
  std::vector<std::string> paths;
  for (const OutputFile& output : outputs)
    if (output.path != "-") paths.push_back(output.path);
  OutputSet set(paths, overwrite);
  std::optional<std::string> text;
  for (const auto& [option, path] : outputs)
    if (path == "-")
      text = content(option);
    else
      set.write(path, content(option));
  set.publish();
  return text;
}

std::string numbered(const std::string& path, std::size_t number, std::size_t of) {
  const std::filesystem::path whole(path);
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(of).size());
  const std::string name =
      fmt::format("{}-{:0{}}{}", whole.stem().string(), number, digits, whole.extension().string());
  return (whole.parent_path() / name).string();
}

}  // namespace regard
