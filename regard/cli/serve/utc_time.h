#pragma once

#include <string>

namespace regard {

/// The time now as RFC 3339 writes it, in UTC: 2026-01-31T23:59:59.123Z.
std::string utc_time();

}  // namespace regard
