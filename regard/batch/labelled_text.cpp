#include "regard/batch/labelled_text.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/batch/raw_file.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

/// An empty one is dropped and counted, as an empty text is.
void check_label(const LabelledText& line, const std::vector<std::string>& known) {
  const auto blame = [&](const auto&... parts) {
    fail(Blame(Fault::input).at(line.place.path, line.place.line), line.place.path, ":",
         line.place.line, ": ", parts...);
  };
  if (line.label.empty()) return;
  const std::string fault = fault_of_label(line.label);
  if (!fault.empty()) blame(fault, ": '", shown_label(line.label), "'");
  if (known.empty() || std::ranges::find(known, line.label) != known.end()) return;
  fail_unknown_label(line.place.path, line.place.line, line.label, known);
}

}  // namespace

std::string fault_of_label(std::string_view text) {
  if (text.empty()) return "an empty label";
  if (text.size() > kMaxLabelBytes)
    return "a label of " + std::to_string(text.size()) + " bytes, expected at most " +
           std::to_string(kMaxLabelBytes);
  if (!valid_utf8(text)) return "a label that is not UTF-8";
  if (normalise(text) != text) return "a label that is no plain line";
  return {};
}

std::string shown_label(std::string_view label) {
  constexpr int kMost = 40;
  std::string_view rest = label;
  for (int i = 0; i < kMost && !rest.empty(); ++i) rest.remove_prefix(first_character(rest).size);
  const std::string shown(label.substr(0, label.size() - rest.size()));
  return rest.empty() ? shown : shown + "…";
}

void fail_unknown_label(const std::string& path, Index line, std::string_view label,
                        const std::vector<std::string>& learned) {
  const std::string file = path == "-" ? "standard input" : path;
  std::string place = file;
  if (line > 0) place.append(":").append(std::to_string(line));
  const std::vector<std::string_view> names(learned.begin(), learned.end());
  fail(Blame(Fault::input).at(file, line), place, ": the label '", shown_label(label),
       "' is not among those learned", known_values(label, names));
}

LabelledLines::LabelledLines(const std::vector<std::string>& paths, Index max_bytes)
    : texts_(paths.at(0), max_bytes) {
  check(paths.size() <= 2, "texts and their labels are one file or two, not ", paths.size());
  check(paths.size() == 1 || !is_standard_input(paths[0]) || !is_standard_input(paths[1]),
        "both files are standard input (-), which can be only one of them");
  if (paths.size() == 2) labels_.emplace(paths[1], max_bytes);
}

/// At the last tab: a text may hold others.
LabelledText LabelledLines::split(const TextLine& line) {
  LabelledText found{.text = "", .label = "", .place = {texts_.path(), line.number}};
  found.fault = fault_of_line(line);
  if (!found.fault.empty()) return found;
  const std::size_t tab = line.text.rfind('\t');
  if (tab == line.text.npos) {
    found.fault = "no tab between text and label";
    return found;
  }
  found.text = line.text.substr(0, tab);
  found.label = normalise(line.text.substr(tab + 1));
  return found;
}

std::optional<LabelledText> LabelledLines::next() {
  const std::optional<TextLine> text = texts_.next();
  if (!labels_) return text ? std::optional(split(*text)) : std::nullopt;
  const std::optional<TextLine> label = labels_->next();
  if (!text && !label) return std::nullopt;
  if (!text || !label) {
    while (texts_.next()) continue;
    while (labels_->next()) continue;
    fail(Blame(Fault::input).at(texts_.path()), texts_.path(), " has ", texts_.number(),
         " lines and ", labels_->path(), " has ", labels_->number(),
         ": line i of the one must be the label of line i of the other");
  }
  LabelledText found{.text = std::string(text->text),
                     .label = "",
                     .fault = fault_of_line(*text),
                     .place = {labels_->path(), label->number}};
  if (found.fault.empty()) found.fault = fault_of_line(*label);
  if (found.fault.empty()) found.label = normalise(label->text);
  return found;
}

std::vector<Pair> read_labelled(const std::vector<std::string>& paths, const Filters& filters,
                                CorpusReport& report, const std::vector<std::string>& known) {
  report = {};
  report.what = "text";
  PairFilter filter(filters, report);
  LabelledLines lines(paths, filters.max_line_bytes);
  while (const std::optional<LabelledText> line = lines.next()) {
    if (line->fault.empty()) check_label(*line, known);
    if (line->fault.empty())
      filter.take_labelled({line->text, line->label});
    else
      filter.bad(line->place, line->fault);
  }
  return filter.finish(paths.size() == 1 ? paths[0] : paths[0] + ", " + paths[1]);
}

}  // namespace regard
