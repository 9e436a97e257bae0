#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "regard/base/real.h"
#include "regard/serve/http/message.h"

namespace regard {

constexpr std::size_t kMaxHeaders = 100;
constexpr std::size_t kMaxHeaderBytes = 8192;    ///< of one header, without its line end
constexpr std::size_t kMaxHeadBytes = 32 << 10;  ///< of all headers
constexpr std::size_t kMaxTargetBytes = 8192;    ///< of path and query as sent

/// Why a request is not taken: status and text of the answer, after which the connection ends.
struct BadRequest {
  int status = 0;
  std::string_view text{};
};

/// What comes before a request's body, and how that body is told from what follows it.
struct Head {
  HttpRequest request{};
  bool body_left_out = false;  ///< HEAD: the answer has no body
  bool old = false;            ///< HTTP/1.0
  bool close = false;          ///< the client wants no further request on this connection
  bool chunked = false, gzip = false;
  bool awaits_continue = false;  ///< sends its body only after "100 Continue"
  Index length = 0;              ///< of the body as sent; 0 if chunked
};

/// Where a head ends, found as its bytes arrive. Line ends are CR LF and nothing else; sizes are
/// held from the first byte on, so that an endless line is refused before it is kept.
class HeadEnd {
 public:
  /// Looks at `bytes`, which begin with all that was looked at before. Returns the size of the head
  /// with its empty line, 0 if it goes on, or why it is refused.
  std::variant<std::size_t, BadRequest> find(std::string_view bytes);

 private:
  std::optional<BadRequest> too_long(std::size_t size) const;

  std::size_t looked_ = 0, line_ = 0, lines_ = 0, headers_from_ = 0;
};

/// The head in `bytes` (as HeadEnd found it). Takes only what every other reader on the way would
/// understand in the same manner (RFC 9112, sections 2.2, 5.1, 6.3 and 11.2).
std::variant<Head, BadRequest> read_head(std::string_view bytes);

/// The header of one line, or nothing if the line is none.
std::optional<std::pair<std::string_view, std::string_view>> read_header(std::string_view line);

/// Whether the text is a token: letters, digits and !#$%&'*+-.^_`|~ only, at least one.
bool is_token(std::string_view text);

}  // namespace regard
