#include "runs/run_folder.h"

#include "core/error.h"
#include "core/file.h"
#include "training/trainer.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

void refuse_other_files(const fs::path& folder, Existing existing) {
  if (existing == Existing::kRefuse) {
    throw UsageError(cat(folder.string(), ": holds files and no model of dhyan (", some_files_of(folder),
                         "); -o names another folder, --overwrite writes the model beside these files"));
  }
  const std::vector<std::string> names = names_in_the_way(folder);
  if (names.empty()) return;
  throw DataError(cat((folder / names.front()).string(),
                      ": dhyan did not write it and would write a file of that name; move it, or name another folder"
                      " with -o"));
}

std::vector<std::string> check_folder(const fs::path& folder, Existing existing,
                                      std::string_view what_to_do_with_model) {
  std::vector<std::string> notes;
  const FolderContents contents = contents_of(folder);
  if (contents == FolderContents::kOther) refuse_other_files(folder, existing);
  if (contents == FolderContents::kModel && existing == Existing::kRefuse) {
    throw UsageError(cat(folder.string(), ": holds a ", what_to_do_with_model, ", -o names another folder"));
  }
  if (contents == FolderContents::kUnfinished) {
    notes.push_back(cat(folder.string(), ": an earlier training there ended before its first save; starting over"));
  }
  if (has_readme_of_user(folder)) {
    notes.push_back(cat((folder / kReadmeFile).string(), ": dhyan did not write it; it stays as it is"));
  }
  return notes;
}

void refuse_to_resume(const fs::path& folder) {
  if (contents_of(folder) == FolderContents::kUnfinished) {
    throw ModelFileError(cat(folder.string(),
                             ": the training there ended before its first save, so there is nothing to"
                             " resume; 'dhyan train' without --resume starts over there"));
  }
  const bool model = contents_of(folder) == FolderContents::kModel;
  throw ModelFileError(cat(folder.string(), ": there is no training to resume",
                           model ? "; --init-from starts another training with this model, in another folder" : ""));
}

// Moves the prepared files. config.json comes last: a folder without it is not a model.
void move_prepared(const fs::path& from, const fs::path& to) {
  create_folder(to);
  const bool keep_readme = has_readme_of_user(to);
  const std::vector<fs::directory_entry> files(fs::directory_iterator(from), fs::directory_iterator{});
  for (const fs::directory_entry& file : files) {
    const std::string name = file.path().filename();
    const bool moves = is_name_of_dhyan(name) && name != kConfigFile && !(keep_readme && name == kReadmeFile);
    if (moves) fs::rename(file.path(), to / name);
  }
  if (fs::exists(from / kConfigFile)) fs::rename(from / kConfigFile, to / kConfigFile);
}

}  // namespace

std::vector<std::string> check_training_folder(const fs::path& folder, Existing existing) {
  if (existing == Existing::kResume && !Trainer::can_resume(folder)) refuse_to_resume(folder);
  if (Trainer::can_resume(folder)) {
    return check_folder(folder, existing, "model; --resume continues its training, --overwrite starts over");
  }
  return check_folder(folder, existing,
                      "model without the state of its training; --init-from starts another training with it, "
                      "--overwrite starts over");
}

std::vector<std::string> check_model_folder(const fs::path& folder, Existing existing) {
  return check_folder(folder, existing, "model; --overwrite replaces it");
}

void expect_another_folder(const fs::path& input, const fs::path& output) {
  if (fs::exists(input) && fs::exists(output) && fs::equivalent(input, output)) {
    throw UsageError(cat(output.string(), ": is the model itself; -o names another folder"));
  }
}

void write_readme(const fs::path& folder, std::string_view text) {
  if (!has_readme_of_user(folder)) write_file(folder / kReadmeFile, text);
}

PreparedFolder::PreparedFolder(const fs::path& folder) : folder_(folder), was_there_(fs::exists(folder)) {
  create_folder(folder_);
  remove_prepared(folder_);
  create_folder(path());
}

PreparedFolder::~PreparedFolder() {
  try {
    remove_prepared(folder_);
  } catch (const std::exception&) {  // a destructor cannot report it
  }
  std::error_code ignored;
  if (!was_there_) fs::remove(folder_, ignored);  // if it is empty
}

fs::path PreparedFolder::path() const { return folder_ / kPreparedFolder; }

void PreparedFolder::commit() const {
  remove_model(folder_);
  move_prepared(path(), folder_ / kStateFolder);
}

void PreparedFolder::commit_model() const {
  remove_model(folder_);
  move_prepared(path(), folder_);
}

}  // namespace dhyan
