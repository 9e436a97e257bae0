// The files that CTranslate2 reads, taken apart again.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/convert/target.h"
#include "tests/model/model_folder_testing.h"

namespace regard {
namespace {

using testing::ScratchFolder;
using testing::words_of;

struct Item {
  std::vector<std::uint32_t> sizes;
  int type = 0;
  std::string elements;

  double at(std::size_t i) const {
    float value = 0;
    std::memcpy(&value, elements.data() + i * sizeof value, sizeof value);
    return value;
  }
  int number() const { return static_cast<signed char>(elements[0]); }
};

/// A model.bin, read by its own description of the format.
struct Parsed {
  std::string kind;
  std::map<std::string, Item> items;
  std::map<std::string, std::string> aliases;

  explicit Parsed(const std::string& path) : bytes_(read_file(path)) {
    EXPECT_EQ(number<std::uint32_t>(), 6u);
    kind = name();
    EXPECT_EQ(number<std::uint32_t>(), 7u);
    for (auto left = number<std::uint32_t>(); left > 0; --left) {
      const std::string called = name();
      Item item;
      for (int axes = number<std::uint8_t>(); axes > 0; --axes)
        item.sizes.push_back(number<std::uint32_t>());
      item.type = number<std::uint8_t>();
      item.elements = text(number<std::uint32_t>());
      items.emplace(called, item);
    }
    for (auto left = number<std::uint32_t>(); left > 0; --left) {
      const std::string called = name();
      aliases[called] = name();
    }
    EXPECT_EQ(at_, bytes_.size());
  }

 private:
  std::string text(std::size_t size) {
    const std::string taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, text(sizeof value).data(), sizeof value);
    return value;
  }
  std::string name() {
    const std::string taken = text(number<std::uint16_t>());
    EXPECT_EQ(taken.back(), '\0');
    return taken.substr(0, taken.size() - 1);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

Loaded<Model> small_model(const ModelSpec& changed) {
  Loaded<Model> loaded;
  ModelInfo& info = loaded.info;
  info.spec = changed;
  info.spec.width = 8;
  info.spec.hidden = 12;
  info.spec.heads = 2;
  info.spec.encoder_layers = 1;
  info.spec.decoder_layers = 2;
  info.spec.max_length = 16;
  info.source = words_of(info.spec.source_vocabulary = 7);
  info.target = info.source;
  if (changed.tied != "all") info.target = words_of(9);
  info.spec.target_vocabulary = info.target->size();
  loaded.model = make_sequence_model(info.spec, Rng(1));
  return loaded;
}

const ConvertTarget& ctranslate2() {
  return find_convert_target("ctranslate2");
}

Tensor parameter(const Loaded<Model>& loaded, const std::string& name) {
  for (const NamedParameter& each : parameters_of(*loaded.model))
    if (each.name == name) return each.parameter.value();
  ADD_FAILURE() << name;
  return {};
}

TEST(Ctranslate2, HoldsEveryWeightUnderItsName) {
  const ScratchFolder folder;
  Loaded<Model> loaded = small_model({});
  ctranslate2().write(loaded, folder.path());
  Parsed file(folder.path() + "/model.bin");
  EXPECT_EQ(file.kind, "TransformerSpec");
  std::size_t weights = 0;
  for (const auto& [name, item] : file.items) weights += item.type == 0;
  // All of ours, the shared table once, and the positions of both sides.
  EXPECT_EQ(weights, parameters_of(*loaded.model).size() + 2);

  const Item& widen = file.items.at("decoder/layer_1/ffn/linear_0/weight");
  const Tensor ours = parameter(loaded, "decoder.blocks.1.feed.widen.weight");
  EXPECT_EQ(widen.sizes, (std::vector<std::uint32_t>{12, 8}));
  for (Index out = 0; out < 12; ++out)
    for (Index in = 0; in < 8; ++in)
      EXPECT_EQ(widen.at(static_cast<std::size_t>(out * 8 + in)), ours.at({in, out}));
  const Item& table = file.items.at("decoder/embeddings/weight");
  EXPECT_EQ(table.sizes, (std::vector<std::uint32_t>{7, 8}));
  EXPECT_EQ(table.at(3 * 8 + 5), parameter(loaded, "decoder.embed.table").at({3, 5}));
  EXPECT_EQ(file.aliases, (std::map<std::string, std::string>{
                              {"decoder/projection/weight", "decoder/embeddings/weight"},
                              {"encoder/embeddings_0/weight", "decoder/embeddings/weight"}}));
  EXPECT_EQ(file.items.at("encoder/num_heads").number(), 2);
  EXPECT_EQ(file.items.at("encoder/num_heads").elements.size(), 2u);
  EXPECT_EQ(file.items.at("decoder/pre_norm").number(), 0);
  EXPECT_EQ(file.items.at("encoder/scale_embeddings").number(), 1);
  EXPECT_FALSE(file.items.contains("decoder/layer_norm/gamma"));
  const Item& positions = file.items.at("encoder/position_encodings/encodings");
  EXPECT_EQ(positions.sizes[1], 8u);
  EXPECT_NEAR(positions.at(3 * 8), std::sin(3.0), 1e-6);
  EXPECT_NEAR(positions.at(3 * 8 + 1), std::cos(3.0), 1e-6);
}

TEST(Ctranslate2, KnowsTheOtherKindsOfTransformer) {
  const ScratchFolder folder;
  ModelSpec spec;
  spec.tied = "none";
  spec.pre_norm = true;
  spec.activation = "gelu";
  spec.position = "learned";
  spec.first_position = 1;
  spec.encoder_norm = "post";
  spec.encoder.heads = 4;
  Loaded<Model> loaded = small_model(spec);
  ctranslate2().write(loaded, folder.path());
  const Parsed file(folder.path() + "/model.bin");
  EXPECT_TRUE(file.aliases.empty());
  EXPECT_EQ(file.items.at("encoder/embeddings_0/weight").sizes[0], 7u);
  EXPECT_EQ(file.items.at("decoder/projection/weight").at(0),
            parameter(loaded, "output.table").at({0, 0}));
  EXPECT_EQ(file.items.at("decoder/pre_norm").number(), 1);
  EXPECT_EQ(file.items.at("decoder/activation").number(), 3);
  EXPECT_EQ(file.items.at("encoder/pre_norm").number(), 0);
  EXPECT_TRUE(file.items.contains("decoder/layer_norm/gamma"));
  EXPECT_FALSE(file.items.contains("encoder/layer_norm/gamma"));
  EXPECT_EQ(file.items.at("encoder/num_heads").number(), 4);
  EXPECT_EQ(file.items.at("decoder/num_heads").number(), 2);
  const Item& positions = file.items.at("decoder/position_encodings/encodings");
  EXPECT_EQ(positions.sizes, (std::vector<std::uint32_t>{15, 8}));
  EXPECT_EQ(positions.at(0), parameter(loaded, "decoder.embed.position.table").at({1, 0}));
}

TEST(Ctranslate2, NamesTheSpecialTokensAndAllPieces) {
  for (const char* tied : {"all", "none"}) {
    const ScratchFolder folder;
    ModelSpec spec;
    spec.tied = tied;
    spec.epsilon = 1e-6;
    Loaded<Model> loaded = small_model(spec);
    ctranslate2().write(loaded, folder.path());
    const auto json = [&](const std::string& name) {
      return nlohmann::json::parse(read_file(folder.path() + "/" + name));
    };
    const auto config = json("config.json");
    EXPECT_EQ(config["eos_token"], loaded.info.target->piece(kEos));
    EXPECT_EQ(config["decoder_start_token"], loaded.info.target->piece(kBos));
    EXPECT_EQ(config["layer_norm_epsilon"], 1e-6);
    const bool joint = loaded.info.source == loaded.info.target;
    const auto target = json(joint ? "shared_vocabulary.json" : "target_vocabulary.json");
    ASSERT_EQ(static_cast<Index>(target.size()), loaded.info.target->size());
    EXPECT_EQ(target[5], loaded.info.target->piece(5));
    std::vector<std::string> there;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      there.push_back(entry.path().filename());
    std::vector<std::string> told = ctranslate2().files(loaded.info);
    EXPECT_EQ(told.back(), "model.bin");
    std::ranges::sort(there);
    std::ranges::sort(told);
    EXPECT_EQ(there, told);
    EXPECT_EQ(read_file(folder.path() + (joint ? "/joint.tokens" : "/source.tokens")),
              loaded.info.source->bytes());
  }
}

TEST(Ctranslate2, RefusesWhatItCannotSay) {
  const auto refused = [](auto&& change) {
    ModelInfo info;
    change(info.spec);
    try {
      ctranslate2().files(info);
      return false;
    } catch (const Error& error) {
      return error.fault == Fault::input;
    }
  };
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.architecture = "bahdanau"; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.mechanism = "cosine"; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.position = "rotary"; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.position = "alibi"; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.kv_heads = 2; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.cross.mechanism = "cosine"; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.decoder.window = 3; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) { spec.cross.heads = 2 * spec.heads; }));
  EXPECT_TRUE(refused([](ModelSpec& spec) {
    spec.kv_heads = spec.heads;
    spec.encoder.heads = 2 * spec.heads;
  }));
  EXPECT_FALSE(refused([](ModelSpec& spec) { spec.encoder.heads = 2 * spec.heads; }));
  EXPECT_FALSE(refused([](ModelSpec& spec) { spec.kv_heads = spec.heads; }));
}

}  // namespace
}  // namespace regard
