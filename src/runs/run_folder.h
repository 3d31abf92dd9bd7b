#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "translator/folder_contents.h"

namespace dhyan {

enum class Existing { kRefuse, kOverwrite, kResume };

// Before a folder is written to: whether what is there allows it. UsageError if there is a model and it is to be left
// alone, or other files and nobody said --overwrite; DataError if files that dhyan did not write have names that it
// would write to; ModelFileError if there is no training to resume. Returns what the user should know.
std::vector<std::string> check_training_folder(const std::filesystem::path& folder, Existing existing);
std::vector<std::string> check_model_folder(const std::filesystem::path& folder, Existing existing);

// UsageError if a model is to be made of `input` and written to the same folder.
void expect_another_folder(const std::filesystem::path& input, const std::filesystem::path& output);

// Writes README.md, unless there is one that dhyan did not write.
void write_readme(const std::filesystem::path& folder, std::string_view text);

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
