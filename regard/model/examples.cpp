#include "regard/model/examples.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/base/log.h"
#include "regard/config/json.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr int kSchema = 1;
constexpr std::size_t kMaxFile = 1 << 16;

std::vector<std::string> examples_in(const std::string& path) {
  const nlohmann::json content = parse_json(read_own_file(path, kMaxFile), path);
  if (!content.is_object() || content.value("schema", nlohmann::json()) != kSchema ||
      !content.contains("examples") || !content["examples"].is_array())
    fail(Fault::input, path, ": expected {\"schema\":", kSchema, ",\"examples\":[..]}");
  const nlohmann::json& all = content["examples"];
  if (all.size() > kMaxExamples)
    fail(Fault::input, path, ": ", all.size(), " examples, expected at most ", kMaxExamples);
  std::vector<std::string> examples;
  for (const nlohmann::json& each : all) {
    if (!each.is_string() || !fits_as_example(each.get_ref<const std::string&>()))
      fail(Fault::input, path, ": example ", examples.size() + 1, " is no line of 1 to ",
           kMaxExampleBytes, " bytes without control characters");
    examples.push_back(each);
  }
  return examples;
}

}  // namespace

bool fits_as_example(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  return !text.empty() && text.size() <= kMaxExampleBytes && valid_utf8(text) &&
         std::ranges::none_of(text, is_control);
}

std::vector<std::string> read_examples(const RunFolder& folder) {
  try {
    if (!is_there(folder.examples())) return {};
    return examples_in(folder.examples());
  } catch (const Error& error) {
    warn(error.what(), "; the model is used without its examples");
    return {};
  }
}

void write_examples(const RunFolder& folder, const std::vector<std::string>& examples) {
  const nlohmann::ordered_json content{{"schema", kSchema}, {"examples", examples}};
  write_file(folder.examples(), content.dump() + "\n");
}

}  // namespace regard
