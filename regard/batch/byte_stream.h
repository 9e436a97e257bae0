#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regard/batch/raw_file.h"

namespace regard {

/// What the first bytes of a file may say of it.
enum class Reading {
  corpus,    ///< what is packed or encoded in a way not read here is refused
  any_text,  ///< a gzip header (1f 8b 08) alone means something; all else is text, as it is
};

/// The bytes of a RawFile, unpacked if they are gzip: told by their first bytes, never by the name.
/// Memory stays flat however much comes out. Throws Error(input) with the offset for packed data
/// that is cut short, damaged or followed by something else (zeros are allowed), and, of a corpus,
/// for zstd, xz, bzip2 and zip.
class ByteStream {
 public:
  explicit ByteStream(std::string path, ReadCall read = {}, Reading reading = Reading::corpus);
  ~ByteStream();

  const std::string& path() const { return file_.path(); }
  /// The next bytes, some at least; empty at the end. Good until the next call.
  std::string_view next();
  /// The bytes that next() will give, without taking them.
  std::string_view peek();

 private:
  struct Unpacker;

  void look_at_start(std::size_t enough);  // names the packing
  void refuse_unreadable();
  bool at_next_member();  // false: the packed data ends here
  std::string_view unpack();
  [[noreturn]] void damaged(const std::string& what) const;

  RawFile file_;
  Reading reading_;
  bool started_ = false, peeked_ = false;
  std::string start_;       // the first bytes of the file
  std::string_view left_;   // of the file, not used yet
  std::string_view ahead_;  // peeked at
  std::vector<char> plain_;
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace regard
