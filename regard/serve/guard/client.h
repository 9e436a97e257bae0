#pragma once

#include <string>
#include <string_view>

#include "regard/serve/http/message.h"

namespace regard {

/// The address a request comes from: the peer, or, if the peer is one of the proxies (addresses
/// by commas), the last of X-Forwarded-For that is none of them. What is no address is not
/// believed.
std::string client_address(const HttpRequest& request, std::string_view proxies);

/// Whether a request that came to `listening` names a host that can only be this one. On a loopback
/// address a page of another name, led here by its DNS, must not be answered, unless it is one of
/// `allowed` (names by commas); elsewhere any is.
bool host_allowed(const HttpRequest& request, std::string_view listening,
                  std::string_view allowed = {});

bool is_loopback(std::string_view host);

/// What counts as one client: an IPv4 address, or the 64-bit net of an IPv6 one, which is what one
/// customer is given.
std::string site_of(const std::string& client);

}  // namespace regard
