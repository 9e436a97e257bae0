#include "regard/tensor/npy.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "regard/base/check.h"

static_assert(std::endian::native == std::endian::little);

namespace regard {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<Index>> shape;
};

/// Reads the one Python literal that stands in a header:
/// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  Header read() {
    Header header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr")
        set(header.descr, key, descr());
      else if (key == "fortran_order")
        set(header.fortran_order, key, boolean());
      else if (key == "shape")
        set(header.shape, key, sizes());
      else
        blame("has an unknown entry '" + key + "'");
      if (!accept(',') && peek() != '}') blame("lacks a ',' or '}'");
    }
    if (peek() != '\0') blame("goes on after its '}'");
    if (!header.descr || !header.fortran_order || !header.shape)
      blame("needs descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void blame(const std::string& what) const {
    fail(Fault::input, name_, ": damaged .npy file: its header ", what);
  }

  template <class T>
  void set(std::optional<T>& entry, const std::string& key, T value) const {
    if (entry) blame("holds '" + key + "' twice");
    entry = std::move(value);
  }

  char peek() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t'))
      rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool accept(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) blame(std::string("lacks a '") + c + "'");
  }

  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') blame("lacks a quoted name");
    const std::size_t end = rest_.find(quote, 1);
    if (end == rest_.npos) blame("has a name without an end");
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }
  std::string descr() {
    if (peek() == '[') fail(Fault::input, name_, ": holds records, expected plain numbers");
    return quoted();
  }
  bool boolean() {
    peek();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    blame("has a fortran_order that is neither True nor False");
  }
  std::vector<Index> sizes() {
    std::vector<Index> sizes;
    expect('(');
    while (!accept(')')) {
      peek();
      Index size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc() || size < 0) blame("has a shape that is not of whole numbers");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      sizes.push_back(size);
      if (!accept(',') && peek() != ')') blame("lacks a ',' or ')' in its shape");
    }
    return sizes;
  }

  std::string_view rest_;
  const std::string& name_;
};

/// Little-endian, of 2 or 4 bytes.
std::size_t header_length(std::string_view bytes, std::size_t width) {
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

/// Cuts `bytes` into the header's text, which is returned, and the elements, which stay.
std::string_view take_header(std::string_view& bytes, const std::string& name) {
  if (!is_npy(bytes))
    fail(Fault::input, name, ": not a .npy file: its first bytes are not NumPy's");
  bytes.remove_prefix(kMagic.size());
  const int version = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  const std::size_t width = version == 1 ? 2 : 4;
  if (bytes.size() < 2 + width) fail(Fault::input, name, ": truncated in its .npy header");
  if (version < 1 || version > 3)
    fail(Fault::input, name, ": .npy format ", version, ", expected 1, 2 or 3");
  bytes.remove_prefix(2);
  const std::size_t length = header_length(bytes, width);
  bytes.remove_prefix(width);
  if (length > bytes.size())
    fail(Fault::input, name, ": truncated in its .npy header: ", length, " bytes declared, ",
         bytes.size(), " there");
  const std::string_view header = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return header;
}

std::size_t element_size(std::string_view descr, const std::string& name) {
  if (descr == "|b1") return 1;
  if (descr == "<f4" || descr == "<i4") return 4;
  if (descr == "<f8" || descr == "<i8") return 8;
  fail(Fault::input, name, ": element type '", descr,
       "', expected <f4, <f8, <i4, <i8 or |b1; convert with array.astype('<f8')");
}

/// The shape, once it is known that exactly its elements are in the file.
Shape checked_shape(const std::vector<Index>& sizes, std::size_t width, std::size_t bytes,
                    const std::string& name) {
  if (sizes.size() > Shape::kMaxRank)
    fail(Fault::input, name, ": has ", sizes.size(), " axes, expected at most ", Shape::kMaxRank);
  std::size_t expected = width;
  bool fits = true;
  for (const Index size : sizes)
    fits = !__builtin_mul_overflow(expected, static_cast<std::size_t>(size), &expected) && fits;
  if (!fits || expected != bytes)
    fail(Fault::input, name, ": ", !fits || expected > bytes ? "truncated" : "too long",
         ": its shape takes ", fits ? std::to_string(expected) : "more than 2^64", " bytes, but ",
         bytes, " follow the header");
  // Zero times anything fits any file, so the other axes still have to make sense together.
  Index product = 1;
  for (const Index size : sizes)
    if (size > 0 && __builtin_mul_overflow(product, size, &product))
      fail(Fault::input, name, ": its shape has too many elements");
  return Shape(std::span(sizes));
}

template <class From>
double element(const char* at) {
  From x;
  std::memcpy(&x, at, sizeof x);
  return static_cast<double>(x);
}

double element(std::string_view descr, const char* at) {
  switch (descr[1]) {
    case 'b':
      return *at != 0;
    case 'f':
      return descr[2] == '4' ? element<f32>(at) : element<f64>(at);
    default:
      return descr[2] == '4' ? element<std::int32_t>(at) : element<std::int64_t>(at);
  }
}

/// Where element i of C order stands in Fortran order, where the first axis runs fastest.
Index fortran_place(const Shape& shape, Index i) {
  Index place = 0, stride = shape.count();
  for (int axis = shape.rank(); axis-- > 0;) {
    stride /= shape[axis];
    place += i % shape[axis] * stride;
    i /= shape[axis];
  }
  return place;
}

}  // namespace

bool is_npy(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

Tensor parse_npy(std::string_view bytes, const std::string& name) {
  const Header header = HeaderReader(take_header(bytes, name), name).read();
  const std::size_t width = element_size(*header.descr, name);
  const Shape shape = checked_shape(*header.shape, width, bytes.size(), name);
  std::vector<double> values(static_cast<std::size_t>(shape.count()));
  for (Index i = 0; i < shape.count(); ++i) {
    const Index place = *header.fortran_order ? fortran_place(shape, i) : i;
    values[static_cast<std::size_t>(i)] =
        element(*header.descr, bytes.data() + static_cast<std::size_t>(place) * width);
  }
  return Tensor::of(shape, values, *header.descr == "<f4" ? Dtype::f32 : Dtype::f64);
}

}  // namespace regard
