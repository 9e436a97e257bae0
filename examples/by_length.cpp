// How good translations are, by the number of words of their sources: a curve for each system.
// usage: by_length FOLDER SOURCE REFERENCE NAME=TRANSLATION...
#include <algorithm>
#include <sstream>

#include "examples/show.h"
#include "regard/measure/bleu.h"

namespace regard::examples {
namespace {

constexpr Index kBucket = 8, kFewest = 50;  // BLEU of fewer lines says little

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& path) {
  Lines lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Index words(const std::string& line) {
  std::istringstream text(line);
  Index count = 0;
  for (std::string word; text >> word;) ++count;
  return count;
}

struct System {
  std::string name;
  Lines translations;
};

/// The lines of a file that has one for each source.
Lines parallel_lines(const std::string& path, const Lines& sources) {
  Lines lines = lines_of(path);
  if (lines.size() != sources.size())
    fail(Fault::input, path, " has ", lines.size(), " lines, expected ", sources.size(),
         ", as many as the sources");
  return lines;
}

/// The lines of a bucket: those whose sources have `first` words or up to kBucket - 1 more.
std::vector<std::size_t> bucket(const Lines& sources, Index first) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (const Index count = words(sources[i]); count >= first && count < first + kBucket)
      members.push_back(i);
  return members;
}

Lines picked(const Lines& from, const std::vector<std::size_t>& members) {
  Lines some;
  for (const std::size_t i : members) some.push_back(from[i]);
  return some;
}

void by_length(const std::string& folder, const Lines& sources, const Lines& reference,
               const std::vector<System>& systems) {
  std::vector<Curve> curves;
  fmt::print("  words    lines");
  for (const System& system : systems) {
    curves.push_back({.name = system.name});
    fmt::print("{:>20}   exact", system.name + " BLEU");
  }
  fmt::print("\n");
  const Index longest = words(*std::ranges::max_element(sources, {}, words));
  for (Index first = 1; first <= longest; first += kBucket) {
    const std::vector<std::size_t> members = bucket(sources, first);
    if (std::ssize(members) < kFewest) continue;
    const Lines expected = picked(reference, members);
    fmt::print("{:3} .. {:<3}{:6}", first, first + kBucket - 1, members.size());
    for (std::size_t i = 0; i < systems.size(); ++i) {
      const Lines given = picked(systems[i].translations, members);
      Index exact = 0;
      for (std::size_t j = 0; j < given.size(); ++j) exact += given[j] == expected[j];
      curves[i].x.push_back(static_cast<double>(first) + (kBucket - 1) / 2.0);
      curves[i].y.push_back(bleu(given, {expected}).score);
      fmt::print("{:20.1f}{:6.1f} %", curves[i].y.back(),
                 100 * static_cast<double>(exact) / static_cast<double>(given.size()));
    }
    fmt::print("\n");
  }
  show(LinePlot{.title = "Quality against length",
                .x_axis = "words of the source",
                .y_axis = "BLEU",
                .curves = curves},
       folder + "/by_length");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [&](const std::string& folder) {
    using namespace regard::examples;
    regard::check(argc > 4, "usage: by_length FOLDER SOURCE REFERENCE NAME=TRANSLATION...");
    const Lines sources = lines_of(argv[2]);
    if (sources.empty()) regard::fail(regard::Fault::input, argv[2], " has no line");
    std::vector<System> systems;
    for (int i = 4; i < argc; ++i) {
      const std::string argument = argv[i];
      const std::size_t sign = argument.find('=');
      regard::check(sign != std::string::npos, "expected NAME=TRANSLATION, got '", argument, "'");
      systems.push_back(
          {argument.substr(0, sign), parallel_lines(argument.substr(sign + 1), sources)});
    }
    by_length(folder, sources, parallel_lines(argv[3], sources), systems);
  });
}
