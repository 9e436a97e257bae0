// What is read is what was written.
#include "regard/tensor/safetensors.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "regard/base/file.h"
#include "tests/support/law.h"
#include "tests/tensor/safetensors_testing.h"

namespace regard::testing {
namespace {

namespace fs = std::filesystem;

/// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "regard-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

template <class T>
std::string file_with(const std::string& dtype, const std::vector<T>& elements,
                      const std::string& padding = "") {
  const std::string size = std::to_string(elements.size() * sizeof(T));
  const std::string header =
      header_of(
          entry_of("x", dtype, "[" + std::to_string(elements.size()) + "]", "[0," + size + "]")) +
      padding;
  return length_bytes(header.size()) + header +
         std::string(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
}

std::vector<double> read(const std::string& content, Dtype dtype) {
  const MemoryFile file(content);
  return SafetensorsFile(file.path()).read("x", dtype).values();
}

TEST(Safetensors, ConvertsEveryRealType) {  // covers MS14
  const std::vector<std::uint16_t> half{0x0000, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0400,
                                        0x0001, 0x83ff, 0x7c00, 0xfc00, 0x3555};
  const std::vector<double> halves{0,       -0.0,       1,        -2,        65504,     0x1p-14,
                                   0x1p-24, -0x3ffp-24, INFINITY, -INFINITY, 0x1.554p-2};
  const std::vector<std::uint16_t> brain{0x0000, 0x3f80, 0xc000, 0x7f80, 0x4049, 0x0001};
  const std::vector<double> brains{0, 1, -2, INFINITY, 3.140625, 0x1p-133};
  for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
    EXPECT_EQ(read(file_with("F16", half), dtype), halves);
    EXPECT_EQ(read(file_with("BF16", brain), dtype), brains);
    EXPECT_EQ(read(file_with<f32>("F32", {1.5f, -0.1f}), dtype),
              (std::vector<double>{1.5f, -0.1f}));
  }
  EXPECT_EQ(read(file_with<f64>("F64", {0.1, 1e300}), Dtype::f64),
            (std::vector<double>{0.1, 1e300}));
  EXPECT_EQ(read(file_with<f64>("F64", {0.1, 1e300}), Dtype::f32),
            (std::vector<double>{0.1f, INFINITY}));
  for (const std::uint16_t nan : {0x7e00, 0xfc01})
    EXPECT_TRUE(std::isnan(read(file_with<std::uint16_t>("F16", {nan}), Dtype::f32)[0]));
}

TEST(Safetensors, RefusesWholeNumbersAsWeights) {  // covers MS14
  const std::vector<std::pair<std::string, std::size_t>> kinds{{"I8", 1},  {"U8", 1},  {"BOOL", 1},
                                                               {"I16", 2}, {"U16", 2}, {"I32", 4},
                                                               {"U32", 4}, {"I64", 8}, {"U64", 8}};
  for (const auto& [dtype, width] : kinds) {
    const MemoryFile file(file_with(dtype, std::vector<char>(0)));
    const SafetensorsFile open(file.path());
    try {
      open.read("x");
      ADD_FAILURE() << dtype;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_NE(std::string(error.what()).find("tensor 'x' is " + dtype), std::string::npos);
    }
    EXPECT_EQ(safetensors_byte_size(dtype), width);
  }
  const MemoryFile whole(file_with<std::int32_t>("I32", {7, -8}));
  std::int32_t numbers[2];
  std::memcpy(numbers, SafetensorsFile(whole.path()).bytes("x").data(), sizeof numbers);
  EXPECT_EQ(numbers[0], 7);
  EXPECT_EQ(numbers[1], -8);
  EXPECT_EQ(SafetensorsFile(whole.path()).read("x", Dtype::i32).values(),
            (std::vector<double>{7, -8}));
  EXPECT_THROW(SafetensorsFile(whole.path()).read("x", Dtype::i8), Error);
}

TEST(Safetensors, ReadsFromAnyAddress) {  // covers MS15
  for (int spaces = 0; spaces < 9; ++spaces)
    EXPECT_EQ(read(file_with<f64>("F64", {1, 2, 3}, std::string(spaces, ' ')), Dtype::f64),
              (std::vector<double>{1, 2, 3}));
}

TEST(Safetensors, ReadsTensorsOfManyPieces) {
  std::vector<f32> elements(200'001);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<f32>(i);
  const MemoryFile file(file_with("F32", elements));
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    EXPECT_EQ(SafetensorsFile(file.path()).read("x", dtype).values(),
              std::vector<double>(elements.begin(), elements.end()));
}

TEST(Safetensors, GivesAllOfItselfInPieces) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{200'001}}) {
    const std::string content = file_with("F32", std::vector<f32>(count, 1.5f));
    const MemoryFile file(content);
    std::string all;
    SafetensorsFile(file.path()).each_piece([&](std::span<const std::byte> piece) {
      all.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    EXPECT_TRUE(all == content) << count;
  }
}

TEST(Safetensors, IsOnlyAnErrorWhenCutShortOrReplaced) {  // covers MS18
  const std::string content = file_with<f32>("F32", {1, 2, 3});
  MemoryFile file(content);
  const SafetensorsFile open(file.path());
  file.resize(content.size() - 4);
  EXPECT_THROW(open.read("x"), Error);
  EXPECT_THROW(open.bytes("x"), Error);
  EXPECT_THROW(open.each_piece([](auto) {}), Error);

  const Folder folder;
  write_file(folder / "x", content);
  const SafetensorsFile replaced(folder / "x");
  write_file(folder / "x", "another");
  EXPECT_EQ(replaced.read("x").values(), (std::vector<double>{1, 2, 3}));
}

TEST(Safetensors, SavesOntoTheFileThatIsOpen) {  // covers MS20
  const Folder folder;
  const std::string path = folder / "x.safetensors";
  write_safetensors(path, {{"x", Tensor::of({2}, {1, 2})}});
  const SafetensorsFile open(path);
  const Tensor old = open.read("x");
  write_safetensors(path, {{"x", old}, {"y", Tensor::of({1}, {5})}});
  EXPECT_EQ(open.read("x").values(), (std::vector<double>{1, 2}));
  EXPECT_EQ(SafetensorsFile(path).read("x").values(), (std::vector<double>{1, 2}));
  EXPECT_EQ(SafetensorsFile(path).read("y").values(), (std::vector<double>{5}));
}

TEST(Safetensors, RefusesWhatIsNotAFile) {  // covers MS21
  const Folder folder;
  fs::create_directory(folder / "folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  for (const std::string& path : {folder / "folder", folder / "pipe", folder / "socket",
                                  std::string("/dev/zero"), std::string("/dev/full")})
    expect_refused(path, "not a regular file");
  ::close(server);
  expect_refused(folder / "absent", "cannot open");
}

TEST(Safetensors, WritesTheSameBytesWhateverTheOrder) {
  const Tensor a = Tensor::of({2}, {1, 2}), b = Tensor::of({1}, {3}, Dtype::f64);
  const std::string content = safetensors_bytes({{"b", b}, {"a", a}});
  EXPECT_EQ(content, safetensors_bytes({{"a", a}, {"b", b}}));
  EXPECT_EQ(content.substr(8, 150 / 8 * 8 - 8)
                .find(R"({"b":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"a":)"),
            0u);
  EXPECT_EQ(content.size() % 8, 0u);
}

TEST(Safetensors, DoesNotWriteWhatCannotBeRead) {
  const Tensor x(Shape{2});
  EXPECT_THROW(safetensors_bytes({{"x", x}, {"x", x}}), Error);
  EXPECT_THROW(safetensors_bytes({{"__metadata__", x}}), Error);
  EXPECT_THROW(safetensors_bytes({{"\xff", x}}), Error);
  EXPECT_THROW(safetensors_bytes({{std::string("a\0b", 3), x}}), Error);
  EXPECT_THROW(SafetensorsItem("x", "I32", {2}, {}), Error);
}

/// A tensor of a random dtype and shape, its bytes, and a name that needs care.
struct Drawn {
  std::string name, dtype;
  Shape shape;
  std::vector<std::byte> bytes;
};

Drawn drawn_tensor(Draw& draw, int number) {
  const std::vector<std::string> dtypes{"F32", "F64", "F16", "BF16", "BOOL",
                                        "U8",  "I16", "I32", "I64"};
  const std::vector<std::string> pieces{"layer.", "\"", "\\", "é", "😀", "\n",
                                        "\x7f",   "{",  "}",  ",", " "};
  Drawn tensor;
  for (std::int64_t i = draw.integer(0, 5); i > 0; --i)
    tensor.name +=
        pieces[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(pieces.size()) - 1))];
  tensor.name += std::to_string(number);
  tensor.dtype =
      dtypes[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(dtypes.size()) - 1))];
  std::vector<Index> sizes;
  for (std::int64_t i = draw.integer(0, 3); i > 0; --i) sizes.push_back(draw.integer(0, 4));
  tensor.shape = Shape(std::span<const Index>(sizes));
  tensor.bytes.resize(static_cast<std::size_t>(tensor.shape.count()) *
                      safetensors_byte_size(tensor.dtype));
  for (std::byte& byte : tensor.bytes) byte = static_cast<std::byte>(draw.integer(0, 255));
  return tensor;
}

TEST(Safetensors, WriteOfReadIsTheFile) {  // property 38
  law("write(read(x)) = x", 300, [](Draw& draw) {
    std::vector<Drawn> tensors;
    for (std::int64_t i = draw.integer(0, 6); i > 0; --i)
      tensors.push_back(drawn_tensor(draw, static_cast<int>(i)));
    SafetensorsMetadata metadata;
    for (std::int64_t i = draw.integer(0, 2); i > 0; --i)
      metadata["k" + std::to_string(i)] = std::string("v\0\t\"", 4);
    std::vector<SafetensorsItem> items;
    for (const Drawn& t : tensors) items.emplace_back(t.name, t.dtype, t.shape, t.bytes);
    const std::string content = safetensors_bytes(items, metadata);

    const MemoryFile file(content);
    const SafetensorsFile open(file.path());
    EXPECT_EQ(open.metadata(), metadata);
    ASSERT_EQ(open.entries().size(), tensors.size());
    std::vector<std::vector<std::byte>> kept;
    for (const SafetensorsEntry& entry : open.entries()) kept.push_back(open.bytes(entry.name));
    std::vector<SafetensorsItem> again;
    for (std::size_t i = 0; i < kept.size(); ++i)
      again.emplace_back(open.entries()[i].name, open.entries()[i].dtype, open.entries()[i].shape,
                         kept[i]);
    EXPECT_EQ(safetensors_bytes(again, open.metadata()), content);
    for (const Drawn& t : tensors) {
      ASSERT_TRUE(open.find(t.name));
      EXPECT_EQ(open.find(t.name)->shape, t.shape);
      EXPECT_EQ(open.find(t.name)->dtype, t.dtype);
      EXPECT_EQ(open.bytes(t.name), t.bytes);
    }
    EXPECT_THROW(SafetensorsFile(MemoryFile(content + '\0').path()), Error);
  });
}

}  // namespace
}  // namespace regard::testing
