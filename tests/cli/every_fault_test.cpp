// Commands that write files, with every call to the system failing in turn: afterwards what was
// there is untouched, or all of the new is there.
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/cli/fault_program.h"
#include "tests/cli/support/small_model.h"

namespace regard::testing {
namespace {

using Kind = FaultPlan::Kind;
using Tree = std::map<std::string, std::string>;

/// A command that is run in a folder.
struct Task {
  std::string name;
  std::vector<std::string> arguments;
  Tree old;  ///< what lies in the folder before
};

/// One unit for each line.
std::string tmx_of(const std::string& source, const std::string& target) {
  const std::vector<std::string> from = lines_of(source), to = lines_of(target);
  std::string text = "<tmx version=\"1.4\"><header/><body>\n";
  for (std::size_t i = 0; i < from.size(); ++i)
    text += "<tu><tuv xml:lang=\"en\"><seg>" + from[i] + "</seg></tuv><tuv xml:lang=\"fr\"><seg>" +
            to[i] + "</seg></tuv></tu>\n";
  return text + "</body></tmx>\n";
}

std::string packed(const std::string& path) {
  EXPECT_EQ(std::system(("gzip -c '" + path + "' >'" + path + ".gz'").c_str()), 0);
  return path + ".gz";
}

class Tasks {
 public:
  Tasks() {
    const std::string one = write_small_model(inputs_, {.seed = 1}, "one");
    write_small_model(inputs_, {.seed = 2}, "two");
    const Tree model = tree_of(one);
    std::string text, pairs, source, target;
    for (int i = 0; i < 40; ++i) {
      source += i % 3 == 0 ? "a b c\n" : "the black cat .\n";
      target += i % 3 == 0 ? "A B\n" : "C D E !\n";
      pairs += i % 3 == 0 ? "a b c\tA B\n" : "the black cat .\tC D E !\n";
    }
    const auto input = [&](const std::string& name, const std::string& content) {
      return inputs_.write(name, content);
    };
    const std::string english = input("en", source), french = input("fr", target);
    const std::string two = inputs_.path("two");
    const Tree old_output{{"out", "old\n"}, {"mine", "mine"}};
    const Tree old_corpus{{"d/", ""}, {"d/kept.en", "old\n"}, {"d/kept.fr", "ancien\n"}};
    Tree old_model{{"mean/", ""}};
    for (const auto& [name, content] : model) old_model["mean/" + name] = content;
    all_ = {
        {"translate",
         {"translate", "-m", one, "-i", english, "-o", "out", "--beam", "1", "--max-length", "3",
          "--overwrite"},
         old_output},
        {"translate to a new file",
         {"translate", "-m", one, "-i", english, "-o", "out", "--beam", "1", "--max-length", "3"},
         {}},
        {"score",
         {"score", "-m", one, "-i", input("pairs", pairs), "-o", "out", "--overwrite"},
         old_output},
        {"average over a model",
         {"average", "-m", two, two + "/model.safetensors", "--out", "mean", "--overwrite"},
         old_model},
        {"average",
         {"average", "-m", one, one + "/model.safetensors", two + "/model.safetensors", "--out",
          "deep/mean"},
         {}},
        {"convert", {"convert", "--to", "ctranslate2", one, "--out", "deep/form"}, {}},
        {"convert to int8", {"convert", "--to", "int8", one, "--out", "deep/i8"}, {}},
        {"corpus",
         {"corpus", english, french, "--from", "en", "--to", "fr", "--out", "d", "--overwrite"},
         old_corpus},
        {"corpus of TMX",
         {"corpus", input("tmx", tmx_of(source, target)), "--from", "en", "--to", "fr", "--out",
          "d"},
         {}},
        {"corpus of gzip", {"corpus", packed(english), packed(french), "--out", "d"}, {}},
        {"built-in corpus", {"corpus", "builtin:en-fr", "--pairs", "20", "--out", "d"}, {}},
        {"built-in scenes", {"corpus", "builtin:scenes", "--pairs", "2", "--out", "deep/d"}, {}},
        {"built-in scenes over others",
         {"corpus", "builtin:scenes", "--pairs", "2", "--out", "d", "--overwrite"},
         {{"d/", ""}, {"d/train/", ""}, {"d/train/000001.png", "old"}, {"d/train.en.tsv", "old"}}},
        {"vocab of words",
         {"vocab", "--input", english, "--type", "words", "--out", "out", "--overwrite"},
         old_output},
        {"vocab of pieces",
         {"vocab", "--input", english, french, "--size", "280", "--out", "out", "--overwrite"},
         old_output},
        {"inspect",
         {"inspect", "-m", one, "--svg", "out", "--png", "p", "--overwrite", "a b"},
         {{"out", "old"}, {"p", "older"}}},
        {"inspect many",
         {"inspect", "-m", one, "-i", input("few", "a b\nc\n"), "--csv", "new/t.csv"},
         {{"new/", ""}}},
    };
  }
  const std::vector<Task>& all() const { return all_; }

 private:
  Folder inputs_;
  std::vector<Task> all_;
};

const std::vector<CallFault>& faults() {
  static const std::vector<CallFault> all{
      {"write", Kind::once, ENOSPC, {4}},
      {"write", Kind::forever, EIO, {4}},
      {"fsync", Kind::once, EIO, {4}},
      {"rename renameat2 link linkat", Kind::once, EIO, {4}},
      {"rename renameat2 link linkat", Kind::forever, ENOSPC, {4}},
      {"renameat2", Kind::forever, EINVAL, {}},  // as file systems say that know less
      {"renameat2 link linkat", Kind::forever, EOPNOTSUPP, {}},
      {"open", Kind::once, EMFILE, {3, 4}},
      {"open", Kind::forever, EMFILE, {3, 4}},
      {"read pread", Kind::once, EIO, {3, 4}},
      {"ftruncate mkdir", Kind::once, ENOSPC, {4}},
      {"unlink unlinkat rmdir", Kind::once, EIO, {4}},
      {"close", Kind::once, EIO, {4}},
      {"stat lstat fstat", Kind::once, EIO, {2, 3, 4}},
      {"mmap", Kind::once, ENOMEM, {5}},
      {"mmap", Kind::forever, ENOMEM, {5}},
      {"pthread_create", Kind::once, EAGAIN, {5}},
      {"malloc", Kind::once, ENOMEM, {5}, 1 << 20},
      {"malloc", Kind::once, ENOMEM, {5}, 1 << 12},
      {"malloc", Kind::forever, ENOMEM, {5}, 1 << 12},
      {"write read pread", Kind::once, EINTR, {}},
      {"open fsync ftruncate", Kind::once, EINTR, {3, 4}},
      {"write read pread", Kind::shorter, 0, {}},
  };
  return all;
}

/// Files and folders that the program itself has named are no litter.
Tree without_named(Tree tree, const Tree& old, const Tree& fresh, const std::string& said) {
  std::erase_if(tree, [&](const auto& entry) {
    const std::string& name = entry.first;
    if (old.contains(name) || fresh.contains(name)) return false;
    // A folder's name ends in a slash, and what lies in one that was named counts as named.
    const std::size_t draft = name.find(".regard-");
    const std::size_t end = draft == name.npos ? name.size() : name.find('/', draft);
    return said.find(name.substr(0, end)) != said.npos;
  });
  return tree;
}

std::string differing(const Tree& a, const Tree& b) {
  std::string names;
  for (const auto& [name, content] : a)
    if (!b.contains(name) || b.at(name) != content) names += name + " ";
  for (const auto& [name, content] : b)
    if (!a.contains(name)) names += name + " ";
  return names;
}

/// Where the disk does not even let it put back what it has replaced, it says so.
bool is_told_of_both(const Outcome& outcome) {
  return outcome.err.find("holds old files and new ones") != std::string::npos;
}

// covers CL2, CL4, CL7: old or new, never half
TEST(EveryFault, LeavesTheOldOrTheNew) {
  if (kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer stands between the program and the system itself";
  const Tasks tasks;
  const int most = is_long_test() ? 1 << 30 : 3;
  FaultyProgram program;
  const Folder folder(memory_folder());
  const std::string work = folder.path("work");
  int tried = 0, failed = 0;
  for (const Task& task : tasks.all()) {
    put_tree(work, task.old);
    const Outcome good =
        program.run(task.arguments, {.calls = "write", .codes = {}}, 0, {.folder = work});
    ASSERT_EQ(good.code, 0) << task.name << good.err;
    const Tree fresh = tree_of(work);
    for (const CallFault& fault : faults()) {
      put_tree(work, task.old);
      program.run(task.arguments, fault, 0, {.folder = work});
      for (const int k : tried_calls(program.calls(), most)) {
        put_tree(work, task.old);
        const Outcome outcome = program.run(task.arguments, fault, k, {.folder = work});
        SCOPED_TRACE(task.name + ": call " + std::to_string(k) + " of " + fault.name() + ", " +
                     program.hit());
        ++tried;
        failed += outcome.code != 0;
        expect_fit(outcome, fault);
        const Tree found = without_named(tree_of(work), task.old, fresh, outcome.err);
        EXPECT_TRUE(outcome.code == 0
                        ? found == fresh
                        : found == task.old || found == fresh || is_told_of_both(outcome))
            << "code " << outcome.code << ", beside the old: " << differing(found, task.old)
            << ", beside the new: " << differing(found, fresh) << "\n"
            << outcome.err;
      }
    }
  }
  EXPECT_GT(failed, 100);
  std::printf("%d faults tried, %d of them told by the program\n", tried, failed);
}

/// A page holds large JSON arrays, and the library that holds them takes memory to let go of them:
/// in a destructor, where nothing can be thrown.
TEST(EveryFault, OfMemoryIsToldFromADestructorToo) {  // covers CL7
  if (kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer stands between the program and the system itself";
  const Folder folder(memory_folder());
  const std::string model = write_small_model(folder);
  const std::vector<std::string> page{"inspect", "-m",          model, "--html",
                                      "page",    "--overwrite", "a b"};
  const CallFault memory{"malloc", Kind::once, ENOMEM, {5}, 1 << 12};
  FaultyProgram program;
  program.run(page, memory, 0, {.folder = folder.path()});
  for (const int k : tried_calls(program.calls(), is_long_test() ? 1 << 30 : 24)) {
    SCOPED_TRACE(k);
    expect_fit(program.run(page, memory, k, {.folder = folder.path()}), memory);
  }
}

}  // namespace
}  // namespace regard::testing
