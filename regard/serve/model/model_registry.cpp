#include "regard/serve/model/model_registry.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/tokens/normalise.h"

namespace regard {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

struct Alias {
  std::string_view code, other;
};
constexpr Alias kAliases[]{{"zh", "zh-hans"}, {"zh", "zh-cn"}, {"zt", "zh-hant"}, {"zt", "zh-tw"},
                           {"pb", "pt-br"},   {"pb", "pt"},    {"nb", "no"}};

bool has_language(const Models& models, std::string_view code) {
  return std::ranges::any_of(models, [&](const ServedModelPtr& model) {
    return !model->captions() &&
           (lower(model->info().from) == code || lower(model->info().to) == code);
  });
}

/// The folder's own name, as it was given; if that says only where it lies (".", "..", "x/.."),
/// the name it has there.
std::string own_name(const std::string& folder) {
  namespace fs = std::filesystem;
  const auto last = [](fs::path path) {
    if (path.filename().empty()) path = path.parent_path();
    return path.filename().string();
  };
  std::string name = last(fs::path(folder).lexically_normal());
  std::error_code ignored;
  if (name.empty() || name == "." || name == "..") name = last(fs::canonical(folder, ignored));
  // Addresses and JSON are UTF-8, and the root has no name.
  return name.empty() || !valid_utf8(name) ? "model" : name;
}

std::vector<ModelPlace> named(const std::vector<std::string>& folders,
                              const ModelLanguages& languages) {
  std::vector<ModelPlace> places;
  std::set<std::string> names;
  for (const std::string& folder : folders) {
    const std::string stem = own_name(folder);
    std::string name = stem;
    for (int n = 2; !names.insert(name).second; ++n) name = stem + "-" + std::to_string(n);
    places.push_back({name, folder, languages});
  }
  return places;
}

}  // namespace

ModelRegistry::ModelRegistry(const std::vector<std::string>& folders, EngineSpec spec,
                             const ModelLanguages& languages)
    : spec_(spec), places_(named(folders, languages)) {
  check(!folders.empty(), "a service needs a model at least");
  Models models;
  for (const ModelPlace& place : places_)
    models.push_back(std::make_shared<ServedModel>(place, spec_));
  models_ = std::make_shared<const Models>(std::move(models));
}

// A job in flight holds its model; stopped from here, its engine's own thread is not the one to
// let go of it last.
ModelRegistry::~ModelRegistry() {
  for (const ServedModelPtr& model : *models_) model->engine().stop();
  for (const ServedModelPtr& model : retired_) model->engine().stop();
}

std::shared_ptr<const Models> ModelRegistry::models() const {
  const std::lock_guard lock(mutex_);
  return models_;
}

void ModelRegistry::reload() {
  const std::lock_guard one_at_a_time(reloading_);
  std::shared_ptr<const Models> before = models();
  Models after;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    try {
      auto fresh = std::make_shared<ServedModel>(places_[i], spec_, NotFinite::refuse);
      fresh->try_out();
      after.push_back(std::move(fresh));
      retired_.push_back((*before)[i]);
    } catch (const std::exception& error) {
      warn("the model ", places_[i].name, " stays as it was: ", error.what());
      after.push_back((*before)[i]);
    }
  }
  {
    const std::lock_guard lock(mutex_);
    models_ = std::make_shared<const Models>(std::move(after));
  }
  before.reset();
  // Requests in flight hold the old model a little longer; what is left goes at the next reload.
  constexpr int kMaxLooks = 100;
  constexpr std::chrono::milliseconds kLook{20};
  for (int looks = 0; sweep(), !retired_.empty() && looks < kMaxLooks; ++looks)
    std::this_thread::sleep_for(kLook);
}

/// Frees the models of earlier reloads that nobody uses any more.
void ModelRegistry::sweep() {
  std::erase_if(retired_, [](const ServedModelPtr& model) { return model.use_count() == 1; });
}

std::string known_language(const Models& models, std::string_view code) {
  const std::string asked = lower(code);
  if (has_language(models, asked)) return asked;
  for (const Alias& alias : kAliases) {
    if (asked == alias.code && has_language(models, alias.other)) return std::string(alias.other);
    if (asked == alias.other && has_language(models, alias.code)) return std::string(alias.code);
  }
  const std::string plain = asked.substr(0, asked.find_first_of("-_"));
  return plain != asked && has_language(models, plain) ? plain : "";
}

ServedModelPtr model_for(const Models& models, std::string_view from, std::string_view to) {
  for (const ServedModelPtr& model : models)
    if (!model->captions() && lower(model->info().from) == from && lower(model->info().to) == to)
      return model;
  return nullptr;
}

std::map<std::string, std::vector<std::string>> targets_of(const Models& models) {
  std::map<std::string, std::set<std::string>> found;
  for (const ServedModelPtr& model : models) {
    const std::string from = lower(model->info().from), to = lower(model->info().to);
    if (model->captions() || from.empty() || to.empty()) continue;
    found[from].insert({from, to});
    found[to].insert(to);
  }
  std::map<std::string, std::vector<std::string>> targets;
  for (const auto& [from, to] : found) targets[from].assign(to.begin(), to.end());
  return targets;
}

std::vector<std::string> source_languages(const Models& models) {
  std::vector<std::string> languages;
  for (const ServedModelPtr& model : models) {
    if (model->captions()) continue;
    const std::string from = lower(model->info().from);
    if (std::ranges::find(languages, from) == languages.end()) languages.push_back(from);
  }
  return languages;
}

}  // namespace regard
