#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "translator/folder_contents.h"

namespace dhyan {

enum class Existing { kRefuse, kOverwrite, kResume };

// Checks that a folder may be written to. UsageError if it holds a model or other files and `existing` does not allow
// that; DataError if dhyan would overwrite foreign files; ModelFileError if there is no training to
// resume. Returns notes for the user.
std::vector<std::string> check_training_folder(const std::filesystem::path& folder, Existing existing);
std::vector<std::string> check_model_folder(const std::filesystem::path& folder, Existing existing);

// UsageError if `output` is the folder of `input`.
void expect_another_folder(const std::filesystem::path& input, const std::filesystem::path& output);

// Writes README.md, unless dhyan did not write the existing one.
void write_readme(const std::filesystem::path& folder, std::string_view text);

// A folder in which a training or a model is prepared, so that the output folder changes only once all is ready.
class PreparedFolder {
 public:
  explicit PreparedFolder(const std::filesystem::path& folder);
  ~PreparedFolder();
  PreparedFolder(const PreparedFolder&) = delete;
  PreparedFolder& operator=(const PreparedFolder&) = delete;

  std::filesystem::path path() const;

  // Replaces the model in the output folder, as a training or as a model; other files in the folder are not touched.
  void commit() const;
  void commit_model() const;

 private:
  std::filesystem::path folder_;
  bool was_there_;
};

}  // namespace dhyan
