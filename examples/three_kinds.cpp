// The three kinds of attention in a Transformer, and a proof that the future cannot leak.
#include "examples/show.h"
#include "regard/model/transformer.h"

namespace regard::examples {
namespace {

const TransformerSpec kSpec{
    .vocabulary = 20, .width = 32, .heads = 2, .hidden = 64, .layers = 1, .dropout = 0};

/// A Transformer with random weights. An untrained one looks about as it should look later: the
/// masks are in the structure, not in what is learned.
struct Pair {
  Encoder encoder{kSpec, Rng(5).fork("encoder")};
  Decoder decoder{kSpec, Rng(5).fork("decoder")};

  Tensor operator()(const std::vector<std::int32_t>& source,
                    const std::vector<std::int32_t>& target, const Pass& pass = {}) const {
    const EncoderOutput read = encoder.source(TokenIds::ragged({source}), pass);
    return decoder(TokenIds::ragged({target}), read, pass).value();  // [T, D]
  }
};

const std::vector<std::int32_t> kSource{3, 4, 5, 2}, kTarget{1, 6, 7, 8, 9, 10};
const std::vector<std::string> kSourceWords{"I'm", "home", ".", "<end>"};
const std::vector<std::string> kTargetWords{"<begin>", "Je", "suis", "chez", "moi", "."};

void pictures(const Pair& model, const std::string& folder) {
  std::vector<Tensor> seen;  // the layers speak in order: encoder, decoder, cross
  model(kSource, kTarget, {.on_attention = [&](const AttentionCapture& capture) {
          seen.push_back(capture.weights(0, 0));
        }});
  HeatMap map{.title = "Three kinds of attention (untrained, head 1)",
              .panels = {panel("encoder: sees everything", seen.at(0)),
                         panel("decoder: sees no future", seen.at(1), Mask::causal()),
                         panel("cross: target looks at source", seen.at(2))},
              .panels_across = 3,
              .row_axis = "query",
              .col_axis = "key"};
  map.panels[0].row_labels = map.panels[0].col_labels = map.panels[2].col_labels = kSourceWords;
  map.panels[1].row_labels = map.panels[1].col_labels = map.panels[2].row_labels = kTargetWords;
  show(map, folder + "/three_kinds");
}

/// Changes one word of the target at a time and counts the rows whose bits change.
void no_future(const Pair& model) {
  const Tensor before = model(kSource, kTarget);
  fmt::print("\nOne target word changed; which outputs change by so much as a bit?\n\n");
  fmt::print("changed    output: ");
  for (const std::string& word : kTargetWords) fmt::print("{:>8}", word);
  fmt::print("\n");
  for (std::size_t changed = 0; changed < kTarget.size(); ++changed) {
    std::vector<std::int32_t> target = kTarget;
    target[changed] = 15;
    const Tensor after = model(kSource, target);
    fmt::print("{:<19}", kTargetWords[changed]);
    for (Index t = 0; t < before.size(0); ++t) {
      bool same = true;
      for (Index i = 0; i < before.size(1); ++i) same &= before.at({t, i}) == after.at({t, i});
      fmt::print("{:>8}", same ? "same" : "CHANGED");
      check(same == (t < static_cast<Index>(changed)), "row ", t, " after a change of word ",
            changed, ": the future has leaked, or the past is not seen");
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [](const std::string& folder) {
    const regard::examples::Pair model;
    regard::examples::pictures(model, folder);
    regard::examples::no_future(model);
  });
}
