#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "regard/batch/builtin/corpus.h"
#include "regard/image/png_writer.h"
#include "regard/model/architecture.h"
#include "tests/cli/program.h"

namespace regard::testing {

/// The text holds the part.
inline ::testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "not said: " << part << "\nbut: " << text;
}

/// The pattern is found in the text.
inline ::testing::AssertionResult matches(const std::string& text, const std::string& pattern) {
  const ::testing::Matcher<const std::string&> found = ::testing::ContainsRegex(pattern);
  if (found.Matches(text)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "not found: " << pattern << "\nin: " << text;
}

/// A program at work, to be sent signals.
class Running {
 public:
  /// What it says goes to the file, or nowhere.
  explicit Running(const std::vector<std::string>& arguments,
                   const std::string& says = "/dev/null") {
    std::vector<std::string> words{REGARD_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ != 0) return;
    const int said = open(says.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~Running() {
    if (process_ > 0) send(SIGKILL), wait();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const {
    if (process_ > 0) kill(process_, signal);  // 0 would be this process and all its kin
  }

  bool ended() {
    int status = 0;
    if (process_ > 0 && waitpid(process_, &status, WNOHANG) == process_) note(status);
    return process_ == 0;
  }

  bool ends_within(std::chrono::duration<double> time) {
    const auto start = std::chrono::steady_clock::now();
    while (!ended() && std::chrono::steady_clock::now() - start < time)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    return ended();
  }

  /// Its exit code; 128 + the signal's number where one ended it.
  int wait() {
    int status = 0;
    if (process_ > 0 && waitpid(process_, &status, 0) == process_) note(status);
    return code_;
  }

 private:
  void note(int status) {
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    process_ = 0;
  }

  pid_t process_ = 0;
  int code_ = 0;
};

/// Waits until f says yes, for 20 seconds at most.
template <class F>
bool wait_for(const F& f) {
  for (int i = 0; i < 4000; ++i) {
    if (f()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// Text and settings of a training that takes a fraction of a second.
class MicroTraining {
 public:
  const Folder folder;
  const std::string architecture;

  explicit MicroTraining(
      const std::filesystem::path& inside = std::filesystem::temp_directory_path(),
      std::string_view architecture = "transformer")
      : folder(inside), architecture(architecture) {
    std::string english, french, labels, pictures, labelled;
    Index number = 0;
    for (const Pair& pair : builtin_en_fr({.pairs = 60})) {
      english += pair.source + "\n";
      french += pair.target + "\n";
      const std::string label = pair.source.ends_with('.') ? "calm\n" : "lively\n";
      labels += label;
      const std::string picture = std::to_string(number) + ".png";
      const auto level = static_cast<std::uint8_t>(4 * number++);
      if (reads() == Reads::image)
        folder.write(picture, png_bytes(2, 2, std::vector<std::uint8_t>(12, level)));
      pictures += picture + "\t" + pair.target + "\n";
      labelled += picture + "\t" + label;
    }
    folder.write("text.en", english);
    folder.write("text.fr", french);
    folder.write("labels.txt", labels);
    folder.write("pictures.fr.tsv", pictures);
    folder.write("pictures.labels.tsv", labelled);
    std::string series = "time,a,b\n";
    for (int i = 0; i < 200; ++i)
      series +=
          std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i * i % 11) + "\n";
    folder.write("series.csv", series);
    folder.write("micro.toml", R"([vocab]
type = "words"
joint = false
min_frequency = 1
[model]
d_model = 16
d_hidden = 16
heads = 2
encoder_layers = 1
decoder_layers = 1
dropout = 0.1
[train]
steps = 60
batch_tokens = 60
learning_rate = 0.01
warmup = 4
validate_every = 20
validate_sentences = 4
average_best = 2
log_every = 3
save_every = 4
samples = 1
)");
  }

  Reads reads() const { return find_architecture(architecture).reads; }
  std::string run(const std::string& name) const { return folder.path(name); }

  /// `train` into a folder of this name.
  std::vector<std::string> arguments(const std::string& name,
                                     std::vector<std::string> more = {}) const {
    const Architecture& made = find_architecture(architecture);
    std::vector<std::string> all{"train", "--train"};  // not last: -- after a list only ends it
    if (made.reads == Reads::series) {
      all.insert(all.end(), {folder.path("series.csv"), "--arch", architecture, "--model",
                             run(name), "--config", folder.path("micro.toml")});
      for (const char* setting : {"model.context=16", "model.horizon=4", "model.patch=4",
                                  "model.stride=4", "train.batch_tokens=40"})
        all.insert(all.end(), {"--set", setting});
      all.insert(all.end(), more.begin(), more.end());
      return all;
    }
    const bool text = made.reads == Reads::text, labels = made.writes == Writes::label;
    if (made.reads == Reads::image) {
      const std::string list = labels ? "pictures.labels.tsv" : "pictures.fr.tsv";
      all.insert(all.end(), {folder.path(list), "--set", "model.image_size=4", "--set",
                             "model.image_patch=2"});
    } else {
      if (text) all.push_back(folder.path("text.en"));
      all.push_back(folder.path(labels ? "labels.txt" : "text.fr"));
    }
    if (text) all.insert(all.end(), {"--from", "en"});
    if (made.writes == Writes::text) all.insert(all.end(), {"--to", "fr"});
    if (architecture != "transformer") all.insert(all.end(), {"--arch", architecture});
    all.insert(all.end(), {"--model", run(name), "--config", folder.path("micro.toml")});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Outcome train(const std::string& name, const std::vector<std::string>& more = {},
                const Surroundings& given = {}) const {
    return run_regard(arguments(name, more), given);
  }
};

/// Waits until training is well under way.
inline bool has_saved(const MicroTraining& training, const std::string& name) {
  return wait_for(
      [&] { return std::filesystem::exists(training.run(name) + "/checkpoints/latest"); });
}

/// Every file of a run by its path, but for the lock and for what depends on the machine.
inline std::map<std::string, std::string> files_of(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (!entry.is_regular_file() || name == "lock" || name == "speed.jsonl") continue;
    std::ostringstream content;
    content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    all[name] = content.str();
  }
  return all;
}

/// The names of the files that differ or are only in one.
inline std::string differing_files(const std::string& one, const std::string& other) {
  auto a = files_of(one), b = files_of(other);
  std::string names;
  for (const auto& [name, bytes] : a)
    if (!b.contains(name) || b[name] != bytes) names += name + " ";
  for (const auto& [name, bytes] : b)
    if (!a.contains(name)) names += name + " ";
  return names;
}

}  // namespace regard::testing
