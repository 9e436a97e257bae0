#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "regard/base/check.h"
#include "regard/batch/corpus.h"

namespace regard::testing {

/// The bytes as one gzip member.
inline std::string gzip(const std::string& plain) {
  z_stream state{};
  EXPECT_EQ(deflateInit2(&state, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&state, plain.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  state.avail_in = static_cast<uInt>(plain.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

/// A folder of its own for every test, gone afterwards.
class InFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "regard-batch-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  /// The pairs of a corpus; its report stays in report_.
  std::vector<Pair> read(const std::vector<std::string>& paths, const Filters& filters = {}) {
    return read_corpus({.paths = paths, .from = "en", .to = "fr"}, filters, report_);
  }

  std::filesystem::path folder_;
  CorpusReport report_;
};

/// f must throw an Error with this fault whose message holds every one of the parts.
template <class F>
void expect_fault(Fault fault, const std::vector<std::string>& parts, const F& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, fault) << error.what();
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << error.what() << "\nexpected: " << part;
    return;
  }
  ADD_FAILURE() << "no Error; expected one that says: " << (parts.empty() ? "" : parts.front());
}

/// The most memory this process ever held, in MiB.
inline Index peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// How many MiB f takes at its peak beyond what is held now, in a process of its own: the peak of
/// an earlier test hides nothing there. 255 where f throws or does not give true.
template <class F>
Index memory_for(const F& f) {
  constexpr Index kWrong = 255;
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      const Index before = peak_memory();
      const bool right = f();
      ::_exit(static_cast<int>(right ? std::min(peak_memory() - before, kWrong) : kWrong));
    } catch (...) {
      ::_exit(static_cast<int>(kWrong));
    }
  }
  EXPECT_GT(child, 0);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kWrong;
}

}  // namespace regard::testing
