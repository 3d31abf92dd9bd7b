#include "translator/folder_contents.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "config/model_kinds.h"
#include "config/settings.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "training/checkpoints.h"
#include "translator/model_folder.h"
#include "translator/model_languages.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

// Names that dhyan writes in the folder of a model.
std::vector<std::string> model_names() {
  std::vector<std::string> names{std::string(kConfigFile),   std::string(kWeightsFile),   "train.log", "train.jsonl",
                                 std::string(kTrigramsFile), std::string(kShortlistFile), kReadmeFile};
  for (const char* side : {"source", "target", "shared"}) {
    for (const char* ending : {".model", ".vocab", ".merges"}) names.push_back(cat(side, ending));
  }
  for (const ValidationMetric& metric : validation_metrics()) {
    names.push_back(cat("model-best-", metric.name, ".safetensors"));
  }
  return names;
}

// "step-12.safetensors": between both there is a number.
bool is_numbered(std::string_view name, std::string_view before, std::string_view after) {
  if (!name.starts_with(before) || !name.ends_with(after) || name.size() <= before.size() + after.size()) return false;
  name.remove_prefix(before.size());
  name.remove_suffix(after.size());
  return parse_number<std::uint64_t>(name).has_value();
}

// "pixels-64x64.pictures", "features-1f3a.pictures"
bool is_picture_cache(std::string_view name) {
  return (name.starts_with("pixels-") || name.starts_with("features-")) && name.ends_with(".pictures");
}

// Names that dhyan writes in the folder of a training.
bool is_state_name(std::string_view name) {
  return name == "state.safetensors" || name == "samples.jsonl" || is_numbered(name, "step-", ".safetensors") ||
         is_numbered(name, "train-", ".tokens") || is_numbered(name, "valid-", ".tokens") || is_picture_cache(name) ||
         (name.starts_with("events.out.tfevents.") && name.ends_with(".dhyan"));
}

bool is_model_name(std::string_view name) {
  const std::vector<std::string> names = model_names();
  return std::ranges::find(names, name) != names.end();
}

// Names in a folder, in order; none if it cannot be read, because writing to it will report the error.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    names.push_back(at->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// The files of a folder without hidden and temporary ones.
std::vector<std::string> visible_names_in(const fs::path& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) {
    return name.starts_with('.') || name == "lost+found" || is_temporary_name(name);
  });
  return names;
}

bool is_config_of_dhyan(const fs::path& file) {
  try {
    for (const Setting& setting : read_json(file)) {
      if (setting.name != "model" || setting.values.size() != 1) continue;
      return std::ranges::find(model_kinds(), setting.values.front(), &ModelKind::name) != model_kinds().end();
    }
  } catch (const Error&) {  // no file, or no valid one
  }
  return false;
}

// A folder with only files of dhyan; also an empty one, which a killed process can leave.
template <class IsOurs>
bool holds_only(const fs::path& folder, const IsOurs& is_ours) {
  std::error_code failed;
  return fs::is_directory(folder, failed) && std::ranges::all_of(visible_names_in(folder), is_ours);
}

template <class IsOurs>
void remove_all_of(const fs::path& folder, const IsOurs& is_ours) {
  for (const std::string& name : names_in(folder)) {
    if (is_ours(name) || is_temporary_name(name)) fs::remove(folder / name);
  }
  std::error_code not_empty;
  fs::remove(folder, not_empty);
}

}  // namespace

FolderContents contents_of(const fs::path& folder) {
  if (visible_names_in(folder).empty()) return FolderContents::kNothing;
  const bool config = is_config_of_dhyan(folder / kConfigFile);
  if (fs::exists(state_file(folder)) || (config && fs::exists(folder / kWeightsFile))) return FolderContents::kModel;
  const bool begun = config || holds_only(folder / kStateFolder, is_state_name) ||
                     holds_only(folder / kPreparedFolder, is_name_of_dhyan);
  return begun ? FolderContents::kUnfinished : FolderContents::kOther;
}

std::vector<std::string> names_in_the_way(const fs::path& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) {
    const bool written = is_model_name(name) || name == kStateFolder || name == kPreparedFolder;
    return !written || name == kReadmeFile;
  });
  return names;
}

std::string some_files_of(const fs::path& folder) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> names = visible_names_in(folder);
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += cat(i == 0 ? "" : ", ", names[i]);
  return text + (names.size() > kShown ? ", ..." : "");
}

bool has_readme_of_user(const fs::path& folder) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(folder / kReadmeFile, failed))) return false;
  std::array<char, kReadmeHeading.size()> beginning{};
  std::ifstream file(folder / kReadmeFile, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  return std::string_view(beginning.data(), beginning.size()) != kReadmeHeading;
}

void remove_model(const fs::path& folder) {
  fs::remove(state_file(folder));
  remove_all_of(folder / kStateFolder, is_state_name);
  const bool keep_readme = has_readme_of_user(folder);
  for (const std::string& name : model_names()) {
    if (name != kConfigFile && !(keep_readme && name == kReadmeFile)) fs::remove(folder / name);
  }
  fs::remove(folder / kConfigFile);
}

bool is_name_of_dhyan(std::string_view name) { return is_state_name(name) || is_model_name(name); }

void remove_prepared(const fs::path& folder) { remove_all_of(folder / kPreparedFolder, is_name_of_dhyan); }

}  // namespace dhyan
