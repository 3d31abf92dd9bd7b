#include "cli/picture_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <unistd.h>

#include "cli/interrupt.h"
#include "core/error.h"
#include "translator/test_set.h"

namespace dhyan::cli {

namespace {

constexpr std::array<std::string_view, 4> kPictureExtensions{".jpg", ".jpeg", ".png", ".webp"};
constexpr std::chrono::milliseconds kNamePatience{10};

bool has_picture_extension(const std::filesystem::path& file) {
  std::string extension = file.extension();
  std::ranges::transform(extension, extension.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return std::ranges::find(kPictureExtensions, extension) != kPictureExtensions.end();
}

std::vector<NamedPicture> pictures_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (has_picture_extension(entry.path()) && !entry.is_directory()) files.push_back(entry.path().string());
  }
  if (files.empty()) {
    throw DataError(cat(folder.string(), ": no pictures in the folder; expected files .jpg, .jpeg, .png or .webp"));
  }
  std::ranges::sort(files);
  std::vector<NamedPicture> pictures;
  for (const std::string& file : files) pictures.push_back(picture_file(file));
  return pictures;
}

}  // namespace

PictureList::PictureList(const PictureArguments& arguments) {
  refuse_stdin_twice({arguments.pictures});
  std::vector<std::string> names = arguments.pictures;
  if (names.empty() && arguments.scenes.empty()) {
    if (::isatty(STDIN_FILENO) == 1) {
      throw UsageError("caption: no picture is named; name files or folders, or pipe a list of files into dhyan");
    }
    names.emplace_back("-");
  }
  several_ = names.size() + arguments.scenes.size() != 1;
  for (const std::string& name : names) {
    std::error_code failed;
    if (name == "-") {
      several_ = true;
      list_at_ = pictures_.size();
    } else if (std::filesystem::is_directory(name, failed)) {
      several_ = true;
      std::ranges::move(pictures_in(name), std::back_inserter(pictures_));
    } else {
      pictures_.push_back(picture_file(name));
    }
  }
  for (const std::string& scene : arguments.scenes) pictures_.push_back(picture_of_scene(scene));
  if (list_at_) list_ = std::make_unique<LineReader>("-", ReadOptions{.poll = throw_if_interrupted});
}

std::optional<std::uint64_t> PictureList::count() const {
  return list_at_ ? std::nullopt : std::optional<std::uint64_t>(pictures_.size());
}

bool PictureList::next(NamedPicture& picture) {
  if (list_ != nullptr && next_ == *list_at_) {
    for (std::string_view line; list_->next(line);) {
      if (line.empty()) continue;
      picture = picture_file(std::string(line));
      return true;
    }
    list_.reset();
  }
  if (next_ == pictures_.size()) return false;
  picture = pictures_[next_++];
  return true;
}

bool PictureList::is_ready() { return list_ == nullptr || next_ != *list_at_ || list_->ready(kNamePatience); }

std::vector<NamedPicture> PictureList::take(Index most) {
  std::vector<NamedPicture> taken;
  NamedPicture picture;
  while (std::ssize(taken) < most && (taken.empty() || is_ready()) && next(picture))
    taken.push_back(std::move(picture));
  return taken;
}

}  // namespace dhyan::cli
