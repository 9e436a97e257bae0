#pragma once

#include <clocale>
#include <locale>
#include <string>

namespace regard::testing {

/// 1.234,5
struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// While it lives, numbers are written that way: by streams, and by C's functions too where the
/// system has a locale of that kind.
class CommaLocale {
 public:
  CommaLocale()
      : numbers_(std::setlocale(LC_NUMERIC, nullptr)),
        streams_(std::locale::global(std::locale(std::locale(), new Comma))) {
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  }
  ~CommaLocale() {
    std::locale::global(streams_);
    std::setlocale(LC_NUMERIC, numbers_.c_str());
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

 private:
  const std::string numbers_;
  const std::locale streams_;
};

}  // namespace regard::testing
