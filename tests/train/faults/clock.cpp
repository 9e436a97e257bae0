// A calendar clock that somebody keeps setting, by plan; what it shows is wrong from the first look
// on, and goes forth and back from look to look. The clocks that only rise are left alone.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tests/train/faults/turn.h"

namespace {

using namespace regard::testing;

time_t jumped(time_t seconds) {
  if (!plan || plan->jump == 0) return seconds;
  const int look = __atomic_add_fetch(&plan->calls, 1, __ATOMIC_RELAXED);
  return seconds + (look % 2 == 0 ? plan->jump : -plan->jump);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, struct timespec* time) {
  const int result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec = jumped(time->tv_sec);
  return result;
}

int gettimeofday(struct timeval* __restrict time, void* __restrict) {
  struct timespec now {};
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* into) {
  struct timespec now {};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
