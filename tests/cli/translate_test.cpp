#include <gtest/gtest.h>

#include <algorithm>
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

const std::vector<std::string> kLines{
    "a b c",    "the black cat sleeps at home .", "", "p o n m l k j i", "d", "e f g .", "h h h h",
    "a b c d e"};

Outcome translate(const std::string& model, std::vector<std::string> more,
                  const std::string& input) {
  more.insert(more.begin(), {"translate", "--model", model});
  return run_regard(more, {.input = input});
}

TEST(Translate, TakesAFileBehindAnAlignmentWithoutAValue) {
  const Folder folder;
  const std::string model = write_small_model(folder), input = joined_lines(kLines),
                    file = folder.write("in", input);
  const Outcome found = translate(model, {"--alignment", file}, "");
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(found.out, translate(model, {file, "--alignment"}, "").out);
  EXPECT_EQ(found.out, translate(model, {"--alignment"}, input).out);
}

TEST(Translate, GivesTheSameBytesHoweverItIsRun) {  // covers CL5
  const Folder folder;
  const std::string input = joined_lines(kLines), packed = folder.path("in.gz");
  ASSERT_EQ(std::system(("gzip -c '" + folder.write("in", input) + "' >'" + packed + "'").c_str()),
            0);
  for (const testing::SmallModel& kind :
       std::vector<testing::SmallModel>{{}, {.architecture = "bahdanau"}, {.subwords = true}}) {
    const std::string model = write_small_model(folder, kind);
    const Outcome first = translate(model, {"--alignment", "--scores"}, input);
    ASSERT_EQ(first.code, 0) << first.err;
    // A model that nobody trained may have nothing to say.
    EXPECT_TRUE(first.err.empty() || (lines_of(first.err).size() == 1 &&
                                      first.err.find("an empty translation") != std::string::npos))
        << first.err;
    const std::vector<std::string> found = lines_of(first.out);
    ASSERT_EQ(found.size(), kLines.size());
    EXPECT_EQ(found[2], "\t0.0000\t");
    for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
             {"--threads", "1"},
             {"--threads", "2"},
             {"--batch-tokens", "1"},
             {"--batch-tokens", "7"},
             {"--batch-tokens", "4k"},
             {"--interactive"},
             {"-i", folder.path("in")},
             {"-i", packed},
             {"-i", folder.write("in without an end\n", input.substr(0, input.size() - 1))}}) {
      std::vector<std::string> all{"--alignment", "--scores"};
      all.insert(all.end(), way.begin(), way.end());
      EXPECT_EQ(translate(model, all, input).out, first.out) << way.front() << way.back();
    }
    EXPECT_EQ(translate(model, {"--alignment", "--scores"}, folder.read("in.gz")).out, first.out);
    for (const auto& [name, value] :
         {std::pair("LC_ALL", "de_DE"), {"LC_NUMERIC", "de_DE"}, {"LANG", "tr_TR"}, {"HOME", ""}})
      EXPECT_EQ(run_regard({"translate", "-m", model, "--alignment", "--scores"},
                           {.input = input, .environment = {{name, value}}})
                    .out,
                first.out);
    std::vector<std::string> turned(kLines.rbegin(), kLines.rend());
    std::vector<std::string> back =
        lines_of(translate(model, {"--alignment", "--scores"}, joined_lines(turned)).out);
    std::ranges::reverse(back);
    EXPECT_EQ(back, found);
  }
}

TEST(Translate, AgreesWithItselfInEveryForm) {
  const Folder folder;
  const std::string model = write_small_model(folder), input = joined_lines(kLines);
  const std::vector<std::string> plain = lines_of(translate(model, {}, input).out);
  const Outcome json = translate(model, {"--alignment", "--scores", "--n-best", "3", "--json"},
                                 input);  // the line
  ASSERT_EQ(json.code, 0) << json.err;
  const std::vector<std::string> objects = lines_of(json.out);
  const std::vector<std::string> best = lines_of(translate(model, {"--n-best", "3"}, input).out);
  ASSERT_EQ(objects.size(), kLines.size());
  std::size_t shown = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto object = nlohmann::json::parse(objects[i]);
    EXPECT_EQ(object["schema"], 1);
    EXPECT_EQ(object["source"], kLines[i]);
    EXPECT_EQ(object["translation"], plain[i]);
    const auto& all = object["hypotheses"];
    ASSERT_EQ(all.size(), kLines[i].empty() ? 1u : 3u);
    EXPECT_EQ(all[0]["translation"], object["translation"]);
    EXPECT_TRUE(object["alignment"].is_string());
    double before = 1e300;
    for (const auto& each : all) {
      EXPECT_LE(each["score"].get<double>(), before);
      before = each["score"];
      double sum = 0;
      for (const auto& p : each["token_log_probabilities"]) sum += p.get<double>();
      EXPECT_NEAR(sum, each["log_probability"].get<double>(), 1e-9);
      const std::string start =
          std::to_string(i) + " ||| " + each["translation"].get<std::string>() + " ||| ";
      ASSERT_LT(shown, best.size());
      EXPECT_TRUE(best[shown++].starts_with(start)) << start;
    }
  }
  EXPECT_EQ(shown, best.size());
}

TEST(Translate, FollowsItsOptions) {
  const Folder folder;
  const std::string model = write_small_model(folder), input = joined_lines(kLines);
  for (const std::string& line : lines_of(translate(model, {"--prefix", "C D"}, input).out))
    EXPECT_TRUE(line.empty() || line.starts_with("C D")) << line;
  for (const std::string& line : lines_of(translate(model, {"--max-length", "2"}, input).out))
    EXPECT_LE(std::ranges::count(line, ' '), 1) << line;
  EXPECT_EQ(translate(model, {"--beam", "1"}, input).out,
            run_regard({"translate", "-m", model},
                       {.input = input, .environment = {{"REGARD_DECODE_BEAM", "1"}}})
                .out);
  const std::vector<std::string> draw{"--sample", "--temperature", "2", "--seed", "5"};
  EXPECT_EQ(translate(model, draw, input).out, translate(model, draw, input).out);
  EXPECT_NE(translate(model, draw, input).out,
            translate(model, {"--sample", "--temperature", "2", "--seed", "6"}, input).out);
  // A sample follows the number of its line, empty ones counted, and no other line.
  EXPECT_EQ(lines_of(translate(model, draw, "\n\na b c\n").out)[2],
            lines_of(translate(model, draw, "d\ne f g h\na b c\n").out)[2]);
  EXPECT_EQ(lines_of(translate(model, {"--n-best", "9"}, "a b\n").out).size(), 9u);
  const auto soft = nlohmann::json::parse(lines_of(
      translate(model, {"--alignment=soft", "--json", "--prefix", "A"}, "a b c\n").out)[0]);
  ASSERT_FALSE(soft["soft_alignment"].empty());
  for (const auto& row : soft["soft_alignment"]) EXPECT_EQ(row.size(), 3u);
}

TEST(Translate, WritesAFileWholeOrNotAtAll) {  // covers CL2
  const Folder folder;
  const std::string model = write_small_model(folder), input = joined_lines(kLines);
  const std::string out = folder.path("out.txt"), in = folder.write("in.txt", input);
  EXPECT_EQ(translate(model, {"-o", out}, input).code, 0);
  EXPECT_EQ(folder.read("out.txt"), translate(model, {}, input).out);
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
  EXPECT_EQ(translate(model, {"-o", out}, input).code, 2);
  EXPECT_EQ(translate(model, {"-o", out, "--overwrite"}, "").code, 0);
  EXPECT_EQ(folder.read("out.txt"), "");
  EXPECT_EQ(translate(model, {"-i", in, "-o", in, "--overwrite"}, "").code, 2);
  EXPECT_EQ(folder.read("in.txt"), input);
  EXPECT_EQ(translate(model, {"-o", folder.path("no/such/folder")}, input).code, 4);
  const Outcome full = run_regard({"translate", "-m", model, "-o", folder.path("big")},
                                  {.input = input, .largest_file = 10});
  EXPECT_EQ(full.code, 4) << full.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("big")));
}

TEST(Translate, WritesWhereItIsRunOrSaysWhyNot) {  // covers CL6
  const Folder folder;
  const std::string model = write_small_model(folder);
  const std::vector<std::string> arguments{"translate", "-m", model, "-o", "out"};
  const Outcome here = run_regard(arguments, {.input = "a\n", .folder = folder.path()});
  EXPECT_EQ(here.code, 0) << here.err;
  // Nobody may write there, not even root.
  const Outcome read_only = run_regard(arguments, {.input = "a\n", .folder = "/proc"});
  EXPECT_EQ(read_only.code, 4);
  EXPECT_NE(read_only.err.find("out.part: cannot write"), std::string::npos) << read_only.err;
  EXPECT_EQ(run_regard({"translate", "-m", model}, {.input = "a\n", .folder = "/proc"}).code, 0);
  // A mask that takes all rights away is obeyed: the file is whole, and its owner's to open up.
  const std::string masked = folder.path("masked");
  const Outcome mask =
      run_regard({"translate", "-m", model, "-o", masked}, {.input = "a\n", .umask = 0777});
  EXPECT_EQ(mask.code, 0) << mask.err;
  EXPECT_EQ(std::filesystem::status(masked).permissions(), std::filesystem::perms::none);
  std::filesystem::permissions(masked, std::filesystem::perms::owner_read);
  EXPECT_EQ(folder.read("masked"), folder.read("out"));
  // A name of 255 bytes, the most there can be, leaves no room for its ".part".
  EXPECT_EQ(translate(model, {"-o", folder.path(std::string(250, 'n'))}, "a\n").code, 0);
  const std::string longest(255, 'n');
  const Outcome no_room = translate(model, {"-o", folder.path(longest)}, "a\n");
  EXPECT_EQ(no_room.code, 4);
  EXPECT_NE(no_room.err.find(longest + ".part: cannot write: File name too long"),
            std::string::npos)
      << no_room.err;
}

TEST(Translate, APrefixFitsTheTable) {  // covers NU12
  const Folder folder;
  const std::string model = write_small_model(folder, {.position = "learned", .max_length = 4});
  EXPECT_EQ(translate(model, {"--prefix", "A B C"}, "a\n").code, 0);
  const Outcome outcome = translate(model, {"--prefix", "A B C D"}, "a\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("positions for 3"), std::string::npos) << outcome.err;
}

TEST(Translate, RefusesBeforeAnyWork) {  // covers CL1, CL9, CL11
  const Folder folder;
  const std::string model = write_small_model(folder), out = folder.path("never");
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const Case& c :
       std::vector<Case>{{{"--beam", "abc"}, "--beam is 'abc'"},
                         {{"--beam", "-1"}, "--beam is '-1'"},
                         {{"--beam", "1e99"}, "--beam"},
                         {{"--beam", ""}, "--beam"},
                         {{"--beam"}, "--beam needs a value"},
                         {{"--beam", "2", "--beam", "3"}, "2 times"},
                         {{"--beem", "2"}, "did you mean '--beam'?"},
                         {{"--n-best", "5", "--beam", "4"}, "use a larger beam"},
                         {{"--alignment=hard"}, "expected moses or soft"},
                         {{"--alignment=hard", "one"}, "expected moses or soft"},
                         {{"--beam", "0"}, "--beam is '0', expected a whole number from 1 to "},
                         {{"--top-k", "3"}, "--sample"},
                         {{"--sample", "--beam", "8"}, "--beam only applies to searching"},
                         {{"--prefix", "A Q B"}, "know the word 'Q'"},
                         {{"--length-penalty", "nan"}, "--length-penalty"},
                         {{"one", "stray"}, "'stray'"}}) {
    std::vector<std::string> arguments{"-o", out};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome outcome = translate(model, arguments, "a\n");
    EXPECT_EQ(outcome.code, 2) << c.message << outcome.err;
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  const testing::Surroundings broken{.input = "a\n",
                                     .environment = {{"REGARD_DECODE_BEAM", "many"}}};
  const Outcome variable = run_regard({"translate", "-m", model}, broken);
  EXPECT_EQ(variable.code, 2);
  EXPECT_NE(variable.err.find("REGARD_DECODE_BEAM"), std::string::npos) << variable.err;
  EXPECT_EQ(run_regard({"translate", "--help"}, broken).code, 0);
}

TEST(Translate, NoticesThatOutputIsLost) {  // covers CL4
  const Folder folder;
  const std::string model = write_small_model(folder), in = folder.write("in", "a b\nc\n");
  EXPECT_EQ(run_regard({"translate", "-m", model, "-i", in}, {.output_to = "/dev/full"}).code, 4);
  EXPECT_EQ(run_regard({"translate", "-m", model, "-i", in}, {.output_closed = true}).code, 4);
  const std::string script = std::string("{ sleep 0.2; '") + REGARD_PROGRAM + "' translate -m '" +
                             model + "' -i '" + in + "' 2>'" + folder.path("err") +
                             "'; echo $? >'" + folder.path("code") + "'; } | true; sleep 0.5";
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(folder.read("code"), std::to_string(128 + SIGPIPE) + "\n");
  EXPECT_EQ(folder.read("err"), "");
}

}  // namespace
}  // namespace regard
