#include "server/model_set.h"

#include <algorithm>

#include "core/number_text.h"
#include "server/api_error.h"
#include "text/language_names.h"

namespace dhyan::server {

namespace {

void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

}  // namespace

ModelSet::ModelSet(std::span<const ModelSpec> specs) {
  for (const ModelSpec& spec : specs) {
    if (std::ranges::find(models_, spec.name, &ServedModel::name) != models_.end()) {
      throw UsageError(cat("serve: there are two models called '", spec.name, "'; name them with --model name=folder"));
    }
    models_.push_back(std::make_shared<const ServedModel>(spec));
    add_languages(*models_.back());
  }
  std::ranges::sort(languages_, {}, &LanguagePairs::code);
}

void ModelSet::add_languages(const ServedModel& model) {
  const std::string source = model.source_language(), target = model.target_language();
  const ModelLanguages& languages = model.languages();
  if (!source.empty() && languages.source_trigrams) detector_.add(source, *languages.source_trigrams);
  if (!target.empty() && languages.target_trigrams) detector_.add(target, *languages.target_trigrams);
  if (model.task() != Task::kTranslate || source.empty() || target.empty()) return;
  for (const std::string& code : {source, target}) {
    if (std::ranges::find(languages_, code, &LanguagePairs::code) != languages_.end()) continue;
    languages_.push_back({.code = code, .targets = {}});
  }
  add_once(std::ranges::find(languages_, source, &LanguagePairs::code)->targets, target);
  add_once(sources_, source);
  add_once(targets_, target);
}

std::shared_ptr<const ServedModel> ModelSet::named(const std::string& name) const {
  const std::size_t at = name.find('@');
  const auto model = std::ranges::find(models_, name.substr(0, at), &ServedModel::name);
  if (model == models_.end()) throw ApiError(404, cat("there is no model '", name, "'"), "model");
  if (at == name.npos) return *model;
  const auto step = parse_number<Index>(std::string_view(name).substr(at + 1));
  if (!step || *step < 0) throw ApiError(404, cat("'", name, "': expected the number of a step after @"), "model");
  return checkpoint(**model, *step);
}

bool ModelSet::must_load(const std::string& name) const {
  const std::size_t at = name.find('@');
  if (at == name.npos || std::ranges::find(models_, name.substr(0, at), &ServedModel::name) == models_.end()) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  return std::ranges::find(checkpoints_, name, &ServedModel::name) == checkpoints_.end();
}

// The loaded checkpoint of this name, which becomes the one used last; null if there is none.
std::shared_ptr<const ServedModel> ModelSet::loaded_checkpoint(const std::string& name) const {
  const auto known = std::ranges::find(checkpoints_, name, &ServedModel::name);
  if (known == checkpoints_.end()) return nullptr;
  checkpoints_.splice(checkpoints_.begin(), checkpoints_, known);
  return checkpoints_.front();
}

// Others may use those that are loaded while one is being loaded.
std::shared_ptr<const ServedModel> ModelSet::checkpoint(const ServedModel& model, Index step) const {
  const std::string name = cat(model.name(), '@', step);
  {
    const std::lock_guard lock(mutex_);
    if (auto known = loaded_checkpoint(name)) return known;
  }
  std::shared_ptr<const ServedModel> loaded;
  try {
    loaded = std::make_shared<const ServedModel>(model, step);
  } catch (const ModelFileError& error) {
    throw ApiError(404, cat("the model '", model.name(), "' has no checkpoint of step ", step), "model");
  }
  const std::lock_guard lock(mutex_);
  if (auto known = loaded_checkpoint(name)) return known;
  checkpoints_.push_front(loaded);
  if (checkpoints_.size() > kMaxCheckpoints) checkpoints_.pop_back();
  return loaded;
}

// An aligner translates only word by word.
std::shared_ptr<const ServedModel> ModelSet::first_that(const std::function<bool(const ServedModel&)>& fits) const {
  std::shared_ptr<const ServedModel> aligner;
  for (const auto& model : models_) {
    if (!fits(*model)) continue;
    if (!model->is_aligner()) return model;
    if (aligner == nullptr) aligner = model;
  }
  return aligner;
}

std::shared_ptr<const ServedModel> ModelSet::first(Task task) const {
  const auto model = first_that([&](const ServedModel& one) { return one.task() == task; });
  if (model == nullptr) throw ApiError(404, cat("no model of this server is for ", commands_for(task)), "model");
  return model;
}

std::optional<std::string> ModelSet::source_called(std::string_view code) const {
  return matching_language(code, sources_);
}

std::optional<std::string> ModelSet::target_called(std::string_view code) const {
  return matching_language(code, targets_);
}

std::shared_ptr<const ServedModel> ModelSet::between(std::string_view source, std::string_view target) const {
  return first_that([&](const ServedModel& one) {
    return one.task() == Task::kTranslate && one.source_language() == source && one.target_language() == target;
  });
}

}  // namespace dhyan::server
