#include "cli/overlay_files.h"

#include <algorithm>
#include <iostream>

#include "core/error.h"
#include "core/file.h"
#include "core/table.h"
#include "translator/caption_maps.h"

namespace dhyan::cli {

namespace {

constexpr std::string_view kFolderFormat = "svg";

const PictureViewFormat& overlay_format(std::string_view name) {
  const auto found = std::ranges::find(picture_view_formats(), name, &PictureViewFormat::name);
  if (found != picture_view_formats().end()) return *found;
  std::string names;
  for (const PictureViewFormat& format : picture_view_formats()) names += cat(' ', format.name);
  throw UsageError(cat("caption: there is no overlay format '", name, "'; there is:", names));
}

}  // namespace

OverlayFiles::OverlayFiles(const std::string& path, const std::string& format, bool several) : path_(path) {
  const PictureViewFormat* of_file = format_of_file(picture_view_formats(), path_);
  std::error_code failed;
  folder_ = !path_.has_extension() || std::filesystem::is_directory(path_, failed);
  if (!folder_ && of_file == nullptr && format.empty()) overlay_format(path_.extension().string().substr(1));
  if (!folder_ && several) {
    throw UsageError(
        cat("caption: --overlay ", path, " is one file, and there may be several pictures; name a folder"));
  }
  format_ = !format.empty() ? &overlay_format(format) : of_file != nullptr ? of_file : &overlay_format(kFolderFormat);
  if (!folder_) return;
  std::filesystem::create_directories(path_, failed);
  if (failed) throw WriteError(cat(path, ": cannot create the folder: ", failed.message()));
}

std::filesystem::path OverlayFiles::next_file(const NamedPicture& picture) {
  if (!folder_) return path_;
  const std::string stem = picture.scene ? "scene" : picture.file.stem().string();
  std::string name = stem;
  for (int number = 2; !used_.insert(name).second; ++number) name = cat(stem, '-', number);
  return path_ / cat(name, format_->extension);
}

void OverlayFiles::write(const NamedPicture& picture, const Translation& caption, const Translator& translator) {
  const PictureMaps maps = picture_maps_of(picture, caption, dhyan::CaptionWriter::of(translator),
                                           {.attention = {.summary = Summary::kMean}});
  const std::string warning = format_->warning == nullptr ? "" : format_->warning(maps);
  if (!warning.empty()) std::cerr << "dhyan: warning: " << warning << '\n';
  write_file(next_file(picture), format_->render(maps, {}));
}

}  // namespace dhyan::cli
