#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// What can be shown of any bytes, as composed UTF-8 (NFC): broken bytes become U+FFFD, control
/// characters their pictures (a tab U+21E5, a line feed U+21B5, others U+2400 on), a space at
/// either end U+2423, and what changes the direction of its neighbours is dropped. The result moves
/// no cursor and breaks no XML.
std::string visible(std::string_view text);

/// The same in plain ASCII: accents are dropped, a control picture is ^J, and a letter without a
/// likeness is '?'. REQUIRES text came from visible().
std::string ascii(std::string_view text);

/// The text with & < > and " as XML and HTML write them.
std::string escaped(std::string_view text);

/// The code points of valid UTF-8.
std::vector<char32_t> code_points(std::string_view text);

/// Does the letter only join its neighbours or choose between their forms?
bool takes_no_room(char32_t letter);

/// Valid UTF-8 cut into characters as readers see them: a letter with its marks, an emoji with its
/// parts.
std::vector<std::string_view> characters(std::string_view text);

/// Terminal columns that valid UTF-8 takes: 0 for combining marks, 2 for wide letters and emoji.
int display_width(std::string_view text);

/// The text itself if it measures at most `room`, else its two ends around an ellipsis, cut
/// between whole characters as readers see them; empty if not even the ellipsis fits.
std::string shortened(std::string_view text, double room, std::string_view ellipsis,
                      const std::function<double(std::string_view)>& measure);

}  // namespace regard
