#pragma once

#include <filesystem>

namespace dhyan {

enum class Existing { kRefuse, kOverwrite, kResume };

// What a training keeps for itself, in the folder of its model.
inline constexpr const char* kStateFolder = "training";

// UsageError if there is a model and it is to be left alone, ModelFileError if there is no training to resume.
void check_folder(const std::filesystem::path& folder, Existing existing);

bool holds_a_model(const std::filesystem::path& folder);  // or a training that was begun

// Where a training or a model is prepared, so that a folder is what it was until all is well.
class PreparedFolder {
 public:
  explicit PreparedFolder(const std::filesystem::path& folder);
  ~PreparedFolder();
  PreparedFolder(const PreparedFolder&) = delete;
  PreparedFolder& operator=(const PreparedFolder&) = delete;

  std::filesystem::path path() const;

  // Takes the place of the model that was there, as a training or with its files as the model's; of other files in the
  // folder none is touched.
  void commit() const;
  void commit_model() const;

 private:
  std::filesystem::path folder_;
  bool was_there_;
};

}  // namespace dhyan
