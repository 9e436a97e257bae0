#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace regard::testing {

constexpr bool kUnderSanitizer =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

/// REGARD_LONG_TESTS=1: everything is tried, not a few samples.
inline bool is_long_test() {
  const char* asked = std::getenv("REGARD_LONG_TESTS");
  return asked && std::string(asked) == "1";
}

/// Where files are in memory, if there is such a place: for tests that write and flush thousands of
/// times, and ask nothing of a disk.
inline std::filesystem::path memory_folder() {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

/// A folder that goes away with its content.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& inside = std::filesystem::temp_directory_path()) {
    std::string name = (inside / "regard-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name = "") const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ostringstream content;
    content << std::ifstream(path(name), std::ios::binary).rdbuf();
    return content.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    return all;
  }

 private:
  std::filesystem::path path_;
};

/// What a run of the program is given besides its arguments.
struct Surroundings {
  std::string input{};
  std::vector<std::pair<std::string, std::string>> environment{};
  std::string output_to{};  ///< a file instead of being read back
  bool output_closed = false;
  rlim_t largest_file = RLIM_INFINITY;
  std::vector<std::pair<int, rlim_t>> limits{};  ///< RLIMIT_AS and the like
  std::string folder{};                          ///< to run in; none: where the test runs
  mode_t umask = 022;
  bool input_closed = false;
  std::vector<std::string> unset{};  ///< variables of the environment
  std::string program = REGARD_PROGRAM;
};

struct Outcome {
  int code = 0;  ///< 128 + the signal's number where one ended it
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs the real program.
inline Outcome run_regard(const std::vector<std::string>& arguments,
                          const Surroundings& given = {}) {
  const Folder folder;
  folder.write("in", given.input);
  std::vector<std::string> words{given.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = given.output_to.empty() ? folder.path("out") : given.output_to;

  const pid_t child = fork();
  if (child == 0) {
    for (const char* name : {"REGARD_THREADS", "REGARD_ISA", "LC_ALL", "LANG", "COLUMNS"})
      unsetenv(name);
    for (const auto& [name, value] : given.environment) setenv(name.c_str(), value.c_str(), 1);
    for (const std::string& name : given.unset) unsetenv(name.c_str());
    dup2(open(folder.path("in").c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(folder.path("err").c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    if (given.input_closed) close(STDIN_FILENO);
    if (given.output_closed) close(STDOUT_FILENO);
    const rlimit limit{given.largest_file, given.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (const auto& [resource, most] : given.limits) {
      const rlimit tight{most, most};
      setrlimit(static_cast<__rlimit_resource>(resource), &tight);
    }
    if (!given.folder.empty() && chdir(given.folder.c_str()) != 0) _exit(126);
    umask(given.umask);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome{.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  .out = given.output_to.empty() ? folder.read("out") : "",
                  .err = folder.read("err")};
  return outcome;
}

}  // namespace regard::testing
