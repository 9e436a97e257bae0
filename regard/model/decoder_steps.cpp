#include "regard/model/decoder_steps.h"

namespace regard {
namespace {

class TransformerState final : public IncrementalState {
 public:
  explicit TransformerState(DecoderState state) : state(std::move(state)) {}

  Index count() const override { return state.past.count(); }
  void reorder(std::span<const Index> chosen) override { state.reorder(chosen); }
  void join(const IncrementalState& more) override {
    state.join(dynamic_cast<const TransformerState&>(more).state);
  }

  DecoderState state;
};

}  // namespace

std::unique_ptr<IncrementalState> started(const Decoder& decoder, const EncoderOutput& source) {
  return std::make_unique<TransformerState>(decoder.start(source));
}

Tensor stepped(const Decoder& decoder, std::span<const std::int32_t> tokens,
               IncrementalState& state, const Pass& pass) {
  const auto count = static_cast<Index>(tokens.size());
  const TokenIds next{{tokens.begin(), tokens.end()}, Segments::equal(count, 1)};
  return decoder.step(next, dynamic_cast<TransformerState&>(state).state, pass).value();
}

}  // namespace regard
