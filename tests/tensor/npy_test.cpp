#include "regard/tensor/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <regex>

#include "regard/base/check.h"
#include "tests/support/law.h"

namespace regard {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& elements) {
  std::string bytes(elements.size() * sizeof(T), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

/// A .npy file, padded as NumPy pads it.
std::string npy(const std::string& header, const std::string& elements, int version = 1) {
  const std::size_t width = version == 1 ? 2 : 4;
  std::string text = header;
  while ((6 + 2 + width + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string length;
  for (std::size_t i = 0; i < width; ++i) length += static_cast<char>(text.size() >> (8 * i) & 255);
  return "\x93NUMPY" + std::string{static_cast<char>(version), '\0'} + length + text + elements;
}

std::string header(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

template <class T>
void expect_read(const std::string& descr, Dtype dtype) {
  const std::vector<T> numbers{static_cast<T>(1), static_cast<T>(-2), static_cast<T>(3),
                               static_cast<T>(4), static_cast<T>(-5), static_cast<T>(6)};
  for (const int version : {1, 2, 3}) {
    const Tensor x =
        parse_npy(npy(header(descr, "False", "(2, 3)"), bytes_of(numbers), version), "x");
    EXPECT_EQ(x.shape(), (Shape{2, 3}));
    EXPECT_EQ(x.dtype(), dtype);
    EXPECT_EQ(x.values(), (std::vector<double>{1, -2, 3, 4, -5, 6}));
    const Tensor y =
        parse_npy(npy(header(descr, "True", "(2, 3)"), bytes_of(numbers), version), "x");
    EXPECT_EQ(y.values(), (std::vector<double>{1, 3, -5, -2, 4, 6}));
  }
}

TEST(Npy, ReadsEveryTypeVersionAndOrder) {
  expect_read<f32>("<f4", Dtype::f32);
  expect_read<f64>("<f8", Dtype::f64);
  expect_read<std::int32_t>("<i4", Dtype::f64);
  expect_read<std::int64_t>("<i8", Dtype::f64);
  EXPECT_EQ(parse_npy(npy(header("|b1", "False", "(3,)"), std::string("\1\0\1", 3)), "x").values(),
            (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(parse_npy(npy(header("<f8", "False", "()"), bytes_of<f64>({7})), "x").item(), 7);
  EXPECT_EQ(parse_npy(npy(header("<f8", "False", "(0, 4)"), ""), "x").shape(), (Shape{0, 4}));
}

TEST(Npy, FortranOrderIsTheSameTensorRunTheOtherWay) {
  testing::law("element (i, j, k) is where Fortran puts it", 50, [](testing::Draw& draw) {
    const Index a = draw.integer(1, 4), b = draw.integer(1, 4), c = draw.integer(1, 4);
    std::vector<double> c_order, fortran(static_cast<std::size_t>(a * b * c));
    for (Index i = 0; i < a; ++i)
      for (Index j = 0; j < b; ++j)
        for (Index k = 0; k < c; ++k) {
          c_order.push_back(static_cast<double>(c_order.size()));
          fortran[static_cast<std::size_t>(i + a * (j + b * k))] = c_order.back();
        }
    const std::string shape =
        "(" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + ")";
    EXPECT_EQ(parse_npy(npy(header("<f8", "True", shape), bytes_of(fortran)), "x").values(),
              c_order);
  });
}

TEST(Npy, RefusesWhatItCannotTrust) {
  const std::string eight(64, '\0');
  const std::vector<std::pair<std::string, std::string>> bad{
      {"", "not a .npy"},
      {"PK\x03\x04", "not a .npy"},
      {"\x93NUMPY", "truncated"},
      {npy(header("<f8", "False", "(8,)"), eight, 4), "format 4"},
      {npy(header("<f8", "False", "(9,)"), eight), "truncated: its shape takes 72 bytes, but 64"},
      {npy(header("<f8", "False", "(7,)"), eight), "too long"},
      {npy(header("<f8", "False", "(4611686018427387904, 4)"), eight), "2\\^64"},
      {npy(header("<f8", "False", "(9223372036854775807, 0, 9223372036854775807)"), ""),
       "truncated|too many"},
      {npy(header("<f8", "False", "(99999999999999999999,)"), eight), "whole numbers"},
      {npy(header("<f8", "False", "(-8,)"), eight), "whole numbers"},
      {npy(header("<f8", "False", "(2.0,)"), eight), "lacks"},
      {npy(header("<f8", "False", "(1,1,1,1,1,1,1,1,8)"), eight), "9 axes"},
      {npy(header(">f8", "False", "(8,)"), eight), "element type '>f8'.*astype"},
      {npy(header("<c16", "False", "(4,)"), eight), "element type"},
      {npy(header("|O", "False", "(8,)"), eight), "element type"},
      {npy(header("<f8", "None", "(8,)"), eight), "neither True nor False"},
      {npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (8,)}", eight), "records"},
      {npy("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (8,)}", eight),
       "twice"},
      {npy("{'descr': '<f8', 'fortran_order': False}", eight), "needs descr"},
      {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (8,), 'x': 1}", eight), "unknown"},
      {npy(header("<f8", "False", "(8,)") + " + 1", eight), "goes on"},
  };
  for (const auto& [bytes, message] : bad) {
    try {
      parse_npy(bytes, "bad.npy");
      ADD_FAILURE() << "accepted, expected: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_TRUE(std::string(error.what()).starts_with("bad.npy: "));
      EXPECT_TRUE(std::regex_search(error.what(), std::regex(message))) << error.what();
    }
  }
}

TEST(Npy, SurvivesEveryTruncationAndEveryFlippedByte) {
  const std::string whole = npy(header("<f4", "False", "(2, 3)"), std::string(24, '\1'));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(parse_npy(whole.substr(0, length), "x"), Error) << length;
  for (std::size_t at = 0; at < whole.size() - 24; ++at)
    for (int value = 0; value < 256; ++value) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(value);
      try {
        EXPECT_EQ(parse_npy(flipped, "x").count() % 6, 0);
      } catch (const Error& error) {
        EXPECT_EQ(error.fault, Fault::input) << error.what();
      }
    }
}

}  // namespace
}  // namespace regard
