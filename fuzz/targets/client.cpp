#include "regard/serve/guard/client.h"

#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// Four lines: peer, proxies, X-Forwarded-For, Host. A site is the site of itself.
void try_client(std::string_view bytes) {
  std::string lines[4];
  for (std::string& line : lines) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  const HttpRequest request{.headers = {{"X-Forwarded-For", lines[2]}, {"Host", lines[3]}},
                            .peer = lines[0]};
  const std::string client = client_address(request, lines[1]);
  law(client_address({.peer = client}, "") == client, "the client ", client, " is another");
  const std::string site = site_of(client);
  law(site_of(site) == site, "the site of ", site, " is another");
  for (const char* listening : {"127.0.0.1", "::1", "0.0.0.0"}) host_allowed(request, listening);
  is_loopback(lines[3]);
}

}  // namespace

extern const FuzzTarget client{.name = "client",
                               .about = "where a request comes from",
                               .max_bytes = 192,
                               .attempt = try_client};

}  // namespace regard::targets
