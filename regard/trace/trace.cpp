#include "regard/trace/trace.h"

#include <algorithm>
#include <chrono>

#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/decode/candidates.h"
#include "regard/decode/pool.h"
#include "regard/decode/search.h"
#include "regard/model/architecture.h"
#include "regard/ops/slice.h"
#include "regard/trace/listening.h"
#include "regard/trace/position_table.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// log p of each generated token and of the end, and its runners-up.
std::vector<TracedStep> traced_steps(const LoadedModel& model, const Tensor& rows,
                                     const std::vector<Token>& target,
                                     const TraceRequest& request) {
  constexpr Index kAtOnce = 16;
  const auto N = static_cast<Index>(target.size());
  std::vector<TracedStep> steps;
  for (Index begin = 0; begin < N; begin += kAtOnce) {
    check_wanted(request);
    const Index end = std::min(N, begin + kAtOnce);
    std::vector<TokenAsk> asks;
    for (Index t = begin; t < end; ++t)
      asks.push_back({.top = request.top, .named = target[static_cast<std::size_t>(t)].id});
    const Tensor some = slice(rows, 0, begin, end);
    for (const NextTokens& next : model.model->output().next_tokens(some, asks)) {
      TracedStep step{checked_log_p(next.named), {}};
      for (const Candidate& each : next.candidates)
        step.top.push_back({token_text(*model.info.target, each.token), each.token,
                            elementary::exp(checked_log_p(each.log_probability))});
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

/// Reads source and target once, as in training, and listens.
void read_once(const LoadedModel& model, const TraceRequest& request, Trace& trace) {
  const NoGrad quiet;
  Ids source = trace.source.ids(), decoder_input = trace.target.ids();
  source.push_back(kEos);
  decoder_input.insert(decoder_input.begin(), kBos);
  const Pass pass = listening(request, trace);
  const Var rows =
      model.model->forward(TokenIds::ragged({source}), TokenIds::ragged({decoder_input}), pass);
  trace.steps = traced_steps(model, rows.value(), trace.target.tokens, request);
  std::ranges::stable_sort(trace.attention, {}, &TracedHead::kind);
}

/// What the source's tokens enter the encoder as.
void trace_embedding(const LoadedModel& model, Trace& trace) {
  const NoGrad quiet;
  Ids source = trace.source.ids();
  source.push_back(kEos);
  const Tensor vectors = model.model->source_embedding(source);
  if (vectors.rank() != 2) return;
  trace.embedding = {vectors.size(0), vectors.size(1), floats(vectors)};
  const PositionTable added = position_table(model, static_cast<Index>(source.size()));
  trace.position = {added.rows, added.cols, added.values};
}

/// The best hypothesis; where the translation is given, the one that is it. A given translation is
/// a prefix with no room behind it, so its score and its tree come from the same search.
Hypothesis found(const LoadedModel& model, const Ids& source, const std::optional<Ids>& given,
                 const TraceRequest& request, BeamLog& log) {
  DecodeSpec spec = request.decode;
  spec.max_length = std::min(spec.max_length, max_traced_tokens(model.info.spec));
  if (given) {
    spec.beam = spec.n_best = 1;
    spec.sample = false;
    spec.max_length = 0;
  }
  TranslationPool pool(*model.model, batch_tokens(*model.model, spec));
  pool.add({.source = source, .spec = spec, .prefix = given.value_or(request.prefix), .log = &log});
  for (;;) {
    check_wanted(request);
    for (const PoolResult& result : pool.advance()) {
      if (result.error) std::rethrow_exception(result.error);
      return result.best.front();
    }
  }
}

void search(const LoadedModel& model, const TraceRequest& request, Trace& trace) {
  const Tokenizer& target = *model.info.target;
  std::optional<Ids> given;
  if (request.reference) {
    trace.target = given_text(target, *request.reference);
    check_length(trace.target, reads_source(model.info.spec) ? "reference" : "text",
                 model.info.spec);
    given = trace.target.ids();
    trace.forced = true;
    trace.forced_tokens = static_cast<Index>(trace.target.tokens.size());
  } else if (trace.source.words.empty()) {
    given = Ids();
  } else {
    trace.forced_tokens = static_cast<Index>(request.prefix.size());
  }
  Ids source = trace.source.ids();
  source.push_back(kEos);
  const auto encode = [&] { model.model->start(TokenIds::ragged({source}), Pass{}); };
  encode();  // once before it is timed: the search finds its weights in the caches, too
  auto start = Clock::now();
  encode();
  trace.encode_ms = milliseconds_since(start);
  start = Clock::now();
  BeamLog log;
  const Hypothesis best = found(model, source, given, request, log);
  trace.decode_ms = std::max(0.0, milliseconds_since(start) - trace.encode_ms);
  trace.score = best.score;
  trace.log_probability = best.log_probability;
  if (!request.reference) trace.target = generated_text(target, best.ids);
  for (const BeamNode& node : log.nodes)
    trace.beam.push_back({node, token_text(target, node.token)});
}

TracedAlignment traced_alignment(const LoadedModel& model, const Trace& trace) {
  TracedAlignment result{.from = model.info.alignment,
                         .links = {},
                         .rows = static_cast<Index>(trace.target.words.size()),
                         .cols = static_cast<Index>(trace.source.words.size()),
                         .soft = {}};
  result.soft.resize(static_cast<std::size_t>(result.rows * result.cols));
  PairToAlign pair{.source = trace.source.ids(),
                   .target = trace.target.ids(),
                   .source_words = trace.source.word_of(),
                   .target_words = trace.target.word_of()};
  pair.source.push_back(kEos);
  const WordAlignment words = align(*model.model, std::span(&pair, 1), result.from).front();
  result.links = words.links;
  if (words.soft.count() > 0) result.soft = floats(words.soft);
  check(static_cast<Index>(result.soft.size()) == result.rows * result.cols,
        "words and their alignment differ: ", words.soft.shape(), " for ", result.rows, " and ",
        result.cols);
  return result;
}

/// What a model that reads no source makes of the text: it is the target, given as a whole.
Trace trace_text(const LoadedModel& model, const std::string& text, TraceRequest request,
                 Trace trace) {
  check(!request.reference && request.prefix.empty(), "a model of architecture ",
        model.info.spec.architecture, " reads the text itself; it has no translation");
  request.reference = text;
  trace.source = given_text(*model.info.source, "");
  search(model, request, trace);
  const std::span<const Token> tokens(trace.target.tokens);
  trace.unknown = unknown_text(*model.info.target, text, tokens.first(tokens.size() - 1));
  check_wanted(request);
  read_once(model, request, trace);
  return trace;
}

}  // namespace

Trace trace_translation(const LoadedModel& model, const std::string& name, const std::string& text,
                        const TraceRequest& request) {
  check_request(request, model.info.spec);
  Trace trace;
  trace.model = name;
  trace.from = model.info.from;
  trace.to = model.info.to;
  trace.spec = model.info.spec;
  if (!reads_source(trace.spec)) return trace_text(model, text, request, std::move(trace));
  trace.source = given_text(*model.info.source, text);
  check_length(trace.source, "text", model.info.spec);
  const std::span<const Token> tokens(trace.source.tokens);
  trace.unknown = unknown_text(*model.info.source, text, tokens.first(tokens.size() - 1));
  search(model, request, trace);
  check_wanted(request);
  read_once(model, request, trace);
  if (request.embedding) trace_embedding(model, trace);
  check_wanted(request);
  trace.alignment = traced_alignment(model, trace);
  return trace;
}

}  // namespace regard
