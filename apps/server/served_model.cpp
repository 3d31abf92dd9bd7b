#include "server/served_model.h"

#include <chrono>

#include "server/api_error.h"

namespace dhyan::server {

namespace {

std::int64_t seconds_since_1970(std::filesystem::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

}  // namespace

std::string_view name_of(Task task) {
  switch (task) {
    case Task::kTranslate:
      return "translate";
    case Task::kCaption:
      return "caption";
    case Task::kContinueText:
      return "write";
    case Task::kFillGaps:
      return "fill";
  }
  return "";
}

ModelSpec model_spec(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  ModelSpec spec;
  if (equals != argument.npos) {
    spec = {.name = std::string(argument.substr(0, equals)), .folder = argument.substr(equals + 1)};
  } else {
    spec.folder = argument;
    const std::filesystem::path whole = std::filesystem::absolute(spec.folder).lexically_normal();
    spec.name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  }
  if (spec.name.empty() || spec.folder.empty()) {
    throw UsageError(cat("serve: '", argument, "' is no model; expected a folder, or name=folder"));
  }
  if (spec.name.find('@') != std::string::npos) {
    throw UsageError(cat("serve: the name '", spec.name,
                         "' has an @, which is for checkpoints; give it a name with "
                         "--model name=folder"));
  }
  return spec;
}

ServedModel::ServedModel(ModelSpec spec) : ServedModel(spec, load_model(spec.folder)) {}

ServedModel::ServedModel(const ServedModel& of, Index step)
    : ServedModel({cat(of.name(), '@', step), of.folder()}, load_checkpoint(of.folder(), step)) {}

ServedModel::ServedModel(ModelSpec spec, LoadedModel loaded)
    : spec_(std::move(spec)),
      task_(task_of(loaded.config)),
      languages_(languages_of(spec_.folder, loaded.config)),
      tokenizers_(loaded.tokenizers),
      saved_at_(seconds_since_1970(std::filesystem::last_write_time(spec_.folder / kWeightsFile))) {
  switch (task_) {
    case Task::kTranslate:
    case Task::kCaption:
      translator_ = std::make_shared<const Translator>(std::move(loaded));
      break;
    case Task::kContinueText:
      writer_ = std::make_shared<const Writer>(std::move(loaded));
      break;
    case Task::kFillGaps:
      filler_ = std::make_shared<const Filler>(std::move(loaded));
      break;
  }
}

const Config& ServedModel::config() const {
  if (translator_ != nullptr) return translator_->config();
  return writer_ != nullptr ? writer_->config() : filler_->config();
}

void ServedModel::refuse(std::string_view what) const {
  throw ApiError(400, cat("the model '", name(), "' cannot ", what, "; it is for ", commands_for(task_)), "model");
}

const std::shared_ptr<const Translator>& ServedModel::translator() const {
  if (task_ != Task::kTranslate) refuse("translate text");
  return translator_;
}

const std::shared_ptr<const Translator>& ServedModel::captioner() const {
  if (task_ != Task::kCaption) refuse("describe pictures");
  return translator_;
}

const Writer& ServedModel::writer() const {
  if (writer_ == nullptr) refuse("continue a text");
  return *writer_;
}

const Filler& ServedModel::filler() const {
  if (filler_ == nullptr) refuse("embed sentences");
  return *filler_;
}

}  // namespace dhyan::server
