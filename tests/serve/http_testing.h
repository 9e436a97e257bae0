#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "regard/serve/http/server.h"

namespace regard::testing {

using Moment = std::chrono::steady_clock::time_point;

inline double seconds_since(Moment start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Waits until it holds, at most so long; whether it does.
inline bool soon(const std::function<bool()>& holds, double seconds = 30) {
  const Moment start = std::chrono::steady_clock::now();
  while (!holds() && seconds_since(start) < seconds) sleep_seconds(0.005);
  return holds();
}

/// A server on a free port of the loopback address, at work until the end of the scope.
class LocalServer {
 public:
  explicit LocalServer(Handler handler, HttpSpec spec = {}, OwnResponse own_response = {})
      : server_(on_free_port(std::move(spec)), std::move(handler), std::move(own_response)),
        thread_([this] { server_.run(); }) {}
  ~LocalServer() {
    server_.stop_now();
    join();
  }

  HttpServer& operator*() { return server_; }
  HttpServer* operator->() { return &server_; }
  int port() const { return static_cast<int>(server_.port()); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  static HttpSpec on_free_port(HttpSpec spec) {
    spec.port = 0;
    return spec;
  }

  HttpServer server_;
  std::thread thread_;
};

/// An answer as its bytes say.
struct Reply {
  int status = 0;  ///< 0: the connection ended or was reset without one
  std::string head{}, body{};

  bool says_close() const { return head.find("\r\nConnection: close\r\n") != head.npos; }
};

/// A TCP client that sends what it is told, well-formed or not.
class Client {
 public:
  explicit Client(int port, const char* from = nullptr)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (from) {
      const sockaddr_in source = address(from, 0);
      if (bind(socket_, reinterpret_cast<const sockaddr*>(&source), sizeof source) != 0)
        throw std::runtime_error("no bind");
    }
    const sockaddr_in target = address("127.0.0.1", port);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&target), sizeof target) != 0)
      throw std::runtime_error("no connection");
  }
  ~Client() { close(); }
  Client(Client&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Whether all was taken: false once the server has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  void end() { shutdown(socket_, SHUT_WR); }
  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void reset() {
    const linger now{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }
  int descriptor() const { return socket_; }

  /// More bytes in the buffer; false at the end, at a reset, or where nothing comes in time.
  bool receive(double seconds = 30) {
    pollfd waits{socket_, POLLIN, 0};
    if (poll(&waits, 1, static_cast<int>(seconds * 1000)) <= 0) return false;
    char piece[16384];
    const ssize_t count = recv(socket_, piece, sizeof piece, 0);
    was_reset_ = count < 0;
    if (count > 0) buffer_.append(piece, static_cast<std::size_t>(count));
    return count > 0;
  }

  /// The next answer; `bodiless` where its body is left out (HEAD).
  Reply reply(bool bodiless = false, double seconds = 30) {
    Reply result;
    std::size_t end;
    while ((end = buffer_.find("\r\n\r\n")) == buffer_.npos)
      if (!receive(seconds)) return {};
    result.head = buffer_.substr(0, end + 4);
    buffer_.erase(0, end + 4);
    result.status = std::stoi(result.head.substr(9, 3));
    const std::size_t at = result.head.find("\r\nContent-Length: ");
    const std::size_t length =
        at == result.head.npos || bodiless ? 0 : std::stoul(result.head.substr(at + 18));
    while (buffer_.size() < length)
      if (!receive(seconds)) return {};
    result.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    return result;
  }

  /// The next answer that is not interim.
  Reply final_reply() {
    Reply result = reply();
    return result.status == 100 ? reply() : result;
  }

  /// Whether the server ends the connection, without a reset and without further bytes.
  bool ends(double seconds = 30) {
    const bool more = receive(seconds);
    pollfd now{socket_, POLLIN, 0};
    return !more && !was_reset_ && buffer_.empty() && poll(&now, 1, 0) == 1;
  }

 private:
  static sockaddr_in address(const char* host, int port) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, host, &result.sin_addr);
    return result;
  }

  int socket_;
  std::string buffer_{};
  bool was_reset_ = false;
};

/// Sends the bytes on a connection of their own; the first answer.
inline Reply ask(int port, std::string_view bytes) {
  Client client(port);
  client.send(bytes);
  return client.reply();
}

/// Answers at once with what it was asked: "METHOD path?query|body".
inline void echo(HttpRequest request, const std::shared_ptr<CancelToken>&, const Respond& respond) {
  respond({.body = request.method + " " + request.path + "?" + request.query + "|" + request.body,
           .type = "text/plain"});
}

inline std::string get_bytes(std::string_view path) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
}

inline std::string post_bytes(std::string_view body, std::string_view headers = "") {
  return fmt::format("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{}\r\n{}",
                     body.size(), headers, body);
}

}  // namespace regard::testing
