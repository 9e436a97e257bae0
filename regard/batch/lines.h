#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "regard/base/real.h"
#include "regard/batch/byte_stream.h"
#include "regard/tokens/normalise.h"

namespace regard {

/// One line of a text file, without its end.
struct TextLine {
  std::string_view text;  ///< good until the next line is read; empty if the line is too long
  Index number = 0;       ///< from 1
  bool too_long = false;

  bool valid_utf8() const { return regard::valid_utf8(text); }
};

/// The lines of a text file, plain or gzip, one after the other. A line ends with LF or CR LF and
/// with nothing else: a CR within, U+0085 and U+2028 are text. The last line needs no end, a byte
/// order mark at the start is dropped, NUL is text. A line of more than `max_bytes` is passed over
/// without being kept. Throws as ByteStream does, and Error(input) for a corpus in UTF-16.
class Lines {
 public:
  static constexpr Index kMaxBytes = Index{1} << 20;

  explicit Lines(std::string path, Index max_bytes = kMaxBytes, ReadCall read = {},
                 Reading reading = Reading::corpus);

  std::optional<TextLine> next();
  Index number() const { return number_; }  ///< of the line read last; at the end, of all lines
  const std::string& path() const { return bytes_.path(); }
  /// What the lines are cut from, for who must see it whole: before the first line is read.
  ByteStream& bytes() { return bytes_; }

 private:
  void skip_byte_order_mark();

  ByteStream bytes_;
  Reading reading_;
  std::size_t max_bytes_;
  std::string start_;       // the first bytes
  std::string_view piece_;  // of the stream, not used yet
  std::string pending_;     // a line that began in an earlier piece
  Index number_ = 0;
};

}  // namespace regard
