#include "regard/cli/translate/line_translator.h"

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/decode/search.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

}  // namespace

LineTranslator::LineTranslator(const LoadedModel& model, LineSpec spec)
    : model_(model), spec_(std::move(spec)) {
  for (const Token& token : model.info.target->tokens(spec_.prefix)) {
    check(token.id != kUnk, "--prefix: the model does not know the word '", token.text, "'");
    prefix_.push_back(token.id);
  }
  spec_.decode.max_length = max_output_tokens(model.info.spec, spec_.decode.max_length);
  const auto size = static_cast<Index>(prefix_.size());
  check(max_output_tokens(model.info.spec, size) == size, "--prefix has ", size,
        " tokens, but the model has positions for ", max_output_tokens(model.info.spec, size),
        " at most");
}

LineSource LineTranslator::source_of(const std::string& line) {
  LineSource source = line_source(model_.info, line);
  ++lines_;
  if (source.pieces() > 1 && !warned_) {
    warn("line ", lines_, " has ", source.tokens.size(), " tokens; lines of more than ",
         most_line_tokens(model_.info.spec), " are translated in pieces");
    warned_ = true;
  }
  return source;
}

void LineTranslator::operator()(std::span<const std::string> lines,
                                const std::function<void(const TranslatedLine& line)>& done) {
  std::vector<LineSource> sources;
  std::vector<Ids> pieces, prefixes;
  std::vector<SourcePlace> places;
  for (const std::string& line : lines) {
    sources.push_back(source_of(line));
    for (std::size_t i = 0; i < sources.back().pieces(); ++i) {
      places.push_back({lines_ - 1, static_cast<Index>(i)});
      pieces.push_back(sources.back().ids(i));
      prefixes.push_back(i == 0 ? prefix_ : Ids());
    }
  }
  std::vector<std::vector<Hypothesis>> found;
  std::size_t told = 0, used = 0;
  const auto tell = [&] {
    for (; told < sources.size() && used + sources[told].pieces() <= found.size(); ++told) {
      const std::size_t count = sources[told].pieces();
      done(joined(sources[told], std::span(found).subspan(used, count)));
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

TranslatedLine LineTranslator::joined(const LineSource& source,
                                      std::span<const std::vector<Hypothesis>> found) const {
  TranslatedLine line{.source = source.line};
  for (const Token& token : source.tokens) line.source_tokens.push_back(token.text);
  line.best =
      joined_line(model_, source, found, {.links = spec_.align || spec_.soft, .soft = spec_.soft});
  return line;
}

}  // namespace regard
