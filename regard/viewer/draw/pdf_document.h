#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// The objects of a PDF file (ISO 32000-1), numbered from 1, and the file that they make.
class PdfDocument {
 public:
  /// "3 0 R": how others name an object.
  static std::string reference(int number);

  int reserve();  ///< the number of an object that others may name before it is put
  void put(int number, std::string body);
  int add(std::string body);  ///< both
  /// A compressed stream; `entries` are further ones of its dictionary.
  int add_stream(std::string_view content, std::string_view entries = "");

  /// The file. REQUIRES every reserved object was put.
  std::string bytes(int catalogue, int info) const;

 private:
  std::vector<std::string> objects_;
};

/// A text as a PDF string: UTF-16 in hexadecimal. REQUIRES valid UTF-8.
std::string pdf_text(std::string_view text);

/// The UTF-16 of a letter in hexadecimal, without brackets.
std::string utf16_hex(char32_t letter);

/// A number as PDF writes it, to three decimals.
std::string pdf_number(double value);

}  // namespace regard
