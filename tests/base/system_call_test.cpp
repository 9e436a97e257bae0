#include "regard/base/system_call.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "regard/base/open_file.h"

namespace regard {
namespace {

TEST(SystemCall, WritesAllWhateverInterruptsIt) {
  struct sigaction counting {
  }, before{};
  static std::atomic<int> signals;
  signals = 0;
  counting.sa_handler = [](int) { ++signals; };  // without SA_RESTART: calls end with EINTR
  ASSERT_EQ(sigaction(SIGUSR1, &counting, &before), 0);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const std::string sent(1 << 20, 'x');  // more than a pipe takes at once

  const pthread_t writer = pthread_self();
  std::size_t came = 0;
  std::thread reader([&] {
    for (int i = 0; i < 20; ++i) {  // the pipe is full: a call of the writer's ends without a byte
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      pthread_kill(writer, SIGUSR1);
    }
    std::string piece(4096, ' ');
    for (ssize_t n = 1; n > 0 && came < sent.size(); came += static_cast<std::size_t>(n))
      n = ::read(from.get(), piece.data(), piece.size());
  });
  const std::size_t written = write_all(to.get(), sent);
  to.close();  // an end for the reader, whatever was written
  reader.join();
  EXPECT_EQ(written, sent.size());
  EXPECT_EQ(came, sent.size());
  EXPECT_GT(signals, 0);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(SystemCall, SaysWhatAFullDiskTook) {
  const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_GE(full.get(), 0);
  EXPECT_EQ(write_all(full.get(), "text"), 0u);
  EXPECT_EQ(errno, ENOSPC);
}

TEST(SystemCall, SaysThatWhatHasNoDiskWasNotFlushed) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Descriptor from(ends[0]), to(ends[1]);
  EXPECT_FALSE(flush_to_disk(to.get()));
  EXPECT_EQ(errno, EINVAL);
}

}  // namespace
}  // namespace regard
