#include "regard/batch/tmx.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <new>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr int kMaxDepth = 256;
constexpr Index kLongestTag = Index{1} << 20;

/// "EN_us" -> "en-us".
std::string plain_code(std::string_view language) {
  std::string code(language);
  for (char& c : code)
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return code;
}

/// How well a language suits the one wanted: 2 the same, 1 one extends the other, 0 not at all.
int fit(const std::string& language, const std::string& wanted) {
  if (language == wanted) return 2;
  return language.starts_with(wanted + "-") || wanted.starts_with(language + "-") ? 1 : 0;
}

/// One side of a unit, as far as it was read.
struct Side {
  std::string wanted;  // the language
  int fit = 0;
  std::string text{};
};

/// What the parser calls. No exception may cross the parser, which is C: a fault is kept, the
/// parser stopped, and the fault thrown outside.
class Reader {
 public:
  Reader(ByteStream& bytes, const LanguagePair& languages, PairFilter& filter)
      : bytes_(bytes),
        filter_(filter),
        parser_(XML_ParserCreate(nullptr), &XML_ParserFree),
        sides_{Side{plain_code(languages.from)}, Side{plain_code(languages.to)}} {
    if (!parser_) fail(Fault::device, "no memory to read XML with");
    XML_SetUserData(parser_.get(), this);
    XML_SetParamEntityParsing(parser_.get(), XML_PARAM_ENTITY_PARSING_NEVER);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** pairs) { of(self).start(name, pairs); },
        [](void* self, const char* name) { of(self).end(name); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      of(self).append({text, static_cast<std::size_t>(size)});
    });
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char*, int, const char*, int,
                                               const char*, const char*, const char*, const char*) {
      of(self).stop("an entity is declared, which is not allowed here");
    });
    XML_SetSkippedEntityHandler(
        parser_.get(), [](void* self, const char*, int) { of(self).blame("unknown entity"); });
  }

  void read() {
    Index given = 0;
    for (bool last = false; !last;) {
      const std::string_view piece = bytes_.next();
      last = piece.empty();
      given += static_cast<Index>(piece.size());
      const XML_Status status =
          XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), last);
      if (failure_) std::rethrow_exception(failure_);
      if (!fault_.empty()) reject(fault_);
      const XML_Error wrong = XML_GetErrorCode(parser_.get());
      if (wrong == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
      if (status != XML_STATUS_OK) reject(XML_ErrorString(wrong));
      // A tag is held until its end is seen, so its length bounds the memory.
      if (given - XML_GetCurrentByteIndex(parser_.get()) > kLongestTag)
        reject("a tag or comment of more than 1 MiB");
    }
  }

 private:
  static Reader& of(void* self) { return *static_cast<Reader*>(self); }

  [[noreturn]] void reject(const std::string& what) const {
    fail(Blame(Fault::input).at(bytes_.path(), line()), bytes_.path(), ":", line(), ":",
         XML_GetCurrentColumnNumber(parser_.get()) + 1,
         ": not a TMX file that can be read: ", what);
  }
  Index line() const { return static_cast<Index>(XML_GetCurrentLineNumber(parser_.get())); }
  void stop(const std::string& fault) {
    if (fault_.empty()) fault_ = fault;
    XML_StopParser(parser_.get(), XML_FALSE);
  }
  void blame(const std::string& fault) {
    if (unit_fault_.empty()) unit_fault_ = fault;
  }

  void start(std::string_view name, const char** attributes) {
    if (++depth_ > kMaxDepth) return stop("elements nested more than 256 deep");
    if (depth_ == 1 && name != "tmx") return stop("the outermost element is not tmx");
    if (skipping_ > 0 || (in_seg_ && name != "hi")) {
      ++skipping_;
    } else if (name == "tu") {
      unit_line_ = line();
      unit_fault_.clear();
      for (Side& side : sides_) side = {side.wanted};
    } else if (name == "tuv") {
      start_variant(attributes);
    } else if (name == "seg") {
      if (std::exchange(seg_seen_, true)) blame("tuv with two seg");
      in_seg_ = true;
      text_.clear();
    }
  }

  void start_variant(const char** attributes) {
    language_.clear();
    seg_seen_ = false;
    for (; *attributes; attributes += 2)
      if (attributes[0] == std::string_view("xml:lang") ||
          (language_.empty() && attributes[0] == std::string_view("lang")))
        language_ = plain_code(attributes[1]);
    if (language_.empty()) blame("tuv without xml:lang");
  }

  void append(std::string_view text) {
    if (!in_seg_ || skipping_ > 0) return;
    if (static_cast<Index>(text_.size() + text.size()) > filter_.filters().max_line_bytes)
      blame("seg too long");
    else
      text_ += text;
  }

  void end(std::string_view name) {
    --depth_;
    if (skipping_ > 0) {
      --skipping_;
    } else if (name == "seg") {
      in_seg_ = false;
      for (Side& side : sides_) {
        const int better = fit(language_, side.wanted);
        if (better > side.fit) side = {side.wanted, better, text_};
      }
    } else if (name == "tu") {
      finish_unit();
    }
  }

  void finish_unit() {
    if (failure_ || !fault_.empty()) return;  // a stopped parser may call a little longer
    try {
      const Place place{bytes_.path(), unit_line_};
      auto& [from, to] = sides_;
      if (!unit_fault_.empty()) return filter_.bad(place, unit_fault_);
      if (from.fit == 0 || to.fit == 0)
        return filter_.drop("unit lacks " + (from.fit == 0 ? from.wanted : to.wanted));
      filter_.take({on_one_line(from.text), on_one_line(to.text)});
    } catch (...) {
      failure_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  ByteStream& bytes_;
  PairFilter& filter_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::string fault_;             // of the whole file
  std::exception_ptr failure_;    // what the filter threw
  int depth_ = 0, skipping_ = 0;  // open elements; of them, those inside one whose text is left out
  bool in_seg_ = false, seg_seen_ = false;
  std::string language_, text_;  // of the tuv at hand
  std::array<Side, 2> sides_;    // of the tu at hand
  std::string unit_fault_;
  Index unit_line_ = 0;
};

}  // namespace

void read_tmx(ByteStream& bytes, const LanguagePair& languages, PairFilter& filter) {
  check(!languages.from.empty() && !languages.to.empty(), bytes.path(),
        ": a TMX file holds many languages; name two of them with --from and --to");
  Reader(bytes, languages, filter).read();
}

}  // namespace regard
