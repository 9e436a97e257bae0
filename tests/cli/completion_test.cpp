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

struct Completed {
  const char *words, *offered;
};

/// What every shell completes.
constexpr Completed kCompleted[]{
    {"regard -q translate --al", "--alignment\n"},
    {"regard -j 2 translate --al", "--alignment\n"},
    {"regard -q translate --alignment s", "soft\n"},
    {"regard -q help eva", "evaluate\n"},
    {"regard -q eva", "evaluate\n"},
    {"regard eva", "evaluate\n"},
    {"regard completion f", "fish\n"},
    {"regard attend --mask ca", "causal\n"},
    {"regard attend --mask w", "window:\n"},
    {"regard --thr", "--threads\n"},
    // The value of an option is not the command, whatever it is called.
    {"regard --log-file train translate --al", "--alignment\n"},
    {"regard --log-file translate translate --al", "--alignment\n"},
    {"regard -q --log-file train -j 2 eva", "evaluate\n"},
    {"regard --threads 2 train --pre", "--preset\n"},
    {"regard train --log-file x --preset t", "tiny\n"},
};

TEST(Completion, OfBash) {
  for (const Completed& each : kCompleted)
    EXPECT_EQ(offered_by_bash(each.words), each.offered) << each.words;
  EXPECT_EQ(offered_by_bash("regard -j ''"), "\n") << "a number, not a command";
  // Bash takes the = between an option and its value for a word.
  EXPECT_EQ(offered_by_bash("regard --log-file = train translate --al"), "--alignment\n");
}

/// What zsh offers for the last of the words, in a terminal of its own.
std::string offered_by_zsh(const std::string& words) {
  const Folder folder;
  folder.write("script", run_regard({"completion", "zsh"}).out);
  folder.write("setup", R"(
autoload -Uz compinit && compinit -u -D
source ./script
compadd() {
  if [[ " $* " == *" -[OAD] "* ]]; then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -O offered "$@"
  (( $#offered )) && print -rl -- $offered >>reply
  builtin compadd "$@"
}
finish() { : >finished }
comppostfuncs=(finish)
bindkey '^I' complete-word
: >ready
)");
  folder.write("ask", R"(
zmodload zsh/zpty
wait_for() { repeat 1200; do [[ -e $1 ]] && return; sleep 0.05; done; exit 1 }
zpty shell zsh -f -i
zpty -w shell 'source ./setup'
wait_for ready
zpty -w -n shell "$1"$'\t'
wait_for finished
zpty -d shell
)");
  EXPECT_EQ(std::system(("cd '" + folder.path() + "' && zsh -f ask '" + words + "'").c_str()), 0)
      << words;
  return folder.read("reply");
}

TEST(Completion, OfZsh) {
  if (std::system("zsh -f -c 'zmodload zsh/zpty' 2>/dev/null") != 0)
    GTEST_SKIP() << "zsh is not installed: its script is written, but not run";
  for (const Completed& each : kCompleted)
    EXPECT_EQ(offered_by_zsh(each.words), each.offered) << each.words;
  EXPECT_EQ(offered_by_zsh("regard -j "), "") << "a number, not a command";
  EXPECT_EQ(offered_by_zsh("regard train --train builtin:en-"), std::string(kBuiltinEnFr) + "\n");
  EXPECT_EQ(offered_by_zsh("regard corpus builtin:en-"), std::string(kBuiltinEnFr) + "\n");
}

TEST(Completion, TheBuiltinCorpusIsOneWordAndFilesAreOfferedBesideIt) {
  const std::string name(kBuiltinEnFr);
  const std::size_t colon = name.find(':');
  const std::string escaped = name.substr(0, colon) + "\\" + name.substr(colon),
                    cut = name.substr(0, colon) + " " + name.substr(colon + 1);
  const std::string zsh = run_regard({"completion", "zsh"}).out;
  EXPECT_NE(zsh.find(": _regard_words_or_files " + escaped + " "), std::string::npos);
  EXPECT_NE(zsh.find("\n  _files && failed=0\n"), std::string::npos);
  EXPECT_EQ(zsh.find(cut), std::string::npos);
  const std::string pictures(kBuiltinScenes);
  std::string all;
  for (const BuiltinCorpus& each : builtin_corpora()) all.append(each.name).append(" ");
  all.append(pictures).append(" ").append(kBuiltinShapes);
  EXPECT_EQ(offered_by_bash("regard train --train bu"), all + "\n");
  EXPECT_EQ(offered_by_bash("regard corpus bu"), all + "\n");
  EXPECT_EQ(offered_by_bash("regard caption --test bu"), pictures + "\n");
  EXPECT_EQ(offered_by_bash("regard classify --test bu"), std::string(kBuiltinShapes) + "\n");
  EXPECT_NE(run_regard({"completion", "fish"})
                .out.find("__fish_seen_subcommand_from corpus' -a '" + all + "'\n"),
            std::string::npos);
  EXPECT_NE(run_regard({"completion", "fish"}).out.find("-r -F -a '" + all + "'"),
            std::string::npos);
}

}  // namespace
}  // namespace regard
