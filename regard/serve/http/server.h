#pragma once

#include <memory>
#include <string>

#include "regard/base/real.h"
#include "regard/config/field.h"
#include "regard/serve/http/message.h"

namespace regard {

/// Where a server listens, and what it lets a client take.
struct HttpSpec {
  std::string host = "127.0.0.1";
  Index port = 5000;             ///< 0: any free one
  Index body_bytes = 1 << 20;    ///< of a request, also once unpacked
  Index held_bytes = 256 << 20;  ///< of all bodies on their way in or out, then 503
  Index connections = 4096, connections_of_one = 1024;  ///< in all, of one address
  double header_seconds = 10;   ///< from the first byte to the last of the head, then 408
  double body_seconds = 30;     ///< for the whole body, then 408
  double idle_seconds = 30;     ///< between requests
  double write_seconds = 30;    ///< to read a response, plus a second per 256 KiB
  double request_seconds = 60;  ///< for a response, then 504
  double grace_seconds = 20;    ///< to finish requests in flight when told to stop

  void each(auto&& visit) {
    visit(Field{"host", "address to listen at"}, host);
    visit(Field{"port", "port to listen at; 0: any free one", 0, 65535}, port);
  }
};

/// HTTP/1.1 over TCP. Knows nothing of translation: complete requests go to the handler, and its
/// responses are sent in the order of the requests.
class HttpServer {
 public:
  /// Listens from now on. Throws Error(io) naming address, reason and remedy if it cannot.
  HttpServer(HttpSpec spec, Handler handler, OwnResponse own_response = {});
  ~HttpServer();  ///< REQUIRES run() to have returned, if it was called

  Index port() const;  ///< the one it listens at, also if any free one was asked for

  /// Serves until stop(); then accepts no more connections, finishes requests in flight within the
  /// grace period, and returns.
  void run();
  void stop();      ///< from any thread (but not from a signal's handler)
  void stop_now();  ///< the same, without waiting for requests in flight

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace regard
