// A damaged file is refused or means something else, but never crashes the reader; and what is
// accepted is just what a second, slower reader accepts.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/law.h"
#include "tests/tensor/safetensors_testing.h"

namespace regard::testing {
namespace {

using Json = nlohmann::json;

std::string small_model() {
  const Tensor weight = Tensor::arange({3, 4}), bias = Tensor::arange({4}, Dtype::f64);
  const std::vector<std::byte> steps(4, std::byte{7});
  return safetensors_bytes({{"out.weight", weight},
                            {"out.bias", bias},
                            {"é\n", Tensor(Shape{2, 0})},
                            {"steps", "I32", {}, steps}},
                           {{"format", "regard"}});
}

/// The header as JSON, or null where it is not JSON or a key comes twice.
Json slow_json(const std::string& text) {
  if (text.find('\0') != std::string::npos) return {};
  bool twice = false;
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key)
      twice = !open.back().insert(parsed.get<std::string>()).second || twice;
    return true;
  };
  const Json json = Json::parse(text, watch, /*allow_exceptions=*/false);
  return twice || json.is_discarded() || !json.is_object() ? Json() : json;
}

bool whole_numbers(const Json& json, std::size_t most) {
  return json.is_array() && json.size() <= most && std::ranges::all_of(json, [](const Json& n) {
           return n.is_number_unsigned() && n.get<std::uint64_t>() < std::uint64_t{1} << 63;
         });
}

bool slow_entry(const Json& tensor) {
  static const std::map<std::string, int> kWidths{
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"U16", 2}, {"I16", 2}, {"F16", 2}, {"BF16", 2},
      {"U32", 4},  {"I32", 4}, {"F32", 4}, {"U64", 8}, {"I64", 8}, {"F64", 8}};
  if (!tensor.is_object() || tensor.size() != 3 || !tensor.contains("dtype") ||
      !tensor.contains("shape") || !tensor.contains("data_offsets"))
    return false;
  const Json &dtype = tensor["dtype"], &shape = tensor["shape"], &offsets = tensor["data_offsets"];
  if (!dtype.is_string() || !kWidths.contains(dtype.get<std::string>())) return false;
  if (!whole_numbers(shape, 8) || !whole_numbers(offsets, 2) || offsets.size() != 2) return false;
  long double bytes = kWidths.at(dtype.get<std::string>()), largest = 1;
  for (const Json& size : shape) {
    bytes *= size.get<long double>();
    largest *= std::max(size.get<long double>(), 1.0L);
  }
  if (largest > 0x1p56L) return false;
  return offsets[1].get<long double>() - offsets[0].get<long double>() == bytes;
}

/// Counts the owners of every single byte.
bool slow_layout(const Json& header, std::size_t data_size) {
  std::vector<int> owners(data_size);
  std::set<std::uint64_t> cuts{0, data_size};
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    const std::uint64_t begin = tensor["data_offsets"][0], end = tensor["data_offsets"][1];
    if (end > data_size) return false;
    for (std::uint64_t i = begin; i < end; ++i) ++owners[i];
    if (begin < end) cuts.insert(begin), cuts.insert(end);
  }
  for (const auto& [name, tensor] : header.items())
    if (name != "__metadata__" && !cuts.contains(tensor["data_offsets"][0])) return false;
  return std::ranges::all_of(owners, [](int count) { return count == 1; });
}

/// Would a reader that follows the format word by word, slowly, take this file?
bool slow_accepts(const std::string& content) {
  if (content.size() < 10) return false;
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(content[i]);
  if (length < 2 || length > content.size() - 8 || content[8] != '{') return false;
  const Json header = slow_json(content.substr(8, length));
  if (header.is_null()) return false;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") {
      if (!tensor.is_object()) return false;
      for (const auto& [key, value] : tensor.items())
        if (!value.is_string() || key.find('\0') != std::string::npos) return false;
    } else if (name.find('\0') != std::string::npos || !slow_entry(tensor)) {
      return false;
    }
  }
  return slow_layout(header, content.size() - 8 - length);
}

/// The file written anew from what was read of it; "" where it is refused.
std::string rewritten(const std::string& path) {
  try {
    const SafetensorsFile file(path);
    std::vector<std::vector<std::byte>> kept;
    std::vector<SafetensorsItem> items;
    for (const SafetensorsEntry& entry : file.entries()) kept.push_back(file.bytes(entry.name));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const SafetensorsEntry& entry = file.entries()[i];
      items.emplace_back(entry.name, entry.dtype, entry.shape, kept[i]);
    }
    return safetensors_bytes(items, file.metadata());
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input) << error.what();
    return "";
  }
}

/// Accepted as the slow reader says; and then writing it and reading that changes nothing more.
bool expect_law(MemoryFile& file, const std::string& content) {
  const std::string again = rewritten(file.path());
  const bool accepted = !again.empty();
  EXPECT_EQ(accepted, slow_accepts(content)) << content;
  if (accepted) {
    const MemoryFile second(again);
    EXPECT_EQ(rewritten(second.path()), again) << content;
  }
  return accepted;
}

TEST(SafetensorsDamage, EveryByteOfTheHeaderToEveryOther) {  // covers MS19
  const std::string model = small_model();
  ASSERT_LT(model.size(), 1024u);
  std::uint64_t header = 0;
  std::memcpy(&header, model.data(), 8);
  MemoryFile file(model);
  std::string content = model;
  int accepted = 0;
  for (std::size_t at = 0; at < 8 + header && !HasFailure(); ++at) {
    for (int value = 0; value < 256 && !HasFailure(); ++value) {
      content[at] = static_cast<char>(value);
      file.put(at, content.substr(at, 1));
      accepted += expect_law(file, content);
    }
    content[at] = model[at];
    file.put(at, content.substr(at, 1));
  }
  EXPECT_GT(accepted, static_cast<int>(header));  // names can be others
}

TEST(SafetensorsDamage, EveryTruncationIsRefused) {  // covers MS19
  const std::string model = small_model();
  MemoryFile file(model);
  EXPECT_EQ(rewritten(file.path()), model);
  for (std::size_t length = 0; length < model.size(); ++length) {
    file.set(model.substr(0, length));
    EXPECT_EQ(rewritten(file.path()), "") << length;
  }
  file.set(model + '\0');
  EXPECT_EQ(rewritten(file.path()), "");
}

TEST(SafetensorsDamage, SeveralAtOnce) {  // property 38
  const std::string model = small_model();
  const std::string letters = "{}[]\",:\\0123456789.eE-+ntu \n\xc3\xa9\x80";
  MemoryFile file;
  law("accepted as by the slow reader", 20'000, [&](Draw& draw) {
    std::string content = model;
    for (std::int64_t i = draw.integer(1, 4); i > 0; --i) {
      const auto at = static_cast<std::size_t>(draw.integer(8, 330));
      const char letter = letters[static_cast<std::size_t>(
          draw.integer(0, static_cast<std::int64_t>(letters.size()) - 1))];
      const std::int64_t kind = draw.integer(0, 3);
      if (kind == 0) content.insert(at, 1, letter);
      if (kind == 1) content.erase(at, 1);
      if (kind >= 2) content[at] = letter;
    }
    if (draw.coin()) {  // what was inserted into the header counts
      const std::uint64_t length = content.rfind('}', 400) + 1 - 8;
      content.replace(0, 8, length_bytes(length));
    }
    file.set(content);
    expect_law(file, content);
  });
}

}  // namespace
}  // namespace regard::testing
