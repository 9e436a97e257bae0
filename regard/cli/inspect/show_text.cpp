#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "regard/base/elementary.h"
#include "regard/cli/inspect/show.h"
#include "regard/cli/text_table.h"
#include "regard/model/architecture.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

/// The likeliest of the other tokens.
std::string runner_up(const Trace& trace, std::size_t t) {
  for (const Contender& each : trace.steps[t].top)
    if (each.id != trace.target.tokens[t].id)
      return fmt::format("{} {:.4f}", each.text, each.probability);
  return {};
}

/// The source words that a target word is aligned to.
std::string origin(const Trace& trace, Index word) {
  std::string text;
  for (const auto& [source, target] : trace.alignment.links) {
    if (target != word) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {:.2f}", trace.source.words[static_cast<std::size_t>(source)],
                        trace.alignment.weight(source, target));
  }
  return text;
}

std::string token_table(const Trace& trace, const Terminal& terminal) {
  TextTable table(terminal);
  table.add({"token", "p", "runner-up", reads_source(trace.spec) ? "aligned to" : ""});
  Index told = -1;
  for (std::size_t t = 0; t < trace.target.tokens.size(); ++t) {
    const Token& token = trace.target.tokens[t];
    const bool begins = token.word >= 0 && token.word != told;
    if (begins) told = token.word;
    table.add({token.text, fmt::format("{:.3f}", elementary::exp(trace.steps[t].log_probability)),
               runner_up(trace, t), begins ? origin(trace, token.word) : ""});
  }
  return table.text();
}

std::string head_table(const Trace& trace, AttentionKind kind, const Terminal& terminal) {
  TextTable table(terminal);
  table.add({"head", "pattern", "entropy"});
  for (const TracedHead& head : trace.attention)
    if (head.kind == kind)
      table.add({fmt::format("{}.{}", head.layer + 1, head.head + 1), std::string(name(head.tag)),
                 fmt::format("{:.2f}", head.entropy)});
  return table.text();
}

}  // namespace

std::string label_table(const Trace& trace, const Terminal& terminal) {
  TextTable table(terminal);
  table.add({"label", "p"});
  for (const TracedLabel& each : trace.labels)
    table.add({each.label, fmt::format("{:.4f}", each.probability)});
  return table.text();
}

std::string as_text(const Trace& trace, const View& view, const Terminal& terminal) {
  std::string text;
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("{:<13}{}\n", what, shown(terminal, value));
  };
  if (!trace.labels.empty()) {
    line("text", trace.source.text);
    text.append("\n").append(label_table(trace, terminal));
    text.append("\n").append(regard::terminal(picture_of(view, trace), terminal));
    return text.append("\n").append(head_table(trace, view.kind, terminal));
  }
  const bool translates = reads_source(trace.spec);
  if (translates) line("source", trace.source.text);
  line(translates ? "translation" : "text", trace.target.text);
  line("score", fmt::format("{:.4f} (log p {:.4f})", trace.score, trace.log_probability));
  if (translates) line("alignment", moses(trace.alignment.links));
  text.append("\n").append(token_table(trace, terminal));
  text.append("\n").append(regard::terminal(picture_of(view, trace), terminal));
  text.append("\n").append(head_table(trace, view.kind, terminal));
  return text;
}

Terminal output_terminal() {
  if (isatty(STDOUT_FILENO)) return terminal_of(STDOUT_FILENO);
  return {.unicode = pipes_utf8()};
}

}  // namespace regard
