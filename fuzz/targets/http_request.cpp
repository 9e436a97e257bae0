#include <algorithm>

#include "fuzz/target.h"
#include "regard/serve/http/reader.h"
#include "regard/tokens/normalise.h"

namespace regard::targets {
namespace {

constexpr Index kMaxBody = 256;

/// What a reader made of bytes.
struct RequestOutcome {
  RequestReader::At at{};
  int status = 0;
  std::string refusal{};
  HttpRequest request{};
  std::size_t left = 0;  ///< bytes of a next request

  bool operator==(const RequestOutcome& other) const {
    return at == other.at && status == other.status && refusal == other.refusal &&
           request.method == other.request.method && request.path == other.request.path &&
           request.query == other.request.query && request.headers == other.request.headers &&
           request.body == other.request.body && left == other.left;
  }
};

/// Feeds the bytes in pieces of `piece`, but for the first, of `first` bytes.
RequestOutcome request_outcome(std::string_view bytes, std::size_t first, std::size_t piece) {
  RequestReader reader(kMaxBody);
  std::string inbox;
  using At = RequestReader::At;
  for (std::size_t size = first; !bytes.empty(); size = piece) {
    const std::size_t count = std::min(size, bytes.size());
    inbox += bytes.substr(0, count);
    bytes.remove_prefix(count);
    const At at = reader.feed(inbox);
    law(reader.body_bytes() <= kMaxBody, "the body is longer than allowed");
    if (at == At::whole || at == At::refused) break;
  }
  if (reader.at() != At::whole && reader.at() != At::refused) reader.end();
  RequestOutcome outcome{.at = reader.at()};
  if (outcome.at == At::refused) {
    outcome.status = reader.refusal().status;
    outcome.refusal = reader.refusal().text;
  } else if (outcome.at == At::whole) {
    outcome.request = reader.take();
    outcome.left = inbox.size() + bytes.size();
  }
  return outcome;
}

/// A path that means one file and no other, as message.h promises.
void check_path(const std::string& path) {
  if (path == "*") return;
  law(path.starts_with('/') && valid_utf8(path), "a path is ", path);
  law(path.find("//") == path.npos && path.find('\\') == path.npos && path.find('\0') == path.npos,
      "a path is ", path);
  const std::string closed = path + "/";
  law(closed.find("/../") == closed.npos && closed.find("/./") == closed.npos, "a path is ", path);
}

/// However the bytes come cut, the same request or the same refusal.
void try_http_request(std::string_view bytes) {
  const RequestOutcome whole = request_outcome(bytes, bytes.size(), bytes.size());
  law(whole == request_outcome(bytes, 1, 1), "byte by byte, another request");
  const std::size_t cut = bytes.size() / 2;
  law(whole == request_outcome(bytes, std::max<std::size_t>(cut, 1), bytes.size()),
      "cut in two, another request");
  if (whole.at == RequestReader::At::refused)
    law(whole.status >= 400 && whole.status < 600 && !whole.refusal.empty(), "no refusal");
  if (whole.at == RequestReader::At::whole) check_path(whole.request.path);
}

}  // namespace

extern const FuzzTarget http_request{.name = "http_request",
                                     .about = "requests, however they are cut",
                                     .max_bytes = 512,
                                     .attempt = try_http_request};

}  // namespace regard::targets
