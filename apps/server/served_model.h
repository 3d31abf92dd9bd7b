#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "config/model_kinds.h"
#include "translator/model_languages.h"
#include "translator/text_models.h"
#include "translator/translator.h"

namespace dhyan::server {

// A model to serve: "name=folder", or a folder, whose last part is then the name.
struct ModelSpec {
  std::string name;
  std::filesystem::path folder;
};
ModelSpec model_spec(std::string_view argument);  // UsageError for an empty name or one with "@"

std::string_view name_of(Task task);  // "translate"

// A loaded model. Immutable; requests that use it keep it alive when models are loaded again.
class ServedModel {
 public:
  explicit ServedModel(ModelSpec spec);
  ServedModel(const ServedModel& of, Index step);  // a checkpoint of the same folder, called "name@step"

  const std::string& name() const { return spec_.name; }
  const std::filesystem::path& folder() const { return spec_.folder; }
  Task task() const { return task_; }
  bool is_aligner() const { return task_ == Task::kTranslate && translator_->model().knows_targets(); }
  const ModelLanguages& languages() const { return languages_; }
  std::string source_language() const { return languages_.source.value_or(""); }  // empty if it was not recorded
  std::string target_language() const { return languages_.target.value_or(""); }
  const Config& config() const;

  // The model, for one of its tasks; ApiError, 400, if it does not have the task.
  const std::shared_ptr<const Translator>& translator() const;  // of text
  const std::shared_ptr<const Translator>& captioner() const;   // of pictures
  const Writer& writer() const;
  const Filler& filler() const;

  const TokenizerPair& tokenizers() const { return tokenizers_; }
  std::int64_t saved_at() const { return saved_at_; }  // when its weights were, in seconds since 1970

 private:
  ServedModel(ModelSpec spec, LoadedModel loaded);
  [[noreturn]] void refuse(std::string_view what) const;

  ModelSpec spec_;
  Task task_;
  ModelLanguages languages_;
  TokenizerPair tokenizers_;
  std::int64_t saved_at_;
  std::shared_ptr<const Translator> translator_;
  std::shared_ptr<const Writer> writer_;
  std::shared_ptr<const Filler> filler_;
};

}  // namespace dhyan::server
