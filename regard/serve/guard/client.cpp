#include "regard/serve/guard/client.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <optional>

namespace regard {
namespace {

constexpr std::size_t kMaxHops = 32;

/// An address in its one spelling, without brackets or port; none if it is none.
std::optional<std::string> address(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  text = without_blanks(text);
  if (text.size() > kLongest) return {};
  if (text.starts_with('[')) {
    text = text.substr(1, std::min(text.find(']'), text.size()) - 1);
  } else if (std::ranges::count(text, ':') == 1) {
    text = text.substr(0, text.find(':'));
  }
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(std::string(text), error);
  if (error) return {};
  if (parsed.is_v6() && parsed.to_v6().is_v4_mapped())
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, parsed.to_v6()).to_string();
  return parsed.to_string();
}

bool is_listed(std::string_view list, const std::string& wanted) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (address(list.substr(0, end)) == wanted) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool is_named(std::string_view list, std::string_view host) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (same_word(without_blanks(list.substr(0, end)), host)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

std::string client_address(const HttpRequest& request, std::string_view proxies) {
  std::string client = address(request.peer).value_or(request.peer);
  std::string all;  // a proxy may add a line of its own below what a client made up
  for (const auto& [name, value] : request.headers)
    if (same_word(name, "X-Forwarded-For")) all += (all.empty() ? "" : ",") + value;
  std::string_view hops = all;
  for (std::size_t n = 0; n < kMaxHops && !hops.empty() && is_listed(proxies, client); ++n) {
    const std::size_t comma = hops.rfind(',');
    const std::string_view last = comma == hops.npos ? hops : hops.substr(comma + 1);
    hops = comma == hops.npos ? std::string_view() : hops.substr(0, comma);
    const std::optional<std::string> hop = address(last);
    if (!hop) break;
    client = *hop;
  }
  return client;
}

bool is_loopback(std::string_view host) {
  if (same_word(host, "localhost")) return true;
  const std::optional<std::string> known = address(host);
  return known && boost::asio::ip::make_address(*known).is_loopback();
}

std::string site_of(const std::string& client) {
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(client, error);
  if (error || parsed.is_v4()) return client;
  constexpr std::size_t kSiteBytes = 8;
  auto bytes = parsed.to_v6().to_bytes();
  std::fill(bytes.begin() + kSiteBytes, bytes.end(), 0);
  return boost::asio::ip::address_v6(bytes).to_string();
}

bool host_allowed(const HttpRequest& request, std::string_view listening,
                  std::string_view allowed) {
  if (!is_loopback(listening)) return true;
  std::string_view host = request.header("Host");
  if (host.starts_with('['))
    host = host.substr(1, std::min(host.find(']'), host.size()) - 1);
  else
    host = host.substr(0, host.find(':'));
  return host.empty() || is_loopback(host) || is_named(allowed, host);
}

}  // namespace regard
