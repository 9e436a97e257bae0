#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "regard/serve/http/server.h"

namespace regard {

class Connection;

/// All connections of a server, and what they share. Lives on the thread that runs `io`; only
/// posting to `io` is for other threads too.
class ConnectionManager : public std::enable_shared_from_this<ConnectionManager> {
 public:
  ConnectionManager(HttpSpec spec, Handler handler, OwnResponse own_response);
  ~ConnectionManager();
  ConnectionManager(const ConnectionManager&) = delete;
  ConnectionManager& operator=(const ConnectionManager&) = delete;

  /// Takes a new connection, or tells it that there is no room. Where the room of its address or of
  /// the server is full, the connection goes that has kept a place longest without a request.
  void enter(boost::asio::ip::tcp::socket socket, const boost::asio::ip::address& address);
  void leave(Connection& connection);

  void
  drain();  ///< closes what is idle; `on_empty` is called when the rest is done or the grace over
  void cut();  ///< closes everything now

  bool draining() const { return draining_; }

  boost::asio::io_context io{1};
  const HttpSpec spec;
  Handler handler;
  OwnResponse own_response;
  std::function<void()> on_empty{};
  Index held = 0;  ///< bytes of bodies on their way in or out
  std::vector<char> scratch = std::vector<char>(64 << 10);  ///< one for all: reads never overlap

 private:
  bool has_room(const std::string& site);
  bool make_room(const std::string* site);
  void sweep_later();
  void sweep();

  std::vector<std::shared_ptr<Connection>> connections_{};
  std::unordered_map<std::string, Index> of_site_{};
  boost::asio::steady_timer sweep_timer_{io};
  bool sweeping_ = false, draining_ = false;
  std::chrono::steady_clock::time_point grace_end_{};
};

}  // namespace regard
