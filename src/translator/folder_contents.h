#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// Subfolders of a model folder: the state of its training, and where a training or a model is prepared.
inline constexpr const char* kStateFolder = "training";
inline constexpr const char* kPreparedFolder = "training.new";
inline constexpr const char* kReadmeFile = "README.md";
inline constexpr const char* kLockFile = ".dhyan.lock";

// The first line of every README.md that dhyan writes. dhyan did not write one that begins otherwise.
inline constexpr std::string_view kReadmeHeading = "# A model of dhyan\n";
// The note below the heading, for people who want to add to the file.
inline constexpr std::string_view kReadmeIsRewritten =
    "\ndhyan rewrites this file when the model is trained further or made anew; keep notes in another file.\n";

// The contents of a folder that a command wants to write to.
enum class FolderContents {
  kNothing,     // no such folder, or an empty one; hidden files do not count
  kUnfinished,  // remains of a process that ended before its first save
  kModel,       // a model, or a training that can be resumed
  kOther,       // other files, none of which identifies a model or training of dhyan
};
FolderContents contents_of(const std::filesystem::path& folder);

// Files in a folder of kOther that dhyan would overwrite; without README.md, which it does not overwrite.
std::vector<std::string> names_in_the_way(const std::filesystem::path& folder);

// Some files of a folder, for a message: "a.txt, b.txt, ...".
std::string some_files_of(const std::filesystem::path& folder);

// Whether there is a README.md that dhyan did not write.
bool has_readme_of_user(const std::filesystem::path& folder);

// Removes a model and its training. Other files stay, also in the folders of the training. The files that a resumed
// training needs are removed first and config.json last.
void remove_model(const std::filesystem::path& folder);

// Whether dhyan writes files of this name, to a model's folder or to that of its training.
bool is_name_of_dhyan(std::string_view name);

// Removes unfinished files of a process that ended.
void remove_prepared(const std::filesystem::path& folder);

}  // namespace dhyan
