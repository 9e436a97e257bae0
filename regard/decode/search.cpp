#include "regard/decode/search.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "regard/backend/cpu/cpu.h"
#include "regard/base/check.h"
#include "regard/decode/pool.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr Index kUsualTokens = 1024;  // at work in a thread, once for each hypothesis

void check_counts(std::span<const Ids> sources, const SearchHooks& hooks) {
  const auto fits = [&](std::size_t count) { return count == 0 || count == sources.size(); };
  check(fits(hooks.prefixes.size()), "expected a prefix for each of ", sources.size(),
        " sources, got ", hooks.prefixes.size());
  check(fits(hooks.places.size()), "expected a place for each of ", sources.size(),
        " sources, got ", hooks.places.size());
  check(fits(hooks.logs.size()), "expected a log for each of ", sources.size(), " sources, got ",
        hooks.logs.size());
}

PoolSentence sentence_of(std::span<const Ids> sources, std::size_t i, const DecodeSpec& spec,
                         const SearchHooks& hooks) {
  return {
      .source = sources[i],
      .spec = spec,
      .place = hooks.places.empty() ? SourcePlace{.line = static_cast<Index>(i)} : hooks.places[i],
      .prefix = hooks.prefixes.empty() ? Ids() : hooks.prefixes[i],
      .log = hooks.logs.empty() ? nullptr : &hooks.logs[i]};
}

/// The sentences of one call, shared out among pools: each takes the next ones when it has room.
class Work {
 public:
  Work(const SequenceModel& model, std::span<const Ids> sources, const DecodeSpec& spec,
       const SearchHooks& hooks)
      : model_(model),
        sources_(sources),
        spec_(spec),
        hooks_(hooks),
        results_(sources.size()),
        ready_(sources.size()) {}

  /// Translates until nothing is left, with a pool of that many tokens. Only the thread that asked
  /// for the translations tells of them.
  void take_part(Index batch_tokens, bool tells) {
    try {
      TranslationPool pool(model_, batch_tokens);
      std::vector<std::size_t> sentences;  // by ticket
      while (add_to(pool, sentences) || !pool.idle()) {
        for (PoolResult& result : pool.advance()) {
          const std::size_t sentence = sentences[result.ticket];
          put(sentence, std::move(result));
        }
        if (tells) tell();
      }
    } catch (...) {
      note(sources_.size(), std::current_exception());
    }
  }

  /// Tells of what is ready while others work.
  void tell_while(const std::atomic<int>& others) {
    std::unique_lock lock(mutex_);
    while (others.load() > 0) {
      changed_.wait(lock);
      lock.unlock();
      try {
        tell();
      } catch (...) {
        note(sources_.size(), std::current_exception());
      }
      lock.lock();
    }
  }

  void wake() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  /// Every translation; or, when those before it are told, the error of the first that has one.
  std::vector<std::vector<Hypothesis>> results() {
    tell();
    if (error_) std::rethrow_exception(error_);
    return std::move(results_);
  }

 private:
  /// False where the pool has room but nothing is left.
  bool add_to(TranslationPool& pool, std::vector<std::size_t>& sentences) {
    while (pool.roomy()) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= sources_.size()) return false;
      pool.add(sentence_of(sources_, i, spec_, hooks_));
      sentences.push_back(i);
    }
    return true;
  }

  void put(std::size_t sentence, PoolResult result) {
    if (result.error) return note(sentence, result.error);
    const std::lock_guard lock(mutex_);
    results_[sentence] = std::move(result.best);
    ready_[sentence] = true;
    changed_.notify_all();
  }

  /// An error of that sentence: no other is begun. Those before it are begun already, so that the
  /// first one with an error is the same however sentences were shared out.
  void note(std::size_t sentence, std::exception_ptr error) {
    next_.store(sources_.size());
    const std::lock_guard lock(mutex_);
    if (error_ && failed_ <= sentence) return;
    failed_ = sentence;
    error_ = std::move(error);
  }

  void tell() {
    for (;;) {
      const std::size_t next = told_;
      {
        const std::lock_guard lock(mutex_);
        if (next == results_.size() || !ready_[next] || (error_ && next >= failed_)) return;
      }
      told_ = results_.size();  // what `done` throws ends the telling
      if (hooks_.done) hooks_.done(static_cast<Index>(next), results_[next]);
      told_ = next + 1;
    }
  }

  const SequenceModel& model_;
  const std::span<const Ids> sources_;
  const DecodeSpec& spec_;
  const SearchHooks& hooks_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // of what follows but told_, which is the caller's
  std::condition_variable changed_;
  std::vector<std::vector<Hypothesis>> results_;
  std::vector<char> ready_;
  std::exception_ptr error_;
  std::size_t failed_ = 0;
  std::size_t told_ = 0;
};

/// Source tokens, once for each hypothesis: what a batch is measured by.
Index cost(const SequenceModel& model, std::span<const Ids> sources, const DecodeSpec& spec) {
  Index tokens = 0;
  for (const Ids& source : sources)
    tokens += std::max<Index>(1, model.source_rows(static_cast<Index>(source.size())));
  return tokens * spec.hypotheses();
}

}  // namespace

// All weights of a wide model in f32 are read from memory at every step: the more rows share that,
// the better, as long as the keys of their sources stay in the cache. Hypotheses of a sentence
// share those.
Index batch_tokens(const SequenceModel& model, const DecodeSpec& spec) {
  constexpr Index kWide = 512, kMostTimes = 4;
  if (spec.batch_tokens != 0) return spec.batch_tokens;  // a limit, for the sake of memory
  const OutputLayer& output = model.output();
  const bool wide = output.table.size(1) >= kWide && !output.is_int8();
  return kUsualTokens * (wide ? std::min(spec.hypotheses(), kMostTimes) : 1);
}

// One pool for each core where all get enough to do, and kernels run in place: that saves waiting
// for one another at every kernel. Else one pool, whose kernels share out their work.
std::vector<std::vector<Hypothesis>> translate(const SequenceModel& model,
                                               std::span<const Ids> sources, const DecodeSpec& spec,
                                               const SearchHooks& hooks) {
  check_counts(sources, hooks);
  check_search(model, spec);
  for (const Ids& prefix : hooks.prefixes) check_prefix(model, prefix);
  Work work(model, sources, spec, hooks);
  const Index cores = Cpu::get().concurrency(), all = cost(model, sources, spec);
  const Index most = batch_tokens(model, spec);
  if (cores == 1 || all < cores * std::max<Index>(std::min(most, kUsualTokens) / 2, 1)) {
    work.take_part(most, /*tells=*/true);
    return work.results();
  }
  const Index room = std::min(most, (all + cores - 1) / cores);
  std::atomic<int> others = static_cast<int>(cores) - 1;
  const std::function<void()> take_part = [&] {
    work.take_part(room, /*tells=*/false);
    --others;
    work.wake();
  };
  {
    const SideThreads threads(others, take_part);
    others -= static_cast<int>(cores) - 1 - threads.size();
    const InPlace alone;
    work.take_part(room, /*tells=*/true);
    work.tell_while(others);
  }
  return work.results();
}

}  // namespace regard
