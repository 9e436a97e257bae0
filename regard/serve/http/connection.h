#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "regard/serve/http/connection_manager.h"
#include "regard/serve/http/reader.h"
#include "regard/serve/http/response_bytes.h"

namespace regard {

/// One client: reads a request, hands it over, sends the answer, reads the next. Requests that
/// arrive early wait in the inbox, so answers keep the order. All of it happens on the manager's
/// thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  /// Who is at the other end: `site` is what counts as one address for the limits.
  struct Peer {
    std::string address{}, site{};
  };

  Connection(ConnectionManager& manager, boost::asio::ip::tcp::socket socket, Peer peer);

  void start();
  void tick(Clock::time_point now);  ///< acts if a deadline is over
  void drain();                      ///< leaves if idle, else after the response in flight
  void close();
  void answer(std::uint64_t ticket, HttpResponse response);

  const std::string& site() const { return peer_.site; }
  /// Since when it has kept its place without a whole head of a request; nothing if it has one.
  std::optional<Clock::time_point> waiting_since() const;

  std::size_t place = 0;  ///< in the manager's list

 private:
  enum class At { reading, working, writing, lingering, closed };

  void wait();
  void hold(Index bytes);
  void readable();
  bool receive();
  void advance();
  void expect_body();
  void hand_over();
  void send(HttpResponse response, ResponseForm form);
  void send_own(HttpResponse response, ResponseForm form);
  void sent();
  void linger();
  void time_out();
  void ask_whether_gone();
  bool send_now(std::string_view bytes);
  void guarded(void (Connection::*act)());

  ConnectionManager& manager_;
  boost::asio::ip::tcp::socket socket_;
  Peer peer_;
  At at_ = At::reading;
  RequestReader reader_;
  std::string inbox_{};
  ResponseBytes response_{};
  std::shared_ptr<CancelToken> cancel_{};
  HttpRequest in_flight_{};                 // without its body
  Clock::time_point deadline_{}, since_{};  // since_: of the wait or the work at hand
  std::uint64_t ticket_ = 0;
  Index discarded_ = 0, answered_ = 0, held_ = 0;
  bool waits_ = false, ended_ = false, asked_ = false, close_after_ = false;
};

}  // namespace regard
