#include "regard/trace/trace.h"

#include "fuzz/small_model.h"
#include "fuzz/target.h"
#include "regard/backend/cpu/cpu.h"
#include "regard/config/json.h"
#include "regard/trace/trace_json.h"

namespace regard::targets {
namespace {

/// Three parts: the model's name, a text, its translation (empty: found by search). A trace is JSON
/// that can be read again, whatever they are.
void try_trace(std::string_view bytes) {
  static const LoadedModel model = small_model();
  Cpu::get().set_threads(1);
  const std::vector<std::string_view> files = files_in(bytes, 3);
  TraceRequest request{.top = 2};
  request.decode = {.beam = 2, .max_length = 2};
  if (!files[2].empty()) request.reference = std::string(files[2]);
  const Trace trace =
      trace_translation(model, std::string(files[0]), std::string(files[1]), request);
  law(trace.steps.size() == trace.target.tokens.size(), "a token has no step");
  for (const TracedHead& head : trace.attention)
    law(static_cast<Index>(head.weights.size()) == head.rows * head.cols, "weights are missing");
  using Json = nlohmann::ordered_json;
  const Json json = trace_json(trace, bytes.size() % 2 == 0 ? Encoding::f32 : Encoding::u8);
  const std::string written = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const nlohmann::json again = parse_json(written, "trace.json");
  law(again["source"]["text"] == trace.source.text, "the text is another");
  law(again["target"]["tokens"].size() == trace.target.tokens.size(), "tokens are missing");
}

}  // namespace

extern const FuzzTarget trace{.name = "trace",
                              .about = "any text, traced and written as JSON",
                              .max_bytes = 48,
                              .attempt = try_trace,
                              .slow = true};

}  // namespace regard::targets
