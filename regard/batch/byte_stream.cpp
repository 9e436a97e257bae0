#include "regard/batch/byte_stream.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::size_t kMagic = 10;    // bytes that tell a packing
constexpr std::size_t kEnough = 512;  // bytes that tell a format

using namespace std::string_view_literals;

constexpr std::size_t kPiece = 1 << 16;
constexpr std::string_view kGzip = "\x1f\x8b", kGzipHeader = "\x1f\x8b\x08";

/// The program that unpacks a file which starts like this; empty: none is known.
std::string_view unpacking_program(std::string_view start) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"\x28\xb5\x2f\xfd"sv, "zstd -d"},
      {"\xfd\x37\x7aXZ\0"sv, "xz -d"},
      {"BZh91AY&SY"sv, "bzip2 -d"},
      {"PK\x03\x04"sv, "unzip"}};
  for (const auto& [magic, program] : kinds)
    if (start.starts_with(magic)) return program;
  return {};
}

}  // namespace

struct ByteStream::Unpacker {
  Unpacker() {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&state, MAX_WBITS + kGzipOnly) != Z_OK)
      fail(Fault::device, "no memory to unpack gzip with");
  }
  ~Unpacker() { inflateEnd(&state); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  z_stream state{};
  bool between_members = false;
};

ByteStream::ByteStream(std::string path, ReadCall read, Reading reading)
    : file_(std::move(path), std::move(read)), reading_(reading) {}

ByteStream::~ByteStream() = default;

void ByteStream::damaged(const std::string& what) const {
  fail(Blame(Fault::input).at(path()), path(), ": @",
       file_.offset() - static_cast<Index>(left_.size()), ": ", what);
}

void ByteStream::refuse_unreadable() {
  const std::string_view program = unpacking_program(start_);
  if (!program.empty())
    fail(Blame(Fault::input).at(path()), path(),
         ": unsupported compression; decompress it first: ", program);
  const bool cut = start_.empty() ? path().ends_with(".gz") : start_ == kGzip.substr(0, 1);
  if (cut) left_ = {};
  if (cut) damaged("gzip data ends before it begins; the file is cut short, fetch it again");
}

void ByteStream::look_at_start(std::size_t enough) {
  // Pipes give what they have, so a few reads may be needed to see the first bytes. Who types a
  // line waits for an answer, though: no packing's first bytes hold the end of a line.
  for (std::string_view piece = file_.next(); !piece.empty(); piece = file_.next()) {
    start_ += piece;
    if (start_.size() >= enough) break;
    if (enough == kMagic && start_.find('\n') != start_.npos) break;
  }
  left_ = start_;
  started_ = true;
  if (reading_ == Reading::corpus) refuse_unreadable();
  if (!start_.starts_with(reading_ == Reading::corpus ? kGzip : kGzipHeader)) return;
  unpacker_ = std::make_unique<Unpacker>();
  plain_.resize(kPiece);
}

bool ByteStream::at_next_member() {
  // Tapes and some downloads fill up with zeros, which mean nothing.
  bool padding = false;
  for (;;) {
    if (left_.empty() && (left_ = file_.next()).empty()) return false;
    const std::size_t zeros = std::min(left_.find_first_not_of('\0'), left_.size());
    padding = padding || zeros > 0;
    left_.remove_prefix(zeros);
    if (!left_.empty()) break;
  }
  if (padding || left_.front() != kGzip.front())
    damaged("something that is not gzip follows the packed data; cut it off or fetch it again");
  return true;
}

std::string_view ByteStream::unpack() {
  z_stream& state = unpacker_->state;
  for (;;) {
    if (unpacker_->between_members) {
      if (!at_next_member()) return {};
      inflateReset(&state);
      unpacker_->between_members = false;
    }
    if (left_.empty()) left_ = file_.next();
    const bool last = left_.empty();
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
    state.avail_in = static_cast<uInt>(left_.size());
    state.next_out = reinterpret_cast<Bytef*>(plain_.data());
    state.avail_out = static_cast<uInt>(plain_.size());
    const int outcome = inflate(&state, Z_NO_FLUSH);
    left_.remove_prefix(left_.size() - state.avail_in);
    unpacker_->between_members = outcome == Z_STREAM_END;
    const std::size_t made = plain_.size() - state.avail_out;
    if (made > 0) return {plain_.data(), made};  // and what is wrong after it is told next time
    if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR)
      damaged("gzip data is damaged (" + std::string(state.msg ? state.msg : zError(outcome)) +
              "); fetch the file again");
    // The file is over, and inflate had nothing left to give and no end to report.
    if (last && outcome != Z_STREAM_END)
      damaged("gzip data ends in the middle; the file is cut short, fetch it again");
  }
}

std::string_view ByteStream::next() {
  if (std::exchange(peeked_, false)) return ahead_;
  if (!started_) look_at_start(kMagic);
  if (unpacker_) return unpack();
  if (left_.empty()) left_ = file_.next();
  return std::exchange(left_, {});
}

std::string_view ByteStream::peek() {
  if (!started_) look_at_start(kEnough);
  if (!peeked_) ahead_ = next();
  peeked_ = true;
  return ahead_;
}

}  // namespace regard
