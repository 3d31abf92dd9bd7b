#include "importing/source_files.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/error.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace fs = std::filesystem;

struct SourceFiles::Opened {
  fs::path path;
  std::vector<std::string> names;
  std::string main;
  std::optional<MappedFile> whole;  // the archive
  std::optional<ZipArchive> archive;
  std::map<std::string, MappedFile, std::less<>> mapped;
  std::map<std::string, std::vector<std::byte>, std::less<>> unpacked;
};

namespace {

// Archives that are one model: of NumPy and of PyTorch.
bool is_model_archive(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".npz" || extension == ".bin" || extension == ".pt" || extension == ".pth";
}

// The model of an Argos package is two folders below one that holds the package. Settings of a single file are in
// dhyan/.
constexpr int kLevelsOfFolder = 3, kLevelsOfFile = 2;

std::vector<std::string> names_in_folder(const fs::path& folder, int levels) {
  std::vector<std::string> names;
  fs::recursive_directory_iterator at(folder);
  for (const fs::directory_entry& entry : at) {
    if (at.depth() + 1 >= levels) at.disable_recursion_pending();
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).generic_string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

SourceFiles::SourceFiles(const fs::path& path) : opened_(std::make_shared<Opened>()) {
  opened_->path = path;
  std::error_code failed;
  if (!fs::exists(path, failed)) throw ModelFileError(cat(path.string(), ": there is no such file or folder"));
  if (!fs::is_directory(path, failed)) {
    MappedFile file(path);
    if (is_zip(file.bytes()) && !is_model_archive(path)) {
      opened_->whole.emplace(std::move(file));
      opened_->archive.emplace(path.string(), opened_->whole->bytes());
      for (const auto& [name, entry] : opened_->archive->entries()) {
        if (!name.ends_with('/')) opened_->names.push_back(name);
      }
      return;
    }
    opened_->main = path.filename().string();
    opened_->path = path.has_parent_path() ? path.parent_path() : fs::path(".");
  }
  try {
    opened_->names = names_in_folder(opened_->path, opened_->main.empty() ? kLevelsOfFolder : kLevelsOfFile);
  } catch (const fs::filesystem_error& error) {
    throw IoError(cat(opened_->path.string(), ": cannot be read: ", error.code().message()));
  }
}

bool SourceFiles::is_folder() const { return !opened_->archive && prefix_.empty(); }
const std::string& SourceFiles::main() const { return opened_->main; }
const fs::path& SourceFiles::path() const { return opened_->path; }
std::string SourceFiles::full(std::string_view name) const { return prefix_ + std::string(name); }

std::string SourceFiles::where(std::string_view name) const { return (opened_->path / full(name)).string(); }

bool SourceFiles::has(std::string_view name) const { return std::ranges::binary_search(opened_->names, full(name)); }

std::vector<std::string> SourceFiles::names() const {
  std::vector<std::string> found;
  for (const std::string& name : opened_->names) {
    if (name.starts_with(prefix_)) found.push_back(name.substr(prefix_.size()));
  }
  return found;
}

std::span<const std::byte> SourceFiles::bytes(std::string_view name) const {
  if (!has(name)) throw ModelFileError(cat(opened_->path.string(), ": has no file ", quoted_name(full(name))));
  const std::string whole = full(name);
  if (!opened_->archive) {
    return opened_->mapped.try_emplace(whole, opened_->path / whole).first->second.bytes();
  }
  const auto known = opened_->unpacked.find(whole);
  if (known != opened_->unpacked.end()) return known->second;
  std::vector<std::byte> storage;
  const std::span<const std::byte> content = opened_->archive->content(whole, storage);
  if (storage.empty()) return content;
  return opened_->unpacked.emplace(whole, std::move(storage)).first->second;
}

std::string_view SourceFiles::text(std::string_view name) const {
  const std::span<const std::byte> content = bytes(name);
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

SourceFiles SourceFiles::below(std::string_view folder) const {
  SourceFiles part = *this;
  part.prefix_ = cat(prefix_, folder, "/");
  return part;
}

}  // namespace dhyan
