// Where a trained model looked while it translated: encoder, decoder and cross-attention.
// usage: look FOLDER MODEL "a sentence"
#include <utility>

#include "examples/show.h"
#include "regard/decode/search.h"
#include "regard/model/model_folder.h"

namespace regard::examples {
namespace {

/// Weights of one kind of attention: the mean over heads of its last layer that spoke.
struct Seen {
  Tensor encoder, decoder, cross;  // [S, S], [T, T], [T, S]
};

Tensor mean_over_heads(const AttentionCapture& capture) {
  const Tensor first = capture.weights(0, 0);
  std::vector<double> sum(static_cast<std::size_t>(first.count()));
  for (Index h = 0; h < capture.heads; ++h) {
    const std::vector<double> one = capture.weights(0, h).values();
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += one[i] / static_cast<double>(capture.heads);
  }
  return Tensor::of(first.shape(), sum);
}

Seen look(const LoadedModel& loaded, const TokenIds& source, const TokenIds& decoder_input) {
  Seen seen;
  const NoGrad quiet;
  const AlignmentHead& chosen = loaded.info.alignment;
  loaded.model->forward(
      source, decoder_input, {.on_attention = [&](const AttentionCapture& capture) {
        if (capture.where.starts_with("encoder")) seen.encoder = mean_over_heads(capture);
        if (capture.where.ends_with("self") && capture.where.starts_with("decoder"))
          seen.decoder = mean_over_heads(capture);
        if (!capture.where.ends_with("cross")) return;
        const std::string layer = fmt::format("decoder/{}/cross", chosen.layer);
        if (chosen.layer < 0)
          seen.cross = mean_over_heads(capture);
        else if (capture.where == layer)
          seen.cross = chosen.head < 0 ? mean_over_heads(capture) : capture.weights(0, chosen.head);
      }});
  return seen;
}

std::vector<std::string> pieces(const Tokenizer& tokens, const std::vector<std::int32_t>& ids) {
  std::vector<std::string> names;
  for (const std::int32_t id : ids) names.push_back(tokens.piece(id));
  return names;
}

void pictures(const std::string& folder, const std::string& model, const std::string& text) {
  const LoadedModel loaded = load_model(model);
  std::vector<std::int32_t> source = loaded.info.source->encode(text);
  source.push_back(kEos);
  const std::vector<std::int32_t> ids = translate(*loaded.model, {{source}}, {})[0][0].ids;
  std::vector<std::int32_t> decoder_input{kBos};
  decoder_input.insert(decoder_input.end(), ids.begin(), ids.end());
  fmt::print("{}\n{}\n", text, loaded.info.target->decode(ids));

  const Seen seen = look(loaded, TokenIds::ragged({source}), TokenIds::ragged({decoder_input}));
  const std::vector<std::string> sources = pieces(*loaded.info.source, source);
  std::vector<std::int32_t> produced = ids;
  produced.push_back(kEos);
  const std::vector<std::string> inputs = pieces(*loaded.info.target, decoder_input);
  const auto draw = [&](const std::string& name, Panel drawn, const std::vector<std::string>& rows,
                        const std::vector<std::string>& cols) {
    const std::string title = std::exchange(drawn.title, "");
    drawn.row_labels = rows;
    drawn.col_labels = cols;
    save(HeatMap{.title = title, .panels = {drawn}, .row_axis = "query", .col_axis = "key"},
         folder + "/" + name);
  };
  draw("look_encoder", panel("Encoder self-attention: sees all", seen.encoder), sources, sources);
  draw("look_decoder", panel("Decoder self-attention: no future", seen.decoder, Mask::causal()),
       inputs, inputs);
  // A row of cross-attention belongs to the token generated; if the alignment is shifted one step,
  // to the decoder input.
  draw("look_cross", panel("Cross-attention: which word each word came from", seen.cross),
       loaded.info.alignment.shift ? inputs : pieces(*loaded.info.target, produced), sources);
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [&](const std::string& folder) {
    regard::check(argc == 4, "usage: look FOLDER MODEL \"a sentence\"");
    regard::examples::pictures(folder, argv[2], argv[3]);
  });
}
