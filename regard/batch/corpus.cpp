#include "regard/batch/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "regard/base/check.h"
#include "regard/batch/aligned_files.h"
#include "regard/batch/builtin/corpus.h"
#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"
#include "regard/batch/plain_text.h"
#include "regard/batch/po.h"
#include "regard/batch/raw_file.h"
#include "regard/batch/tmx.h"
#include "regard/batch/tsv.h"

namespace regard {
namespace {

enum class Format { tsv, po, tmx, unknown };

Format format_of_name(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  if (path.ends_with(".tsv")) return Format::tsv;
  if (path.ends_with(".po") || path.ends_with(".pot")) return Format::po;
  if (path.ends_with(".tmx")) return Format::tmx;
  return Format::unknown;
}

Format format_of_content(std::string_view start) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (start.starts_with(kMark)) start.remove_prefix(kMark.size());
  const std::string_view first_line = start.substr(0, start.find('\n'));
  if (start.starts_with("<?xml") || start.starts_with("<tmx") || start.starts_with("<!DOCTYPE tmx"))
    return Format::tmx;
  if (start.starts_with("msgid \"") || start.find("\nmsgid \"") != std::string_view::npos)
    return Format::po;
  if (first_line.find('\t') != std::string_view::npos) return Format::tsv;
  return Format::unknown;
}

void read_one_file(const CorpusPaths& corpus, PairFilter& filter, CorpusReport& report) {
  const std::string& path = corpus.paths.front();
  Lines lines(path, filter.filters().max_line_bytes);
  const std::string_view start = lines.bytes().peek();
  if (start.empty()) return;
  const Format named = format_of_name(path);
  switch (named == Format::unknown ? format_of_content(start) : named) {
    case Format::tsv:
      return read_tsv(lines, filter);
    case Format::po:
      return read_po(lines, filter);
    case Format::tmx:
      return read_tmx(lines.bytes(), {corpus.from, corpus.to}, filter);
    case Format::unknown:
      if (!corpus.or_text)
        fail(Blame(Fault::input).at(path), path,
             ": neither TSV (no tab in its first line) nor PO nor TMX; give two ",
             "files with one sentence per line, or one of these; to learn from a text alone, ",
             "train with --arch language");
      report.what = "line";
      return read_plain_text(lines, filter);
  }
}

std::string fingerprint_of_file(const std::string& path) {
  if (find_builtin(path)) return path;
  if (is_stream(path)) return "stream";
  std::uint64_t hash = 0xcbf29ce484222325u;
  Index size = 0;
  RawFile file(path);
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
    for (const char c : piece) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    size += static_cast<Index>(piece.size());
  }
  return fmt::format("{}:{:016x}", size, hash);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string all;
  for (const std::string& part : parts) all.append(all.empty() ? "" : between).append(part);
  return all;
}

}  // namespace

std::string CorpusReport::text() const {
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : dropped)
    reasons.push_back(fmt::format("{} {}", count, reason));
  std::string all = fmt::format("read {} {}{}, kept {}", read, what, read == 1 ? "" : "s", kept);
  if (!reasons.empty()) all += "; dropped: " + joined(reasons, ", ");
  if (!first_errors.empty()) all += "; first errors: " + joined(first_errors, ", ");
  return all;
}

std::vector<Pair> read_corpus(const CorpusPaths& corpus, const Filters& filters,
                              CorpusReport& report) {
  const std::vector<std::string>& paths = corpus.paths;
  check(paths.size() == 1 || paths.size() == 2, "a corpus is one or two files, not ", paths.size());
  for (const std::string& path : paths)
    check(!find_builtin(path), path, " is a corpus by itself, not one of two files");
  report = {};
  PairFilter filter(filters, report);
  if (paths.size() == 2)
    read_aligned_files(paths[0], paths[1], filter);
  else
    read_one_file(corpus, filter, report);
  return filter.finish(joined(paths, ", "));
}

bool is_named_parallel(std::string_view path) {
  return format_of_name(path) != Format::unknown;
}

std::vector<Pair> read_text(const std::string& path, const Filters& filters, CorpusReport& report) {
  report = {};
  report.what = "line";
  PairFilter filter(filters, report);
  Lines lines(path, filters.max_line_bytes);
  read_plain_text(lines, filter);
  return filter.finish(path);
}

std::vector<Pair> filter_pairs(const std::string& name, std::vector<Pair> pairs,
                               const Filters& filters, CorpusReport& report) {
  report = {};
  PairFilter filter(filters, report);
  for (Pair& pair : pairs) filter.take(std::move(pair));
  return filter.finish(name);
}

std::vector<Pair> filter_text(const std::string& name, std::vector<Pair> lines,
                              const Filters& filters, CorpusReport& report) {
  report = {};
  report.what = "line";
  PairFilter filter(filters, report);
  for (Pair& line : lines) filter.take_text(std::move(line.target));
  return filter.finish(name);
}

std::vector<Pair> filter_labelled(const std::string& name, std::vector<Pair> texts,
                                  const Filters& filters, CorpusReport& report) {
  report = {};
  report.what = "text";
  PairFilter filter(filters, report);
  for (Pair& text : texts) filter.take_labelled(std::move(text));
  return filter.finish(name);
}

std::string corpus_fingerprint(const CorpusPaths& corpus) {
  std::vector<std::string> parts;
  for (const std::string& path : corpus.paths) parts.push_back(fingerprint_of_file(path));
  return joined(parts, ",");
}

bool is_stream(const CorpusPaths& corpus) {
  return std::ranges::any_of(corpus.paths, [](const std::string& path) { return is_stream(path); });
}

}  // namespace regard
