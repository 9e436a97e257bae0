#include <gtest/gtest.h>

#include <regex>

#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;
using testing::Outcome;
using testing::run_regard;

struct Bad {
  std::vector<std::string> arguments;
  int code;
  std::string message;  ///< a regular expression found in what is said
};

/// Every bad input: the right code, one line that names the place, nothing on standard output, and
/// the same words the second time. With --json the same is told as an object.
void expect_refused(const Bad& bad) {
  std::string command = "regard";
  for (const std::string& argument : bad.arguments) command.append(" ").append(argument, 0, 60);
  SCOPED_TRACE(command);
  const Outcome outcome = run_regard(bad.arguments);
  EXPECT_EQ(outcome.code, bad.code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("regard: error: ")) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_TRUE(std::regex_search(outcome.err, std::regex(bad.message))) << outcome.err;
  EXPECT_EQ(run_regard(bad.arguments).err, outcome.err);

  std::vector<std::string> as_json = bad.arguments;
  as_json.push_back("--json");
  if (bad.arguments.back().starts_with("--")) return;  // --json would be taken for its value
  const Outcome told = run_regard(as_json);
  EXPECT_EQ(told.code, bad.code);
  const auto error = told.json()["error"];
  EXPECT_EQ(told.json()["schema"], 1);
  EXPECT_EQ(error["code"], bad.code);
  for (const char* name : {"message", "hint", "file", "line"}) EXPECT_TRUE(error.contains(name));
  EXPECT_EQ(error["hint"].is_string(), told.err.ends_with("'?\n")) << told.out;
}

TEST(BadInput, InlineMatricesAreUsageErrors) {
  const std::vector<std::pair<std::string, std::string>> matrices{
      {"1,2;3", "--query: row 2 has 1 number, row 1 has 2"},
      {"1,2;3,4,5", "row 2 has 3 numbers"},
      {"1,x;2,3", "row 1, column 2 is 'x', not a number"},
      {"1,2;nan,3", "row 2, column 1 is nan, expected a finite"},
      {"1,-inf", "row 1, column 2 is -inf"},
      {"1,1e999", "row 1, column 2 is 1e999"},
      {"1,,2", "row 1, column 2 is empty"},
      {"1,2,", "row 1, column 3 is empty"},
      {"1,2;;3,4", "row 2, column 1 is empty"},
      {"", "--query: is empty"},
      {"  ", "--query: is empty"},
      {";", "--query: is empty"},
      {";;", "--query: row 1 is empty"},
      {"0x10,1", "column 1 is '0x10'"},
      {"1_000,1", "column 1 is '1_000'"},
      {"hello", "neither a file nor a matrix"},
      {"[[1,2],[3]]", "--query: row 2 has 1 entry"},
      {"[[1,2],[3,\"x\"]]", "row 2, column 2 is text"},
      {"[[1,null]]", "row 1, column 2 is null"},
      {"[1,2]", "written \\[\\[1, 2\\]"},
      {"[[1,2],[3,4]", "not JSON: unexpected end"},
      {"[[1,2],[[3],4]]", "too deep|lies 3 arrays deep"},
      {"[]", "empty"},
      {"[[]]", "empty"},
      {"[[1e999]]", "beyond the range"},
      {"\x1b[31m7", "is '[^\\x1b]*', not a number"},
  };
  for (const auto& [matrix, message] : matrices)
    expect_refused({{"attend", "--query", matrix}, 2, message});
}

TEST(BadInput, FilesAreNamedWithLineRowAndColumn) {
  const Folder folder;
  const std::string deep(100000, '[');
  const std::vector<std::tuple<std::string, std::string, std::string>> files{
      {"ragged.csv", "1,2\n\n3\n", "ragged.csv:3: row 2 has 1 number"},
      {"text.csv", "a,b\n1,2\n3,four\n", "text.csv:3: row 2, column 2 is 'four'"},
      {"header.csv", "a,b\n", "header.csv:1: row 1, column 1 is 'a'"},
      {"a; b.csv", "1,x\n", "a; b.csv:1: row 1, column 2 is 'x'"},
      {"german.csv", "1,5;2,5\n", "row 1, column 1 is '1,5'.*decimals"},
      {"empty.csv", "", "empty.csv: is empty"},
      {"blank.csv", "\n \n# nothing\n", "blank.csv: is empty"},
      {"nul.csv", std::string("1,\0\n", 4), "row 1, column 2 is"},
      {"nan.tsv", "1\tNaN\n", "nan.tsv:1: row 1, column 2 is NaN"},
      {"twice.json", R"({"query":[[1]],"query":[[2]]})", "holds 'query' twice"},
      {"unknown.json", R"({"query":[[1]],"keys":[[2]]})", "holds 'keys'; did you mean 'key'"},
      {"lacking.json", R"({"key":[[1]]})", "holds no 'query'"},
      {"syntax.json", "[[1,2],\n[3,4]]]", "syntax.json:2: not JSON: unexpected '\\]'"},
      {"deep.json", deep, "nests arrays too deep"},
      {"object.json", R"([[{"a":1}]])", "expected a number, got an object"},
      {"number.json", "7", "number.json: is a number"},
      {"word.json", "true", "word.json: is true"},
      {"plain.npy", "1,2\n3,4\n", "plain.npy: not a .npy file"},
      {"short.npy", "\x93NUMPY\x01", "short.npy: truncated"},
  };
  for (const auto& [name, content, message] : files)
    expect_refused({{"attend", "--query", folder.write(name, content)}, 3, message});
  expect_refused({{"attend", "--query", folder.path("none.csv")}, 3, "none.csv: cannot open"});
  expect_refused({{"attend", "--query", folder.path()}, 3, "not a regular file"});
  expect_refused({{"attend", "--query", "/dev/zero"}, 3, "not a regular file"});

  EXPECT_EQ(
      run_regard({"attend", "--json", "--query", folder.path("short.npy")}).json()["error"]["file"],
      folder.path("short.npy"));
  const auto error =
      run_regard({"attend", "--json", "--query", folder.path("ragged.csv")}).json()["error"];
  EXPECT_EQ(error["file"], folder.path("ragged.csv"));
  EXPECT_EQ(error["line"], 3);
}

TEST(BadInput, FilesThatDoNotFitAreNamed) {
  const Folder folder;
  const std::string three = "1,3,2;1,1,3;1,2,1";
  const auto refused = [&](const std::string& option, const std::string& name,
                           const std::string& content, const std::string& message) {
    const std::string file = folder.write(name, content);
    const std::vector<std::string> arguments{"attend", "--query", three, option, file};
    expect_refused({arguments, 3, name + ": .*" + message});
    std::vector<std::string> as_json = arguments;
    as_json.push_back("--json");
    EXPECT_EQ(run_regard(as_json).json()["error"]["file"], file);
  };
  refused("--mask", "five.csv", "1,0,0\n1,5,0\n1,1,1\n", "row 2, column 2 is 5");
  refused("--mask", "window.csv", "1,0\n0,1\n", "has shape \\[2, 2\\], expected \\[3, 3\\]");
  refused("--key", "narrow.csv", "1,2\n3,4\n", "--query is 3 wide and --key 2");
  refused("--value", "short.csv", "1\n2\n", "--key has 3 rows and --value 2");
  expect_refused({{"attend", "--query", three, "--mask", "window.csv"}, 3, "cannot open"});
  const std::string wide = folder.write("wide.csv", "1,2,3,4\n");
  expect_refused({{"attend", "--query", wide, "--key", three}, 3, "wide.csv: --query is 4 wide"});
}

TEST(BadInput, WhatDoesNotFitIsRefused) {
  const std::string three = "1,3,2;1,1,3;1,2,1";
  const std::vector<Bad> all{
      {{"--key", "1,2"}, 2, "--query is 3 wide and --key 2"},
      {{"--key", three, "--value", "1;2"}, 2, "--key has 3 rows and --value 2"},
      {{"--key", "[[[1,2,3]],[[1,2,3]]]"}, 2, "--query holds 1 batch rows, --key 2"},
      {{"--heads", "2"}, 2, "--query is 3 wide, which 2 heads cannot share"},
      {{"--heads", "0"}, 2, "--heads is '0', expected a whole number from 1"},
      {{"--heads", "-1"}, 2, "--heads is '-1'"},
      {{"--heads", "two"}, 2, "--heads is 'two'"},
      {{"--heads", "1e99"}, 2, "--heads is '1e99'"},
      {{"--heads", ""}, 2, "--heads is ''"},
      {{"--seed", "1.5"}, 2, "--seed is '1.5'"},
      {{"--threads", "0"}, 2, "--threads is '0'"},
      {{"--score", "dott"}, 2, "'dott'; did you mean 'dot'"},
      {{"--mask", "casual"}, 2, "--mask 'casual'.*did you mean 'causal'"},
      {{"--mask", "window:1"}, 2, "expected window:L,R"},
      {{"--mask", "window:a,b"}, 2, "number 1 is 'a'"},
      {{"--mask", "1,0;0,1"}, 2, "--mask: has shape \\[2, 2\\], expected \\[3, 3\\]"},
      {{"--mask", "1,0,0;1,2,0;1,1,1"}, 2, "--mask: row 2, column 2 is 2"},
      {{"--valid-lens", "4"}, 2, "--valid-lens: 4 is no number of keys"},
      {{"--valid-lens", "1,2"}, 2, "--valid-lens has 2 numbers, expected 1"},
      {{"--valid-lens", "x"}, 2, "--valid-lens: number 1 is 'x'"},
      {{"--labels", "a,b"}, 2, "--labels names 2, but there are 3"},
      {{"--query", "1,2,3"}, 2, "--query is given 2 times"},
      {{"--qery", "1"}, 2, "no option is called '--qery'; did you mean '--query'"},
      {{"--svg"}, 2, "--svg needs a value"},
      {{"--list=3"}, 2, "--list takes no value"},
      {{"stray"}, 2, "'stray' is not expected"},
      {{"--list"}, 2, "--list takes no --query"},
  };
  for (Bad bad : all) {
    bad.arguments.insert(bad.arguments.begin(), {"attend", "--query", three});
    expect_refused(bad);
  }
  expect_refused({{"attend"}, 2, "needs a matrix of queries; try"});
  expect_refused({{"attend", "--query", "-", "--key", "-"}, 2, "standard input.*twice"});
  expect_refused({{"attend", "--query", "1e200", "--score", "dot"}, 2, "beyond 64-bit numbers"});
  expect_refused({{"atend"}, 2, "no command is called 'atend'; did you mean 'attend'"});
  expect_refused({{"help", "atend"}, 2, "did you mean 'attend'"});
}

TEST(BadInput, ProjectionsThatDoNotFitAreRefused) {
  const Folder folder;
  const std::string narrow = folder.write("wq.csv", "1,2,3\n4,5,6\n");
  const std::vector<Bad> all{
      {{"--wq", narrow}, 3, "wq.csv: has shape \\[2, 3\\], expected 3 rows, as --x.*transpose"},
      {{"--wq", "1,2,3;4,5,6"}, 2, "--wq: has shape \\[2, 3\\], expected 3 rows"},
      {{"--wq", "1;2;x"}, 2, "--wq: row 3, column 1 is 'x'"},
      {{"--wq", "1;2;3"}, 2, "--wq is 1 wide and --x 3, but scaled-dot"},
      {{"--wv", "1;2;3", "--wo", "1;2"}, 2, "--wo: has shape \\[2, 1\\], expected 1 row, as --wv"},
      {{"--wv", "1;2;3", "--heads", "3"}, 2, "--wv is 1 wide, which 3 heads cannot share"},
      {{"--bq", "1,2,3"}, 2, "--bq is added to what --wq makes"},
      {{"--wv", "1;2;3", "--bv", "1,2"}, 2, "--bv: has shape \\[1, 2\\], expected \\[1, 1\\]"},
      {{"--key", "1,2,3"}, 2, "--x gives queries, keys and values alike"},
      {{"--y", "1,2"}, 2, "--x is 3 wide and --y 2"},
      {{"--y", "[[[1,2,3]],[[1,2,3]]]"}, 2, "--x holds 1 batch rows, --y 2"},
      {{"--output-gradient", "1,2"}, 2, "has shape \\[1, 2\\].*expected \\[2, 3\\].*as the output"},
      {{"--weights", "1,0"}, 2, "nothing is computed; leave out --x"},
      {{"--list"}, 2, "--list takes no --x"},
      {{"--html", "a.svg"}, 2, "--html does not write .svg"},
  };
  for (Bad bad : all) {
    bad.arguments.insert(bad.arguments.begin(), {"attend", "--x", "1,3,2;1,1,3"});
    expect_refused(bad);
  }
  expect_refused({{"attend", "--query", "1", "--y", "1"}, 2, "give --x, too"});
  expect_refused({{"attend", "--x", "-", "--wq", "-"}, 2, "standard input.*twice"});
  for (const char* option : {"--steps", "--gradient"})
    expect_refused({{"attend", "--weights", "1,0", option}, 2, "there are no steps"});
  expect_refused({{"attend", "--weights", "1,0", "--score", "dot"}, 2, "leave out --score"});
  expect_refused({{"attend", "--weights", "1,0", "--query-labels", "a,b"}, 2, "names 2.*are 1"});
  expect_refused({{"attend", "--x", "1e200", "--steps"}, 2, "beyond 64-bit numbers"});
}

}  // namespace
}  // namespace regard
