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
using testing::SmallModel;
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

const SmallModel kKinds[]{{}, {.architecture = "bahdanau"}, {.subwords = true}};

TEST(TranslateInput, OneLineInOneLineOut) {  // covers CL3, TK7
  const Folder folder;
  for (const SmallModel& kind : kKinds) {
    const std::string model = write_small_model(folder, kind);
    // Short translations: the law is about the input.
    const std::string most = kind.subwords ? "2" : "16";
    for (const std::string& input : {joined_lines(kNasty), joined_lines(kNasty) + "last"}) {
      const Outcome outcome =
          run_regard({"translate", "-m", model, "--max-length", most}, {.input = input});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const std::vector<std::string> found = lines_of(outcome.out);
      EXPECT_EQ(found.size(), kNasty.size() + (input.ends_with('\n') ? 0 : 1));
      EXPECT_TRUE(outcome.out.ends_with('\n'));
      for (const std::size_t i : {1u, 2u, 3u, 4u}) EXPECT_EQ(found[i], "") << i;
      EXPECT_NE(found[18], "");
      // What is too long, what is unknown and, of a model that nobody trained, empty translations.
      EXPECT_LE(std::ranges::count(outcome.err, '\n'), 3) << outcome.err;
      const std::string warned = kind.subwords ? "line 19 has " : "line 20 has 5000 tokens";
      EXPECT_NE(outcome.err.find(warned), std::string::npos) << outcome.err;
    }
    const Outcome json = run_regard({"translate", "-m", model, "--json", "--alignment", "--n-best",
                                     "2", "-q", "--max-length", most},
                                    {.input = joined_lines(kNasty)});
    const std::vector<std::string> objects = lines_of(json.out);
    ASSERT_EQ(objects.size(), kNasty.size());
    for (const std::string& object : objects)
      EXPECT_TRUE(nlohmann::json::accept(object)) << object.substr(0, 100);
    EXPECT_EQ(run_regard({"translate", "-m", model}, {.input = ""}).out, "");
    EXPECT_EQ(run_regard({"translate", "-m", model}, {.input = "\n"}).out, "\n");
  }
}

TEST(TranslateInput, ManyEmptyLinesStayAsMany) {  // covers CL3
  const Folder folder;
  const std::string model = write_small_model(folder), empty(200'000, '\n');
  const Outcome outcome = run_regard({"translate", "-m", model}, {.input = empty});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out == empty) << std::ranges::count(outcome.out, '\n');
}

TEST(TranslateInput, AClosedInputIsNotAnEmptyOne) {  // covers CL3
  const Folder folder;
  const std::string model = write_small_model(folder), tokens = model + "/source.tokens";
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"translate", "-m", model},
                                             {"score", "-m", model},
                                             {"vocab", "--encode", tokens},
                                             {"attend", "--query", "-"}}) {
    const Outcome outcome = run_regard(command, {.input_closed = true});
    EXPECT_EQ(outcome.code, 4) << command[0] << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("read failed: Bad file descriptor"), std::string::npos)
        << command[0] << outcome.err;
  }
}

TEST(TranslateInput, NoFirstLineIsSpecial) {  // covers CL3
  const Folder folder;
  const std::string model = write_small_model(folder);
  std::vector<std::string> first = kNasty;
  // What other formats begin with: UTF-16, cut gzip, zip, bzip2, zstd, xz.
  for (const char* start : {"\xff\xfe a", "\xfe\xff a", "\x1f", "\x1f\x8b", "\x1f\x8b a",
                            "PK\x03\x04", "BZh91AY&SY", "\x28\xb5\x2f\xfd", "\xfd\x37\x7aXZ"})
    first.emplace_back(start);
  for (const std::string& line : first) {
    if (line.size() > 100) continue;  // slow, and none of their first bytes are new
    for (const std::string& input : {line + "\nb\n", line + "\r\nb", "b\n" + line}) {
      const Outcome outcome =
          run_regard({"translate", "-m", model, "--beam", "1"}, {.input = input});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(std::ranges::count(outcome.out, '\n'), input == "b\n" ? 1 : 2) << input;
    }
    const int one_tab = line == "\t" ? 3 : 0;  // else the line is no pair
    EXPECT_EQ(run_regard({"score", "-m", model}, {.input = line + "\tA\n"}).code, one_tab) << line;
    const Outcome pieces =
        run_regard({"vocab", "--encode", model + "/source.tokens"}, {.input = line + "\n"});
    EXPECT_EQ(std::ranges::count(pieces.out, '\n'), 1) << line;
  }
}

TEST(TranslateInput, LongLinesLoseNothing) {  // covers NU12
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
  EXPECT_EQ(count, 16) << "a <|pad|> <|bos|> <|eos|> <|/|s|> <unk> b";
}

/// The program at work with a pipe at either end.
class Talk {
 public:
  /// Output and errors go to files where those are named.
  explicit Talk(const std::vector<std::string>& arguments, const std::string& output = "",
                const std::string& errors = "") {
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) throw std::runtime_error("no pipe");
    child_ = fork();
    if (child_ == 0) {
      const auto file = [](const std::string& path) {
        return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      };
      dup2(in[0], STDIN_FILENO);
      dup2(output.empty() ? out[1] : file(output), STDOUT_FILENO);
      if (!errors.empty()) dup2(file(errors), STDERR_FILENO);
      for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
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
  /// All that it says from here to its end.
  std::string rest() {
    std::string text;
    char piece[4096];
    for (ssize_t n; (n = ::read(from_, piece, sizeof piece)) > 0;)
      text.append(piece, static_cast<std::size_t>(n));
    return text;
  }
  void send(int signal) { kill(child_, signal); }
  int code() {
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  int end_by(int signal) {
    send(signal);
    return code();
  }

 private:
  pid_t child_;
  int to_, from_;
};

TEST(TranslateInput, AnswersALineBeforeTheNextAndEndsWhenAsked) {  // covers CL10
  const Folder folder;
  const std::string model = write_small_model(folder);
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

TEST(TranslateInput, InterruptedItHasSaidWholeLines) {  // covers CL10
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::string in = folder.write("in", repeated("a b\nc d e\n\nf\n", 1000));
  const std::vector<std::string> command{"translate", "-m",     model, "-i",           in,
                                         "--json",    "--beam", "1",   "--max-length", "4"};
  const Outcome all = run_regard(command);
  ASSERT_EQ(all.code, 0) << all.err;
  ASSERT_EQ(lines_of(all.out).size(), 4000u);
  // More than twice what a pipe holds: it cannot have said all when the signal comes.
  ASSERT_GT(all.out.size(), std::size_t{1} << 17);
  Talk talk(command);
  std::string said = talk.answer();
  talk.send(SIGINT);
  said.append("\n").append(talk.rest());
  EXPECT_EQ(talk.code(), 128 + SIGINT);
  EXPECT_TRUE(said.ends_with('\n'));
  EXPECT_LT(said.size(), all.out.size());
  EXPECT_TRUE(all.out.starts_with(said)) << said.substr(0, 200);
}

/// Waits until the file holds so many lines; false: it took ten seconds.
bool comes_to_hold(const Folder& folder, const std::string& name, std::size_t lines) {
  for (int i = 0; i < 500; ++i) {
    if (lines_of(folder.read(name)).size() >= lines) return true;
    usleep(20'000);
  }
  return false;
}

TEST(TranslateInput, StoppedItKeepsWhatWasDone) {  // covers CL2
  const Folder folder;
  const std::string model = write_small_model(folder);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"translate", "--interactive"}, {"score", "--json"}}) {
    const bool scores = command[0] == "score";
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"-m", model, "-o", folder.path("out")});
    std::filesystem::remove(folder.path("out.part"));
    Talk talk(arguments, "", folder.path("err"));
    // Scores are written many together.
    talk.say(scores ? repeated("a\tA\n", 4000) : "a b c\n");
    EXPECT_TRUE(comes_to_hold(folder, "out.part", 1));
    EXPECT_EQ(talk.end_by(SIGINT), 128 + SIGINT);
    EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
    EXPECT_TRUE(folder.read("out.part").ends_with('\n'));
    const std::string told = folder.read("err");
    EXPECT_TRUE(
        told.ends_with("regard: stopped; what was done is in " + folder.path("out") + ".part\n"))
        << told;
  }
}

TEST(TranslateInput, InteractiveMeansAFileToo) {  // covers CL10
  const Folder folder;
  Talk talk({"translate", "-m", write_small_model(folder), "--interactive"}, folder.path("out"));
  for (std::size_t i = 1; i <= 3; ++i) {
    talk.say("a b\n");
    EXPECT_TRUE(comes_to_hold(folder, "out", i));
  }
  EXPECT_EQ(talk.end_by(SIGTERM), 128 + SIGTERM);
}

}  // namespace
}  // namespace regard
