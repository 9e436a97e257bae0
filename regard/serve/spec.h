#pragma once

#include <string>

#include "regard/base/real.h"
#include "regard/config/field.h"
#include "regard/decode/spec.h"

namespace regard {

/// The most hypotheses that a service keeps at a time for one text.
inline constexpr Index kMaxBeam = 64;

/// Hypotheses times tokens of the text that a request for traces, alternatives or a wide beam may
/// ask for.
inline constexpr Index kMaxWork = 2048;

/// What a service gives, and how much of it to whom.
struct ServeSpec {
  Index chars = 5000;         ///< characters of a request
  Index batch = 64;           ///< texts of a request
  Index queue = 64;           ///< requests that wait for a model; then 503
  Index alternatives = 5;     ///< other translations of a text
  Index beam = 4;             ///< hypotheses kept at a time
  Index batch_tokens = 2048;  ///< source tokens per batch, once for each hypothesis
  Index per_minute = 0;       ///< requests of one client in a minute, then 429; 0: any number
  std::string cors{};         ///< allowed CORS origin, or "*"; if unset, only our own page
  std::string key_file{};     ///< API keys, one per line; if unset, no key is needed
  std::string proxies{};      ///< trusted proxies (X-Forwarded-For is used), separated by commas
  std::string hosts{};        ///< allowed host names besides the loopback's, separated by commas
  std::string from{}, to{};   ///< languages of models that do not name theirs
  std::string host = "127.0.0.1";  ///< where the server listens
  /// What the warning of such a model advises, as whoever chose these settings calls them.
  std::string language_remedy = "set serve.from and serve.to";

  void each(auto&& visit) {
    visit(Field{"max_chars", "maximum characters per request", 1, 1 << 20}, chars);
    visit(Field{"max_batch", "maximum texts per request", 1, 1 << 16}, batch);
    visit(Field{"queue", "requests that may wait for a model; more get 503", 1, 1 << 20}, queue);
    visit(Field{"max_alternatives", "maximum alternatives per text", 0, 64}, alternatives);
    visit(Field{"beam", "beam size; 1: greedy", 1, kMaxBeam}, beam);
    visit(Field{"batch_tokens", "source tokens per batch", 1, 1 << 24}, batch_tokens);
    visit(Field{"per_minute", "requests per client and minute; more get 429; 0: no limit", 0,
                1 << 20},
          per_minute);
    visit(Field{"cors", "allowed CORS origin, or *"}, cors);
    visit(Field{"api_key_file", "file of API keys, one per line"}, key_file);
    visit(Field{"proxies", "trusted proxies: addresses whose X-Forwarded-For is used"}, proxies);
    visit(Field{"allow_host", "more allowed host names, separated by commas"}, hosts);
    visit(Field{"from", "source language of models without one"}, from);
    visit(Field{"to", "target language of models without one"}, to);
  }
};

}  // namespace regard
