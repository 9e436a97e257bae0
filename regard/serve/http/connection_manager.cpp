#include "regard/serve/http/connection_manager.h"

#include <boost/asio/buffer.hpp>
#include <utility>

#include "regard/serve/http/connection.h"

namespace regard {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::milliseconds kSweepEvery{50};
constexpr std::size_t kSiteBytes = 8;  // of an IPv6 address: what one customer is given

asio::ip::address plain(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  return address;
}

/// What counts as one client: an IPv4 address, or the 64-bit net of an IPv6 one.
std::string site_of(const asio::ip::address& address) {
  if (address.is_v4()) return address.to_string();
  const auto bytes = address.to_v6().to_bytes();
  return {bytes.begin(), bytes.begin() + kSiteBytes};
}

}  // namespace

ConnectionManager::ConnectionManager(HttpSpec spec, Handler handler, OwnResponse own_response)
    : spec(std::move(spec)), handler(std::move(handler)), own_response(std::move(own_response)) {}

ConnectionManager::~ConnectionManager() = default;

void ConnectionManager::enter(asio::ip::tcp::socket socket, const asio::ip::address& address) {
  const asio::ip::address from = plain(address);
  std::string site = site_of(from);
  if (!has_room(site)) {
    error_code ignored;
    HttpResponse response = refusal_response({503, "too many connections"});
    if (own_response) own_response({.peer = from.to_string()}, 0, response);
    const ResponseBytes answer = response_bytes(std::move(response), {.close = true});
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(answer.head + answer.body), ignored);
    return;
  }
  ++of_site_[site];
  auto connection = std::make_shared<Connection>(
      *this, std::move(socket), Connection::Peer{from.to_string(), std::move(site)});
  connection->place = connections_.size();
  connections_.push_back(connection);
  connection->start();
  sweep_later();
}

bool ConnectionManager::has_room(const std::string& site) {
  const auto count = of_site_.find(site);
  if (count != of_site_.end() && count->second >= spec.connections_of_one && !make_room(&site))
    return false;
  return static_cast<Index>(connections_.size()) < spec.connections || make_room(nullptr);
}

bool ConnectionManager::make_room(const std::string* site) {
  std::shared_ptr<Connection> oldest;
  for (const auto& connection : connections_) {
    const auto since = connection->waiting_since();
    if (since && (!site || connection->site() == *site) &&
        (!oldest || *since < *oldest->waiting_since()))
      oldest = connection;
  }
  if (oldest) oldest->close();
  return oldest != nullptr;
}

void ConnectionManager::leave(Connection& connection) {
  const auto count = of_site_.find(connection.site());
  if (--count->second == 0) of_site_.erase(count);
  const std::size_t place = connection.place;
  connections_.back()->place = place;
  std::swap(connections_[place], connections_.back());
  connections_.pop_back();  // may end `connection`
  if (draining_ && connections_.empty() && on_empty) on_empty();
}

void ConnectionManager::drain() {
  if (draining_) return;
  draining_ = true;
  grace_end_ = Connection::Clock::now() + std::chrono::duration_cast<Connection::Clock::duration>(
                                              std::chrono::duration<double>(spec.grace_seconds));
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const std::shared_ptr<Connection> connection = connections_[i];
    connection->drain();
  }
  if (connections_.empty() && on_empty) on_empty();
}

void ConnectionManager::cut() {
  draining_ = true;
  while (!connections_.empty()) {
    const std::shared_ptr<Connection> connection = connections_.back();
    connection->close();
  }
  if (on_empty) on_empty();
}

void ConnectionManager::sweep_later() {
  if (sweeping_) return;
  sweeping_ = true;
  sweep_timer_.expires_after(kSweepEvery);
  sweep_timer_.async_wait([this](error_code error) {
    sweeping_ = false;
    if (!error) sweep();
  });
}

void ConnectionManager::sweep() {
  const auto now = Connection::Clock::now();
  if (draining_ && now >= grace_end_) return cut();
  // From the back: one that leaves puts the last, already seen, in its place.
  for (std::size_t i = connections_.size(); i-- > 0;) {
    const std::shared_ptr<Connection> connection = connections_[i];
    connection->tick(now);
  }
  if (!connections_.empty()) sweep_later();
}

}  // namespace regard
