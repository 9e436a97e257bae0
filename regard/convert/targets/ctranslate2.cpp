#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/convert/ctranslate2_file.h"
#include "regard/convert/target.h"
#include "regard/model/architecture.h"
#include "regard/model/run_folder.h"
#include "regard/position/sinusoids.h"

namespace regard::targets {
namespace {

constexpr Index kPositions = 2048;  // twice what CTranslate2 reads of a source unless told

// Of its Activation and of the specification of a Transformer.
constexpr int kRelu = 0, kSwish = 2, kGelu = 3;
constexpr std::uint32_t kRevision = 7;

void refuse_unless(bool can, const std::string& what) {
  if (!can)
    fail(
        Fault::input, "a model with ", what, " has no form for CTranslate2; it takes a ",
        "transformer with scaled-dot attention to all tokens, as many key heads as heads, as many ",
        "heads across as in the decoder, and positions that are sinusoidal, sinusoidal-halves, ",
        "learned or none");
}

void refuse_others(const ModelSpec& spec) {
  refuse_unless(spec.architecture == "transformer", "architecture " + spec.architecture);
  for (const AttentionKind kind : kAttentionKinds) {
    const std::string own = spec.own(kind).mechanism.empty() ? "" : std::string(name(kind)) + "_";
    refuse_unless(mechanism_of(spec, kind) == "scaled-dot",
                  own + "attention " + mechanism_of(spec, kind));
    refuse_unless(spec.kv_heads == 0 || spec.kv_heads == heads_of(spec, kind),
                  "kv_heads " + std::to_string(spec.kv_heads));
    refuse_unless(window_of(spec, kind) == 0,
                  std::string(name(kind)) + "_window " + std::to_string(window_of(spec, kind)));
  }
  const Index across = heads_of(spec, AttentionKind::cross);
  const Index inside = heads_of(spec, AttentionKind::decoder);
  refuse_unless(across == inside, std::to_string(inside) + " decoder_heads and " +
                                      std::to_string(across) + " cross_heads");
  constexpr std::string_view kPositionsTaken[] = {"sinusoidal", "sinusoidal-halves", "learned",
                                                  "none"};
  refuse_unless(std::ranges::count(kPositionsTaken, spec.position) > 0,
                "position " + spec.position);
}

bool is_joint(const ModelInfo& info) {
  return info.source == info.target;
}

/// The vocabularies as CTranslate2 reads them, by the names of their files.
std::map<std::string, std::shared_ptr<const Tokenizer>> vocabularies(const ModelInfo& info) {
  if (is_joint(info)) return {{"shared_vocabulary.json", info.source}};
  return {{"source_vocabulary.json", info.source}, {"target_vocabulary.json", info.target}};
}

/// Our own, which cut text into tokens.
std::map<std::string, std::shared_ptr<const Tokenizer>> tokenizers(const ModelInfo& info) {
  if (is_joint(info)) return {{std::string(kJointTokensFile), info.source}};
  return {{std::string(kSourceTokensFile), info.source},
          {std::string(kTargetTokensFile), info.target}};
}

std::string config_text(const ModelInfo& info) {
  const Tokenizer& target = *info.target;
  const nlohmann::ordered_json config{
      {"add_source_bos", false},         {"add_source_eos", true},
      {"bos_token", target.piece(kBos)}, {"decoder_start_token", target.piece(kBos)},
      {"eos_token", target.piece(kEos)}, {"layer_norm_epsilon", info.spec.epsilon},
      {"multi_query_attention", false},  {"unk_token", target.piece(kUnk)}};
  return config.dump(2) + "\n";
}

std::string vocabulary_text(const Tokenizer& tokenizer) {
  nlohmann::json pieces = nlohmann::json::array();
  for (std::int32_t id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  return pieces.dump(1) + "\n";
}

/// A model by the names of CTranslate2's specification of a Transformer.
class Writer {
 public:
  explicit Writer(const Loaded<Model>& loaded) : spec_(loaded.info.spec) {
    for (const NamedParameter& each : parameters_of(*loaded.model))
      values_.emplace(each.name, each.parameter.value());
  }

  std::string bytes() {
    for (Index i = 0; i < spec_.encoder_layers; ++i) encoder_layer(i);
    for (Index i = 0; i < spec_.decoder_layers; ++i) decoder_layer(i);
    stack(AttentionKind::encoder);
    stack(AttentionKind::decoder);
    file_.flag("encoder/embeddings_merge", 0);
    file_.number("decoder/alignment_layer", -1);
    file_.number("decoder/alignment_heads", 1);
    file_.flag("decoder/start_from_zero_embedding", 0);
    tables();
    return file_.bytes();
  }

 private:
  const Tensor& value(const std::string& name) const { return values_.at(name); }

  void linear(const std::string& to, const std::string& from) {
    file_.transposed(to + "/weight", value(from + ".weight"));
    file_.tensor(to + "/bias", value(from + ".bias"));
  }

  void norm(const std::string& to, const std::string& from) {
    file_.tensor(to + "/layer_norm/gamma", value(from + ".gain"));
    file_.tensor(to + "/layer_norm/beta", value(from + ".shift"));
  }

  void self_attention(const std::string& to, const std::string& from) {
    linear(to + "/self_attention/linear_0", from + ".self.packed");
    linear(to + "/self_attention/linear_1", from + ".self.output");
    norm(to + "/self_attention", from + ".around_self.norm");
  }

  void feed_forward(const std::string& to, const std::string& from) {
    linear(to + "/ffn/linear_0", from + ".feed.widen");
    linear(to + "/ffn/linear_1", from + ".feed.narrow");
    norm(to + "/ffn", from + ".around_feed.norm");
  }

  void encoder_layer(Index layer) {
    const std::string number = std::to_string(layer), to = "encoder/layer_" + number;
    const std::string from = "encoder.blocks." + number;
    self_attention(to, from);
    feed_forward(to, from);
  }

  void decoder_layer(Index layer) {
    const std::string number = std::to_string(layer), to = "decoder/layer_" + number;
    const std::string from = "decoder.blocks." + number;
    self_attention(to, from);
    linear(to + "/attention/linear_0", from + ".cross.query");
    linear(to + "/attention/linear_1", from + ".cross.packed");
    linear(to + "/attention/linear_2", from + ".cross.output");
    norm(to + "/attention", from + ".around_cross.norm");
    feed_forward(to, from);
  }

  /// What an encoder and a decoder have beside their layers and tables.
  void stack(AttentionKind kind) {
    const std::string side(name(kind));
    const bool pre_norm = has_norms_in_front(spec_, kind);
    file_.number(side + "/num_heads", static_cast<int>(heads_of(spec_, kind)));
    file_.flag(side + "/pre_norm", pre_norm);
    file_.flag(side + "/scale_embeddings", 1);
    file_.flag(side + "/activation", spec_.activation == "relu"    ? kRelu
                                     : spec_.activation == "swish" ? kSwish
                                                                   : kGelu);
    file_.tensor(side + "/position_encodings/encodings", positions(side));
    if (pre_norm) norm(side, side + ".last");
  }

  /// The vector of every position. CTranslate2 computes some itself, but by other formulas.
  Tensor positions(const std::string& side) const {
    if (spec_.position == "none") return Tensor({kPositions, spec_.width});
    if (spec_.position == "learned") return learned_positions(side);
    std::vector<Index> places(kPositions);
    std::iota(places.begin(), places.end(), spec_.first_position);
    const bool halves = spec_.position == "sinusoidal-halves";
    return sinusoids(places, spec_.width,
                     halves ? SinusoidLayout::halves : SinusoidLayout::interleaved, Dtype::f32)
        .table;
  }

  Tensor learned_positions(const std::string& side) const {
    const Tensor& all = value(side + ".embed.position.table");
    Tensor used = Tensor::empty({all.size(0) - spec_.first_position, spec_.width});
    const auto from =
        all.span<float>().subspan(static_cast<std::size_t>(spec_.first_position * spec_.width));
    std::ranges::copy(from, used.span<float>().begin());
    return used;
  }

  void tables() {
    const std::string target = "decoder/embeddings/weight", source = "encoder/embeddings_0/weight",
                      output = "decoder/projection/weight";
    file_.tensor(target, value("decoder.embed.table"));
    if (spec_.tied == "all")
      file_.alias(source, target);
    else
      file_.tensor(source, value("encoder.embed.table"));
    if (spec_.tied == "none")
      file_.tensor(output, value("output.table"));
    else
      file_.alias(output, target);
  }

  const ModelSpec& spec_;
  std::map<std::string, Tensor> values_;
  Ctranslate2File file_{"TransformerSpec", kRevision};
};

std::vector<std::string> files(const ModelInfo& info) {
  refuse_others(info.spec);
  std::vector<std::string> names;
  for (const auto& [name, vocabulary] : vocabularies(info)) names.push_back(name);
  for (const auto& [name, tokenizer] : tokenizers(info)) names.push_back(name);
  names.insert(names.end(), {"config.json", "model.bin"});
  return names;
}

void write(Loaded<Model>& loaded, const std::string& folder) {
  for (const auto& [name, vocabulary] : vocabularies(loaded.info))
    write_file(folder + "/" + name, vocabulary_text(*vocabulary));
  for (const auto& [name, tokenizer] : tokenizers(loaded.info))
    write_file(folder + "/" + name, tokenizer->bytes());
  write_file(folder + "/config.json", config_text(loaded.info));
  write_file(folder + "/model.bin", Writer(loaded).bytes());
}

}  // namespace

extern const ConvertTarget ctranslate2{
    .name = "ctranslate2",
    .summary = "a model in f32 for CTranslate2, with its vocabularies in both forms",
    .files = files,
    .write = write,
};

}  // namespace regard::targets
