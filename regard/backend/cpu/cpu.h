#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include "regard/base/real.h"
#include "regard/base/threads.h"

namespace regard {

/// The processor: its threads and the instruction set its kernels use.
class Cpu {
 public:
  /// The one of this process.
  static Cpu& get();

  /// Calls body(i) for i in [0, n), spread over the threads, in any order. The cut into tasks may
  /// follow the machine only where it decides no bit.
  template <class Body>
  void parallel(Index n, const Body& body) {
    pool_->run(n, body);
  }

  /// Calls body(begin, end) over [0, n) in pieces of `grain`: pieces follow from n, never from the
  /// number of threads. REQUIRES grain >= 1.
  template <class Body>
  void parallel_ranges(Index n, Index grain, const Body& body) {
    pool_->run((n + grain - 1) / grain,
               [&](Index piece) { body(piece * grain, std::min(n, (piece + 1) * grain)); });
  }

  int threads() const { return pool_->size(); }
  int concurrency() const { return pool_->concurrency(); }  ///< threads that have a core each
  void set_threads(int threads);                            ///< not while a kernel runs

  /// "avx2" or "avx512": what the kernels run on. REGARD_ISA=avx2 in the environment, or set_isa,
  /// holds a wider machine down; results are the same bits either way.
  std::string_view isa() const { return isa_; }
  void set_isa(std::string_view isa);

 private:
  Cpu();
  std::unique_ptr<ThreadPool> pool_;
  std::string_view isa_;
};

/// Memory of this thread that a kernel may scribble in until it returns; the same block every time.
/// Aligned to 64. A second call on the same thread invalidates the first.
std::byte* scratch_bytes(std::size_t bytes);

}  // namespace regard
