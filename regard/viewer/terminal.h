#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "regard/viewer/colour.h"

namespace regard {

enum class TerminalColour {
  none,     ///< no escape sequences at all
  indexed,  ///< 256 colours
  full,     ///< 24 bits
};

/// What a terminal can show. Without unicode, everything drawn is plain ASCII, labels too.
struct Terminal {
  TerminalColour colour = TerminalColour::none;
  int width = 80;
  bool unicode = false;
};

/// What is known of the terminal behind a file descriptor. Colour: none unless it is a terminal,
/// TERM is not "dumb" and NO_COLOR is unset or empty; full where COLORTERM says truecolor or 24bit.
/// Width: COLUMNS, else what the terminal reports, else 80. Unicode: where the locale's encoding is
/// UTF-8.
Terminal terminal_of(int file_descriptor);

/// May text that goes to a pipe or file be UTF-8? Unless the locale names another encoding, as
/// fr_FR.ISO-8859-1 does. C and POSIX name none.
bool pipes_utf8();

/// Text in colours, as far as the terminal has them, and back to normal after it.
std::string painted(const Terminal& terminal, std::string_view text,
                    std::optional<Colour> foreground, std::optional<Colour> background = {});

enum class Side { left, right };

/// A label in exactly `width` columns: made visible (in ASCII where need be), shortened in the
/// middle, and set to one side. Empty for width <= 0.
std::string fitted(const Terminal& terminal, std::string_view label, int width,
                   Side side = Side::left);

/// The label as the terminal shows it, neither cut nor filled.
std::string shown(const Terminal& terminal, std::string_view label);

}  // namespace regard
