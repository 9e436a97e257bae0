// Real kills, real limits, a real full disk.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/base/rng.h"
#include "tests/train/checkpoint_testing.h"

namespace regard::testing {
namespace {

constexpr int kUncaught = 99;

/// Runs f in a process of its own, which then ends; its exit code, or -1 if it was killed.
int apart(const std::function<int()>& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    set_warning_sink([](std::string_view) {});
    const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    try {
      ::_exit(f());
    } catch (...) {
      ::_exit(kUncaught);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// covers CK1 (the store's share), CK20: fifty runs killed, each goes on where the last one was
TEST(Crash, KilledAtAnyMomentGoesOnAndLeavesNoGarbage) {
  const Scratch scratch;
  Index before = 0;
  for (int run = 0; run < 50; ++run) {
    const pid_t child = ::fork();
    if (child == 0) {
      CheckpointStore store(scratch.path(), 2);
      const std::optional<Checkpoint> newest = store.newest();
      for (Index step = newest ? newest->step + 1 : 1;; ++step) store.save(sample(step));
    }
    ::usleep(500 + static_cast<useconds_t>(Rng(7).below(static_cast<std::uint64_t>(run), 12000)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CheckpointStore store(scratch.path(), 2);
    const std::optional<Checkpoint> newest = store.newest();
    const Index step = newest ? newest->step : 0;
    ASSERT_GE(step, before) << "run " << run;
    ASSERT_TRUE(!newest || same(*newest, sample(step))) << "run " << run;
    // At most: two kept, one more before it is rotated away, one temporary of each kind, `latest`.
    ASSERT_LE(names_in(scratch.path()).size(), 6u);
    before = step;
  }
  EXPECT_GT(before, 20);
}

// covers CK19: who reads while the only checkpoint is replaced gets the old or the new
TEST(Crash, AReaderMeanwhileSeesAWholeOne) {
  const Scratch scratch;
  CheckpointStore(scratch.path(), 1).save(sample(1));
  std::atomic<bool> done = false;
  Index last = 1;
  std::thread writer([&] {
    CheckpointStore store(scratch.path(), 1);
    while (!done) store.save(sample(++last));
  });
  CheckpointStore reader(scratch.path(), 1);
  Index before = 1;
  for (Index reads = 0; reads < 200 || before < 100; ++reads) {
    const std::optional<Checkpoint> newest = reader.newest();
    EXPECT_TRUE(newest && same(*newest, sample(newest->step)));
    EXPECT_GE(newest ? newest->step : 0, before);
    before = newest ? newest->step : before;
  }
  done = true;
  writer.join();
  EXPECT_EQ(reader.newest().value().step, last);
}

// covers CK4: a limit on the size of files
TEST(Crash, ALimitOnFileSizesIsAnErrorAndHarmsNothing) {
  const Scratch scratch;
  CheckpointStore(scratch.path(), 1).save(sample(1));
  for (const rlim_t limit : {0, 1, 100, 1000, 2999})
    EXPECT_EQ(apart([&] {
                ::signal(SIGXFSZ, SIG_IGN);  // as the program does
                const rlimit limits{.rlim_cur = limit, .rlim_max = limit};
                ::setrlimit(RLIMIT_FSIZE, &limits);
                try {
                  CheckpointStore(scratch.path(), 1).save(sample(2));
                } catch (const Error& error) {
                  return exit_code(error.fault);
                }
                return 0;
              }),
              4);
  EXPECT_EQ(names_in(scratch.path()), (std::set<std::string>{"ckpt-1", "latest"}));
  EXPECT_TRUE(same(CheckpointStore(scratch.path(), 1).newest().value(), sample(1)));
}

// covers CK4: without the program's care the signal ends the process, and still nothing is lost
TEST(Crash, DeathByFileSizeHarmsNothing) {
  const Scratch scratch;
  CheckpointStore(scratch.path(), 1).save(sample(1));
  EXPECT_EQ(apart([&] {
              const rlimit limits{.rlim_cur = 1000, .rlim_max = 1000};
              ::setrlimit(RLIMIT_FSIZE, &limits);
              CheckpointStore(scratch.path(), 1).save(sample(2));
              return 0;
            }),
            -1);
  CheckpointStore store(scratch.path(), 1);
  EXPECT_TRUE(same(store.newest().value(), sample(1)));
  store.save(sample(3));
  EXPECT_EQ(names_in(scratch.path()), (std::set<std::string>{"ckpt-3", "latest"}));
}

/// Takes all memory this process may have, but for about as many bytes.
void use_up_memory(std::size_t but) {
  volatile char stack[1 << 18];  // its growth is not what is looked at
  for (std::size_t i = 0; i < sizeof stack; i += 1024) stack[i] = 0;
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  pages += 1024;  // to be had once all is given back, whatever holes the heap has
  const rlimit limits{.rlim_cur = pages * 4096, .rlim_max = pages * 4096};
  ::setrlimit(RLIMIT_AS, &limits);
  constexpr std::size_t kSmall = 256;
  struct Block {
    Block* next;
  }* taken = nullptr;
  for (std::size_t size = 1 << 20; size >= kSmall; size /= 2)
    while (void* memory = std::malloc(size)) taken = new (memory) Block{taken};
  for (std::size_t given = 0; taken && given < but; given += kSmall)
    std::free(std::exchange(taken, taken->next));
}

// covers CK21: memory runs out at any point of a save. That may end the process too, as the JSON
// library takes memory while it cleans up.
TEST(Crash, OutOfMemoryHarmsNothing) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "skipped: a sanitizer takes more memory than any limit";
#endif
  const Scratch scratch;
  int short_of_memory = 0, enough = 0;
  // To the end where all is given back: small blocks from all over the heap may not make a large
  // one.
  for (std::size_t spare = 0; spare < 256'000'000; spare += spare < 8000 ? 250 : spare) {
    const std::string folder = scratch / std::to_string(spare);
    CheckpointStore(folder, 1).save(sample(1));
    const Checkpoint next = sample(2);
    CheckpointStore store(folder, 1);
    const int code = apart([&] {
      ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
      use_up_memory(spare);
      store.save(next);
      return 0;
    });
    short_of_memory += code != 0;
    enough += code == 0;
    const Checkpoint newest = CheckpointStore(folder, 1).newest().value();
    ASSERT_TRUE(same(newest, sample(newest.step))) << spare;
    ASSERT_TRUE(code != 0 || newest.step == 2) << spare;
  }
  EXPECT_GT(short_of_memory, 3);
  EXPECT_GT(enough, 0);
}

/// Saves ever larger checkpoints until the disk is full, as many as it takes; 0 if the last
/// whole one is still whole and a smaller one fits afterwards.
int fill_disk(const std::string& folder) {
  CheckpointStore store(folder, 1);
  Index saved = 0;
  std::size_t size = 1000;
  try {
    for (;; size += 10000) {
      store.save(sample(saved + 1, size));
      ++saved;
    }
  } catch (const Error& error) {
    if (error.fault != Fault::io) return 10;
  }
  if (saved < 2) return 11;
  if (!same(store.newest().value(), sample(saved, size - 10000))) return 12;
  if (names_in(folder).size() != 2) return 13;  // nothing half made is left
  try {
    store.check_space(static_cast<Index>(size) * 3);
    return 14;
  } catch (const Error&) {
  }
  store.save(sample(saved + 1, 500));
  return same(store.newest().value(), sample(saved + 1, 500)) ? 0 : 15;
}

// covers CK4, CK5
TEST(Crash, AFullDiskHarmsNothing) {
  const Scratch scratch;
  constexpr int kNotAllowed = 77;
  const int code = apart([&] {
    // A disk of its own that no other process sees, and that goes away with this one.
    if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return kNotAllowed;
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", scratch.path().c_str(), "tmpfs", 0, "size=256k") != 0)
      return kNotAllowed;
    return fill_disk(scratch.path());
  });
  if (code == kNotAllowed) GTEST_SKIP() << "skipped: may not mount a small disk here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace regard::testing
