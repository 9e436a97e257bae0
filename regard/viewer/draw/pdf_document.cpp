#include "regard/viewer/draw/pdf_document.h"

#include <fmt/format.h>
#include <zlib.h>

#include <utility>

#include "regard/base/check.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

std::string compressed(std::string_view content) {
  uLongf size = compressBound(static_cast<uLong>(content.size()));
  std::string packed(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(content.data()),
                               static_cast<uLong>(content.size()), Z_BEST_COMPRESSION);
  if (result != Z_OK)
    fail(Fault::device, "picture: cannot compress the PDF");  // room is all it needs
  packed.resize(size);
  return packed;
}

}  // namespace

std::string PdfDocument::reference(int number) {
  return fmt::format("{} 0 R", number);
}

int PdfDocument::reserve() {
  objects_.emplace_back();
  return static_cast<int>(objects_.size());
}

void PdfDocument::put(int number, std::string body) {
  objects_[static_cast<std::size_t>(number - 1)] = std::move(body);
}

int PdfDocument::add(std::string body) {
  const int number = reserve();
  put(number, std::move(body));
  return number;
}

int PdfDocument::add_stream(std::string_view content, std::string_view entries) {
  const std::string packed = compressed(content);
  return add(fmt::format("<< /Length {} /Filter /FlateDecode{}{} >>\nstream\n{}\nendstream",
                         packed.size(), entries.empty() ? "" : " ", entries, packed));
}

std::string PdfDocument::bytes(int catalogue, int info) const {
  // The second line says to those who copy the file that it is not text.
  std::string file = "%PDF-1.5\n%\xE2\xE3\xCF\xD3\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects_.size() + 1);
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n", i + 1);
    file.append(objects_[i]).append("\nendobj\n");
  }
  const std::size_t start = file.size();
  return file.append(table).append(
      fmt::format("trailer\n<< /Size {} /Root {} /Info {} >>\nstartxref\n{}\n%%EOF\n",
                  objects_.size() + 1, reference(catalogue), reference(info), start));
}

std::string utf16_hex(char32_t letter) {
  const auto point = static_cast<std::uint32_t>(letter);
  if (point < 0x10000) return fmt::format("{:04X}", point);
  return fmt::format("{:04X}{:04X}", 0xD800 + ((point - 0x10000) >> 10),
                     0xDC00 + ((point - 0x10000) & 0x3FF));
}

std::string pdf_text(std::string_view text) {
  std::string digits = "<FEFF";
  for (const char32_t letter : code_points(text)) digits += utf16_hex(letter);
  return digits + ">";
}

std::string pdf_number(double value) {
  std::string text = fmt::format("{:.3f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace regard
