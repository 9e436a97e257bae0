#include "regard/serve/text/translate_texts.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "regard/decode/line.h"
#include "regard/serve/text/document.h"
#include "regard/serve/text/html.h"

namespace regard {
namespace {

/// As the command `translate` has it: pieces of 256 tokens, and twice as many generated.
constexpr Index kMaxGenerated = 2 * kMaxLineTokens;

/// A text cut up, and what came back of its pieces.
struct CutText {
  const TextTask* task;
  Document document;
  std::vector<LineSource> lines{};                           // one for each passage
  std::vector<std::vector<std::vector<Hypothesis>>> best{};  // of each passage, each piece
};

/// Where a sentence of a job belongs.
struct Origin {
  std::size_t text, passage, piece;
};

/// Translations of each passage, likeliest first.
using Ranks = std::vector<std::vector<LineTranslation>>;

/// The one of that rank, or else the last.
LineTranslation& ranked(std::vector<LineTranslation>& line, std::size_t rank) {
  return line[std::min(rank, line.size() - 1)];
}

/// The ranks that say something of their own.
std::vector<std::size_t> without_copies(Ranks& lines) {
  std::size_t ranks = 1;
  for (const auto& line : lines) ranks = std::max(ranks, line.size());
  std::set<std::vector<std::string>> seen;
  std::vector<std::size_t> kept;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::string> texts;
    for (auto& line : lines) texts.push_back(ranked(line, rank).text);
    if (seen.insert(std::move(texts)).second) kept.push_back(rank);
  }
  return kept;
}

/// A translation of a passage with what its words come from.
LineTranslation linked(const CutText& text, std::size_t passage, std::size_t rank) {
  std::vector<std::vector<Hypothesis>> pieces;
  for (const auto& best : text.best[passage])
    pieces.push_back({best[std::min(rank, best.size() - 1)]});
  return joined_line(text.task->model->loaded(), text.lines[passage], pieces, {.links = true})
      .front();
}

class TextsJob : public std::enable_shared_from_this<TextsJob> {
 public:
  explicit TextsJob(TextBatch batch) : batch_(std::move(batch)) {
    for (const TextTask& task : batch_.tasks) cut(task);
  }

  bool start() {
    std::map<const ServedModel*, std::pair<TranslationJob, std::vector<Origin>>> jobs;
    for (std::size_t t = 0; t < texts_.size(); ++t)
      for (std::size_t p = 0; p < texts_[t].lines.size(); ++p)
        for (std::size_t i = 0; i < texts_[t].lines[p].pieces(); ++i) {
          auto& [job, origins] = jobs[texts_[t].task->model.get()];
          job.sentences.push_back(sentence({t, p, i}));
          origins.push_back({t, p, i});
        }
    missing_ = jobs.size();
    if (jobs.empty()) {
      finish();
      return true;
    }
    for (auto& [model, entry] : jobs)
      if (!submit(*model, std::move(entry.first), std::move(entry.second))) {
        cancelled_ = true;  // what others have taken already stops
        return false;
      }
    return true;
  }

 private:
  bool wanted() const { return !cancelled_ && batch_.wanted(); }

  void cut(const TextTask& task) {
    CutText text{&task, batch_.html ? html_document(task.text, batch_.splitting)
                                    : plain_document(task.text, batch_.splitting)};
    if (task.model)
      for (const Passage& passage : text.document.passages) {
        text.lines.push_back(line_source(task.model->info(), passage.text));
        text.best.emplace_back(text.lines.back().pieces());
      }
    texts_.push_back(std::move(text));
  }

  PoolSentence sentence(Origin origin) const {
    const CutText& text = texts_[origin.text];
    DecodeSpec spec =
        serve_decode_spec(text.task->model->info().spec, batch_.beam, batch_.others + 1);
    spec.length_penalty = batch_.length_penalty;
    const std::size_t prefixed = std::min(text.task->prefixed, text.lines.size() - 1);
    return {.source = text.lines[origin.passage].ids(origin.piece),
            .spec = spec,
            .prefix = origin.passage == prefixed && origin.piece == 0
                          ? text.task->prefix
                          : std::vector<std::int32_t>()};
  }

  bool submit(const ServedModel& model, TranslationJob job, std::vector<Origin> origins) {
    job.wanted = [self = shared_from_this()] { return self->wanted(); };
    job.done = [self = shared_from_this(), origins = std::move(origins)](
                   std::vector<std::vector<Hypothesis>> best, const std::exception_ptr& error) {
      if (error)
        self->fail(error);
      else
        self->take(origins, std::move(best));
    };
    return model.engine().submit(std::move(job));
  }

  void take(const std::vector<Origin>& origins, std::vector<std::vector<Hypothesis>> best) {
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < origins.size(); ++i) {
        const auto [text, passage, piece] = origins[i];
        texts_[text].best[passage][piece] = std::move(best[i]);
      }
      if (--missing_ > 0) return;
    }
    finish();
  }

  void fail(const std::exception_ptr& error) {
    if (!cancelled_.exchange(true)) batch_.done({}, error);
  }

  void finish() {
    std::vector<TextAnswer> answers;
    try {
      for (const CutText& text : texts_) {
        std::optional<TextAnswer> one = answer(text);
        if (!one) return;
        answers.push_back(std::move(*one));
      }
    } catch (...) {
      return fail(std::current_exception());
    }
    if (!cancelled_) batch_.done(std::move(answers), nullptr);
  }

  /// None once nobody wants it. Only what is shown, and has tags, costs the model a look.
  std::optional<TextAnswer> answer(const CutText& text) const {
    if (!text.task->model || text.lines.empty()) return TextAnswer{text.task->text};
    Ranks lines;
    for (std::size_t p = 0; p < text.lines.size(); ++p)
      lines.push_back(joined_line(text.task->model->loaded(), text.lines[p], text.best[p],
                                  {.words = batch_.words}));
    std::vector<std::string> all;
    for (const std::size_t rank : without_copies(lines)) {
      std::vector<const LineTranslation*> by;
      for (std::size_t p = 0; p < lines.size(); ++p) {
        if (!wanted()) return std::nullopt;
        LineTranslation& line = ranked(lines[p], rank);
        if (line.links.empty() && !text.document.passages[p].tags.empty())
          line = linked(text, p, rank);
        by.push_back(&line);
      }
      all.push_back(rendered(text.document, by));
    }
    TextAnswer result{all.front(), {all.begin() + 1, all.end()}};
    describe(text, lines, result);
    return result;
  }

  /// Adds the sentences, and what the vocabulary does not have of them.
  void describe(const CutText& text, const Ranks& lines, TextAnswer& into) const {
    for (std::size_t p = 0; p < lines.size(); ++p) {
      const Passage& passage = text.document.passages[p];
      const LineTranslation& best = lines[p].front();
      const auto start = static_cast<Index>(passage.start);
      if (!batch_.html)
        into.sentences.push_back({.start = start,
                                  .end = start + static_cast<Index>(passage.text.size()),
                                  .text = best.text,
                                  .score = best.hypothesis.score,
                                  .log_probability = best.hypothesis.log_probability,
                                  .words = best.words});
      const Tokenizer& source = *text.task->model->info().source;
      for (UnknownText each : unknown_text(source, passage.text, text.lines[p].tokens)) {
        each.start += start;
        each.end += start;
        into.unknown.push_back(std::move(each));
      }
    }
  }

  TextBatch batch_;
  std::vector<CutText> texts_;
  std::mutex mutex_;
  std::size_t missing_ = 0;  // jobs
  std::atomic<bool> cancelled_{false};
};

}  // namespace

DecodeSpec serve_decode_spec(const ModelSpec& model, Index beam, Index n_best) {
  return {.beam = std::max(beam, n_best),
          .n_best = n_best,
          .max_length = max_output_tokens(model, kMaxGenerated)};
}

bool translate_texts(TextBatch batch) {
  return std::make_shared<TextsJob>(std::move(batch))->start();
}

}  // namespace regard
