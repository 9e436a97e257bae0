#pragma once

#include <string>

namespace regard {

/// Asks the desktop to show an address; a warning if it cannot.
void open_page(const std::string& url);

}  // namespace regard
