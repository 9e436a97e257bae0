#include "regard/cli/translate/line_translator.h"

#include "regard/base/log.h"
#include "regard/cli/translate/join_sentences.h"
#include "regard/decode/forced_prefix.h"
#include "regard/decode/search.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

}  // namespace

LineTranslator::LineTranslator(const LoadedModel& model, LineSpec spec)
    : model_(model),
      spec_(std::move(spec)),
      prefix_(forced_prefix(model.info, spec_.prefix, "--prefix")) {
  spec_.decode.max_length = max_output_tokens(model.info.spec, spec_.decode.max_length);
}

std::size_t LineTranslator::CutLine::pieces() const {
  std::size_t count = 0;
  for (const LineSource& source : sources) count += source.pieces();
  return count;
}

LineSource LineTranslator::source_of(std::string text) {
  LineSource source = line_source(model_.info, std::move(text));
  if (source.pieces() > 1 && !warned_) {
    warn(spec_.split ? "a sentence of line " : "line ", lines_, " has ", source.tokens.size(),
         " tokens; ", spec_.split ? "those" : "lines", " of more than ",
         max_line_tokens(model_.info.spec), " are translated in pieces");
    warned_ = true;
  }
  return source;
}

LineTranslator::CutLine LineTranslator::cut(const std::string& line) {
  ++lines_;
  CutLine result{line, {}, {}};
  if (spec_.split) {
    result.ranges = split_sentences(line, Newlines::are_spaces);
    for (const SentenceRange& range : result.ranges)
      result.sources.push_back(source_of(std::string(range.of(line))));
  } else {
    result.sources.push_back(source_of(line));
  }
  return result;
}

void LineTranslator::operator()(std::span<const std::string> lines,
                                const std::function<void(const TranslatedLine& line)>& done) {
  std::vector<CutLine> cuts;
  std::vector<Ids> pieces, prefixes;
  std::vector<SourcePlace> places;
  for (const std::string& line : lines) {
    cuts.push_back(cut(line));
    Index piece = 0;  // of the line
    for (const LineSource& source : cuts.back().sources)
      for (std::size_t i = 0; i < source.pieces(); ++i) {
        prefixes.push_back(piece == 0 ? prefix_ : Ids());
        places.push_back({lines_ - 1, piece++});
        pieces.push_back(source.ids(i));
      }
  }
  std::vector<std::vector<Hypothesis>> found;
  std::size_t told = 0, used = 0;
  const auto tell = [&] {
    for (; told < cuts.size() && used + cuts[told].pieces() <= found.size(); ++told) {
      const std::size_t count = cuts[told].pieces();
      done(joined(cuts[told], std::span(found).subspan(used, count)));
      used += count;
    }
  };
  tell();
  SearchHooks hooks{.prefixes = prefixes, .places = places};
  hooks.done = [&](Index, const std::vector<Hypothesis>& best) {
    found.push_back(best);
    tell();
  };
  translate(*model_.model, pieces, spec_.decode, hooks);
}

TranslatedLine LineTranslator::translated(const LineSource& source,
                                          std::span<const std::vector<Hypothesis>> found) const {
  TranslatedLine line{.source = source.line};
  for (const Token& token : source.tokens) line.source_tokens.push_back(token.text);
  line.unknown = unknown_text(*model_.info.source, source.line, source.tokens);
  line.best =
      joined_line(model_, source, found, {.links = spec_.align || spec_.soft, .soft = spec_.soft});
  return line;
}

TranslatedLine LineTranslator::joined(const CutLine& line,
                                      std::span<const std::vector<Hypothesis>> found) const {
  if (!spec_.split) return translated(line.sources.front(), found);
  TranslatedLine whole{.source = line.line};
  std::size_t used = 0;
  for (std::size_t i = 0; i < line.sources.size(); ++i) {
    const LineSource& source = line.sources[i];
    TranslatedLine& one =
        whole.sentences.emplace_back(translated(source, found.subspan(used, source.pieces())));
    one.start = static_cast<Index>(line.ranges[i].start);
    used += source.pieces();
  }
  join_sentences(whole);
  return whole;
}

}  // namespace regard
