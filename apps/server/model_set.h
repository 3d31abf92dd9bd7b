#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "server/served_model.h"
#include "text/language_detector.h"

namespace dhyan::server {

// A language, and those it can be translated to: none if it is only a target.
struct LanguagePairs {
  std::string code;
  std::vector<std::string> targets;
};

// All models of a server, loaded. Any thread may use it.
class ModelSet {
 public:
  static constexpr std::size_t kMaxCheckpoints = 4;  // loaded because somebody asked for "name@step"

  // UsageError for two models of one name; what load_model() throws.
  explicit ModelSet(std::span<const ModelSpec> specs);

  std::span<const std::shared_ptr<const ServedModel>> all() const { return models_; }

  // By name, or "name@step". ApiError, 404, if there is none.
  std::shared_ptr<const ServedModel> named(const std::string& name) const;

  // Whether named() would load this checkpoint, which takes long.
  bool must_load(const std::string& name) const;

  // The first model that does this task, aligners after all others; ApiError, 404, if there is none.
  std::shared_ptr<const ServedModel> first(Task task) const;

  // Languages by code. Models without recorded languages are in none.
  std::span<const LanguagePairs> languages() const { return languages_; }

  // A code as the models know it: case does not matter, and "EN-US" is "en" if there is no "en-US"; none if there is
  // no such language.
  std::optional<std::string> source_called(std::string_view code) const;
  std::optional<std::string> target_called(std::string_view code) const;

  // The first model from one language to another, given as above, aligners after all others; null if there is none.
  std::shared_ptr<const ServedModel> between(std::string_view source, std::string_view target) const;

  std::vector<DetectedLanguage> detect(std::string_view text) const { return detector_.detect(text); }

 private:
  std::shared_ptr<const ServedModel> checkpoint(const ServedModel& model, Index step) const;
  std::shared_ptr<const ServedModel> loaded_checkpoint(const std::string& name) const;  // under the lock
  void add_languages(const ServedModel& model);
  std::shared_ptr<const ServedModel> first_that(const std::function<bool(const ServedModel&)>& fits) const;

  std::vector<std::shared_ptr<const ServedModel>> models_;
  std::vector<LanguagePairs> languages_;
  std::vector<std::string> sources_, targets_;
  LanguageDetector detector_;
  mutable std::mutex mutex_;
  mutable std::list<std::shared_ptr<const ServedModel>> checkpoints_;  // the one used last is first
};

}  // namespace dhyan::server
