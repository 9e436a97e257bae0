#include "regard/cli/corpus/scene_files.h"

#include <utility>
#include <vector>

#include "regard/cli/corpus/moving_count.h"
#include "regard/cli/corpus/scene_lines.h"
#include "regard/cli/output_file.h"
#include "regard/cli/output_folder.h"
#include "regard/cli/standard_output.h"
#include "regard/cli/stop_signal.h"
#include "regard/image/png_writer.h"
#include "regard/image/scenes/paint.h"

namespace regard {
namespace {

/// The lists of a split: what is said in each language, and boxes.
std::vector<std::string> list_names(const PictureCorpus& corpus, Split split) {
  const std::string begin = std::string(name(split)) + ".";
  std::vector<std::string> names;
  for (const std::string_view language : corpus.languages())
    names.push_back(begin + std::string(language) + (language.empty() ? "tsv" : ".tsv"));
  names.push_back(begin + "boxes.jsonl");
  return names;
}

/// Adds what the lists say of a scene, in the order of list_names.
void add_lines(std::vector<std::string>& lists, const PictureCorpus& corpus,
               const scenes::Scene& scene, const std::string& picture) {
  std::size_t list = 0;
  for (const std::string_view language : corpus.languages())
    lists[list++] += picture + "\t" + corpus.say(scene.content, language).text + "\n";
  lists[list] += scene_json(corpus, scene, picture).dump() + "\n";
}

}  // namespace

int write_scenes(const ScenesRequest& request, const std::string& folder, bool overwrite,
                 const Settings& settings) {
  const Split split = request.spec.split;
  std::vector<std::string> names;
  for (Index i = 0; i < request.count; ++i) names.push_back(picture_name(split, i));
  // The lists come last: where there is one, there are its pictures.
  const std::vector<std::string> list_files = list_names(request.corpus, split);
  names.insert(names.end(), list_files.begin(), list_files.end());
  std::vector<OutputFile> outputs;
  for (const std::string& name : names) outputs.push_back({"--out", folder + "/" + name});
  check_outputs(outputs, {}, overwrite);

  const StopSignal signals;
  OutputFolder files(folder, names);
  std::vector<std::string> lists(list_files.size());
  {
    MovingCount count(settings, request.count, "pictures");
    for (Index i = 0; i < request.count; ++i) {
      if (StopSignal::caught() != 0) return 128 + StopSignal::caught();
      const scenes::Scene scene = request.corpus.scene(request.spec, i);
      const Image image = scenes::painted(scene);
      const std::string picture = picture_name(split, i);
      files.write(picture, png_bytes(image.width, image.height, image.pixels));
      add_lines(lists, request.corpus, scene, picture);
      count.at(i + 1);
    }
  }
  for (std::size_t i = 0; i < lists.size(); ++i) files.write(list_files[i], lists[i]);
  files.publish(overwrite);
  return 0;
}

void show_scenes(const ScenesRequest& request, bool json) {
  const PictureCorpus& corpus = request.corpus;
  std::string text;
  for (Index i = 0; i < request.count; ++i) {
    const scenes::Scene scene = request.corpus.scene(request.spec, i);
    if (json) text += scene_json(corpus, scene, picture_name(request.spec.split, i)).dump() + "\n";
    if (json) continue;
    for (const std::string_view language : corpus.languages())
      text.append(corpus.say(scene.content, language).text)
          .append(language == corpus.languages().back() ? "\n" : "\t");
  }
  write_output(text);
}

}  // namespace regard
