// What the scripts of `completion` complete, beyond that every command and option is in them.
#include <gtest/gtest.h>

#include "regard/batch/builtin/corpus.h"
#include "tests/cli/program.h"

namespace regard {
namespace {

using testing::Folder;
using testing::run_regard;

/// What bash offers for the last of the words.
std::string offered_by_bash(const std::string& words) {
  const Folder folder;
  folder.write("script", run_regard({"completion", "bash"}).out);
  folder.write("ask", "source ./script; COMP_WORDS=(" + words +
                          "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _regard; "
                          "echo \"${COMPREPLY[@]}\" >reply\n");
  EXPECT_EQ(std::system(("cd '" + folder.path() + "' && bash ask").c_str()), 0) << words;
  return folder.read("reply");
}

TEST(Completion, OptionsMayStandBeforeTheCommand) {
  EXPECT_EQ(offered_by_bash("regard -q translate --al"), "--alignment\n");
  EXPECT_EQ(offered_by_bash("regard -j 2 translate --al"), "--alignment\n");
  EXPECT_EQ(offered_by_bash("regard -q translate --alignment s"), "soft\n");
  EXPECT_EQ(offered_by_bash("regard -q help eva"), "evaluate\n");
  EXPECT_EQ(offered_by_bash("regard -q eva"), "evaluate\n");
  EXPECT_EQ(offered_by_bash("regard eva"), "evaluate\n");
  EXPECT_EQ(offered_by_bash("regard --thr"), "--threads\n");
  EXPECT_EQ(offered_by_bash("regard -j ''"), "\n") << "a number, not a command";
  const std::string zsh = run_regard({"completion", "zsh"}).out;
  EXPECT_NE(zsh.find("for word in $words[2,CURRENT-1]"), std::string::npos);
}

TEST(Completion, TheBuiltinCorpusIsOneWordAndFilesAreOfferedBesideIt) {
  const std::string name(kBuiltinEnFr);
  const std::size_t colon = name.find(':');
  const std::string escaped = name.substr(0, colon) + "\\" + name.substr(colon),
                    cut = name.substr(0, colon) + " " + name.substr(colon + 1);
  const std::string zsh = run_regard({"completion", "zsh"}).out;
  EXPECT_NE(zsh.find(": _regard_words_or_files " + escaped + "'"), std::string::npos);
  EXPECT_NE(zsh.find("\n  _files && failed=0\n"), std::string::npos);
  EXPECT_EQ(zsh.find(cut), std::string::npos);
  EXPECT_EQ(offered_by_bash("regard train --train bu"), name + "\n");
  EXPECT_NE(run_regard({"completion", "fish"}).out.find("-r -F -a '" + name + "'"),
            std::string::npos);
}

}  // namespace
}  // namespace regard
