#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regard {

/// Names and values as they came, in their order.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// Whether two words are the same but for the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

/// Without the spaces and tabs around it.
std::string_view without_blanks(std::string_view text);

/// A whole request, checked for form and size.
struct HttpRequest {
  /// path: decoded, UTF-8, starts with '/' (or is "*"), has no empty, "." or ".." part; query as it
  /// came, printable ASCII. HEAD comes as GET: the server leaves the answer's body out.
  std::string method{}, path{}, query{};
  Headers headers{};
  std::string body{};  ///< decoded from chunks and gzip
  std::string peer{};  ///< address of the client, without its port

  /// The value of the first header of that name, whatever its case; empty if there is none.
  std::string_view header(std::string_view name) const;
};

/// An answer. The server adds Content-Length, Connection and headers that guard (nosniff) itself; a
/// header that could break the message apart (a control character, a name that is none) makes the
/// whole answer a 500.
struct HttpResponse {
  int status = 200;
  std::string body{};
  std::string type = "application/json";
  Headers headers{};
};

/// An answer with body {"error": text}.
HttpResponse error_response(int status, std::string_view text);

/// Writes what went wrong to the log, escaped, with an id, and gives what a client may know of it:
/// "internal error" and the id.
std::string log_failure(std::string_view cause);

/// A 500 that tells the client only that.
HttpResponse internal_error(std::string_view cause);

/// The text in double quotes as JSON writes it: one line of ASCII, whatever the bytes.
std::string quoted(std::string_view text);
// Exact matches, or else std::quoted is the better one for a std::string.
inline std::string quoted(const std::string& text) {
  return quoted(std::string_view(text));
}
inline std::string quoted(const char* text) {
  return quoted(std::string_view(text));
}

/// Tells work in flight that nobody wants its response: the client has left, or its time is over.
class CancelToken {
 public:
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
};

/// Answers a request, at once or later, from any thread, once; later answers are dropped, and so is
/// one that nobody waits for any more.
using Respond = std::function<void(HttpResponse)>;

/// Takes a request. Called on the server's one thread: work that lasts belongs on another. What it
/// throws becomes internal_error().
using Handler =
    std::function<void(HttpRequest request, std::shared_ptr<CancelToken> cancel, Respond respond)>;

/// Finishes a response the server sends by itself (to what is malformed, too large or too slow).
/// The request is there as far as it is known, without its body; method and path may be empty;
/// `seconds` is how long it was in flight. Called on the server's one thread.
using OwnResponse =
    std::function<void(const HttpRequest& request, double seconds, HttpResponse& response)>;

}  // namespace regard
