#include "regard/serve/http/server.h"

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/serve/http/connection_manager.h"

namespace regard {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds kPauseWithoutDescriptors{100};

std::string remedy(const error_code& error) {
  if (error == asio::error::address_in_use)
    return "another program listens there; choose another port, or any free one with --port 0";
  if (error == asio::error::access_denied)
    return "ports below 1024 are for the system; choose a higher one with --port";
  if (error.value() == EADDRNOTAVAIL)
    return "this machine does not have that address; use 127.0.0.1 for this machine only, 0.0.0.0 "
           "for all of its addresses";
  return "choose another address or port with --host and --port";
}

asio::ip::address address_of(std::string host) {
  if (host == "localhost") return asio::ip::address_v4::loopback();
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (error)
    fail(Fault::io, "cannot listen at '", host, "': not an IP address; use 127.0.0.1, ::1, or ",
         "0.0.0.0 for all addresses of this machine");
  return address;
}

}  // namespace

struct HttpServer::State {
  State(HttpSpec spec, Handler handler, OwnResponse own_response)
      : manager(std::make_shared<ConnectionManager>(std::move(spec), std::move(handler),
                                                    std::move(own_response))) {}

  void listen();
  void accept();
  void accepted(error_code error, tcp::socket socket, const tcp::endpoint& from);

  std::shared_ptr<ConnectionManager> manager;
  tcp::acceptor acceptor{manager->io};
  asio::steady_timer pause{manager->io};
  Index port = 0;
  bool short_of_descriptors = false;
};

void HttpServer::State::listen() {
  const HttpSpec& spec = manager->spec;
  const tcp::endpoint endpoint(address_of(spec.host), static_cast<std::uint16_t>(spec.port));
  error_code error;
  const auto holds = [&](const auto& step) {
    if (!error) step();
  };
  acceptor.open(endpoint.protocol(), error);
  holds([&] { acceptor.set_option(tcp::acceptor::reuse_address(true), error); });
  if (endpoint.address().is_v6())
    holds([&] { acceptor.set_option(asio::ip::v6_only(false), error); });
  holds([&] { acceptor.bind(endpoint, error); });
  holds([&] { acceptor.listen(tcp::acceptor::max_listen_connections, error); });
  if (error)
    fail(Fault::io, "cannot listen at ", spec.host, " port ", spec.port, ": ", error.message(),
         "; ", remedy(error));
  port = acceptor.local_endpoint().port();
}

void HttpServer::State::accept() {
  if (!acceptor.is_open()) return;
  auto from = std::make_shared<tcp::endpoint>();
  acceptor.async_accept(*from, [this, from](error_code error, tcp::socket socket) {
    accepted(error, std::move(socket), *from);
  });
}

void HttpServer::State::accepted(error_code error, tcp::socket socket, const tcp::endpoint& from) {
  if (!acceptor.is_open()) return;
  if (!error) {
    short_of_descriptors = false;
    try {
      manager->enter(std::move(socket), from.address());
    } catch (const std::exception& reason) {
      warn("a connection is not taken: ", quoted(reason.what()));
    }
    return accept();
  }
  const bool short_now = error == asio::error::no_descriptors || error.value() == ENFILE ||
                         error == asio::error::no_buffer_space || error == asio::error::no_memory;
  if (!short_now) return accept();  // a client that left before it was let in
  // The client stays in the kernel's queue: asking again at once would only spin.
  if (!std::exchange(short_of_descriptors, true))
    warn("no connection can be taken for now: ", error.message(), "; raise the limit (ulimit -n)");
  pause.expires_after(kPauseWithoutDescriptors);
  pause.async_wait([this](error_code stopped) {
    if (!stopped) accept();
  });
}

HttpServer::HttpServer(HttpSpec spec, Handler handler, OwnResponse own_response)
    : state_(
          std::make_unique<State>(std::move(spec), std::move(handler), std::move(own_response))) {
  state_->listen();
}

HttpServer::~HttpServer() {
  ConnectionManager& manager = *state_->manager;
  manager.on_empty = nullptr;
  manager.cut();
  manager.handler = nullptr;  // an answer still to come keeps the manager, not what these hold
  manager.own_response = nullptr;
}

Index HttpServer::port() const {
  return state_->port;
}

void HttpServer::run() {
  ConnectionManager& manager = *state_->manager;
  manager.on_empty = [&manager] { manager.io.stop(); };
  state_->accept();
  manager.io.run();
}

void HttpServer::stop() {
  asio::post(state_->manager->io, [state = state_.get()] {
    error_code ignored;
    state->acceptor.close(ignored);
    state->pause.cancel();
    state->manager->drain();
  });
}

void HttpServer::stop_now() {
  asio::post(state_->manager->io, [state = state_.get()] {
    error_code ignored;
    state->acceptor.close(ignored);
    state->manager->cut();
  });
}

}  // namespace regard
