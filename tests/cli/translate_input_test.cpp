// One line in, one line out, whatever the line holds and however it comes.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using testing::Folder;
using testing::joined_lines;
using testing::lines_of;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

const std::vector<std::string> kNasty{"a",
                                      "",
                                      "   ",
                                      "\t",
                                      std::string("\0", 1),
                                      std::string("a\0b", 3),
                                      "\xff\xfe\x80",
                                      "\xc0\xaf a",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80 b",
                                      "\xef\xbb\xbf",
                                      "a\rb",
                                      "a\r",
                                      "a\xe2\x80\xa8"
                                      "b\xc2\x85"
                                      "c",
                                      "\x1b[31m a \x07",
                                      "👩‍👩‍👧 a 😀😀",
                                      "שלום a",
                                      "<pad> <bos> <eos> </s> <unk> >>fra<<",
                                      repeated("x", 10'000),
                                      repeated("a ", 5'000),
                                      repeated("a b . ", 1'700),
                                      repeated("😀", 2'500),
                                      std::string(10'000, '\0'),
                                      "z"};

TEST(TranslateInput, OneLineInOneLineOut) {  // covers CL3, TK7
  const Folder folder;
  for (const char* architecture : {"transformer", "bahdanau"}) {
    const std::string model = write_small_model(folder, {.architecture = architecture});
    for (const std::string& input : {joined_lines(kNasty), joined_lines(kNasty) + "last"}) {
      const Outcome outcome = run_regard({"translate", "-m", model}, {.input = input});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const std::vector<std::string> found = lines_of(outcome.out);
      EXPECT_EQ(found.size(), kNasty.size() + (input.ends_with('\n') ? 0 : 1));
      EXPECT_TRUE(outcome.out.ends_with('\n'));
      for (const std::size_t i : {1u, 2u, 3u, 4u}) EXPECT_EQ(found[i], "") << i;
      EXPECT_NE(found[18], "");
      EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
      EXPECT_NE(outcome.err.find("line 20 has 5000 tokens"), std::string::npos) << outcome.err;
    }
    const Outcome json =
        run_regard({"translate", "-m", model, "--json", "--alignment", "--n-best", "2", "-q"},
                   {.input = joined_lines(kNasty)});
    const std::vector<std::string> objects = lines_of(json.out);
    ASSERT_EQ(objects.size(), kNasty.size());
    for (const std::string& object : objects)
      EXPECT_TRUE(nlohmann::json::accept(object)) << object.substr(0, 100);
    EXPECT_EQ(run_regard({"translate", "-m", model}, {.input = ""}).out, "");
    EXPECT_EQ(run_regard({"translate", "-m", model}, {.input = "\n"}).out, "\n");
  }
}

TEST(TranslateInput, LongLinesLoseNothing) {
  const Folder folder;
  // A learned table has 12 positions: pieces of 11 tokens, cut after a sentence where there is one.
  const std::string model = write_small_model(folder, {.position = "learned", .max_length = 12});
  const auto one = [&](const std::string& line) {
    const Outcome outcome = run_regard({"translate", "-m", model, "-q", "--alignment", "--json"},
                                       {.input = line + "\n"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.json();
  };
  const auto whole = one("a b c d e f g . h i j k l m");
  const auto first = one("a b c d e f g ."), second = one("h i j k l m");
  EXPECT_EQ(whole["translation"], first["translation"].get<std::string>() + " " +
                                      second["translation"].get<std::string>());
  EXPECT_EQ(whole["source_tokens"].size(), 14u);
  EXPECT_NEAR(whole["log_probability"],
              first["log_probability"].get<double>() + second["log_probability"].get<double>(),
              1e-9);
  const std::string links = whole["alignment"], head = first["alignment"];
  EXPECT_TRUE(links.starts_with(head)) << links;
  std::istringstream rest(links.substr(head.size()));
  for (std::string link; rest >> link;) EXPECT_GE(std::stoi(link), 8) << links;
}

TEST(TranslateInput, TextIsNeverACommand) {  // covers TK9
  const Folder folder;
  const std::string model = write_small_model(folder);
  const Outcome ids = run_regard({"vocab", "--encode", model + "/source.tokens", "--ids"},
                                 {.input = "a <pad> <bos> <eos> </s> <unk> b\n"});
  ASSERT_EQ(ids.code, 0) << ids.err;
  std::istringstream numbers(ids.out);
  int count = 0;
  for (int id; numbers >> id; ++count) EXPECT_GE(id, 3);
  EXPECT_EQ(count, 7);
}

/// The program at work with a pipe at either end.
class Talk {
 public:
  explicit Talk(const std::vector<std::string>& arguments) {
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) throw std::runtime_error("no pipe");
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int file : {in[0], in[1], out[0], out[1]}) close(file);
      std::vector<std::string> words{REGARD_PROGRAM};
      words.insert(words.end(), arguments.begin(), arguments.end());
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~Talk() {
    close(to_);
    close(from_);
  }
  void say(const std::string& text) {
    EXPECT_EQ(::write(to_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string answer() {
    std::string line;
    for (char c; ::read(from_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  int end_by(int signal) {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  pid_t child_;
  int to_, from_;
};

TEST(TranslateInput, AnswersALineBeforeTheNextAndEndsWhenAsked) {  // covers CL10
  const Folder folder;
  const std::string model = write_small_model(folder), kept = folder.path("kept");
  const auto alone = [&](const std::string& line) {
    return lines_of(run_regard({"translate", "-m", model}, {.input = line + "\n"}).out)[0];
  };
  for (const int signal : {SIGINT, SIGTERM}) {
    Talk talk({"translate", "-m", model});
    for (const char* line : {"a b c", "", "d e"}) {
      talk.say(std::string(line) + "\n");
      EXPECT_EQ(talk.answer(), alone(line));
    }
    talk.say("half a li");
    EXPECT_EQ(talk.end_by(signal), 128 + signal);
    EXPECT_EQ(talk.answer(), "");
  }
}

}  // namespace
}  // namespace regard
