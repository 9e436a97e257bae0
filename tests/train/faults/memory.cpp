// Memory and threads that the system refuses by plan.
#include <pthread.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>

#include "tests/train/faults/turn.h"

namespace {

using namespace regard::testing;

}  // namespace

extern "C" {

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  if (fails("mmap")) return MAP_FAILED;
  static const auto next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  return next(address, size, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (fails("pthread_create")) return errno;
  static const auto next =
      real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return next(thread, attributes, start, argument);
}

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static bool is_refused(size_t size) {
  return plan && size >= plan->large && fails("malloc");
}

void* malloc(size_t size) {
  return is_refused(size) ? nullptr : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return is_refused(count * size) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* block, size_t size) {
  return is_refused(size) ? nullptr : __libc_realloc(block, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return is_refused(size) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  if (is_refused(size)) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

}  // extern "C"
