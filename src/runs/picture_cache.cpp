#include "runs/picture_cache.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "data/content_hash.h"
#include "vision/read_picture.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMagic = 0x3143495059484444;  // "DDHYPIC1"
constexpr std::size_t kPicturesAtOnce = 128;          // pictures whose records are in memory at once

// A file is records, the hash of each picture's bytes, and this.
struct Trailer {
  std::uint64_t magic = kMagic;
  std::uint64_t content = 0, height = 0, width = 0, channels = 0;  // PictureFormat
  std::uint64_t key = 0;
  std::uint64_t count = 0;
  std::uint64_t records = 0;   // hash of all records
  std::uint64_t checksum = 0;  // of the hashes and of the fields above
};

Trailer trailer_of(const PictureCacheRecipe& recipe, std::span<const std::uint64_t> hashes, std::uint64_t records) {
  const PictureFormat& format = recipe.format;
  Trailer trailer{.content = static_cast<std::uint64_t>(format.content),
                  .height = static_cast<std::uint64_t>(format.size.height),
                  .width = static_cast<std::uint64_t>(format.size.width),
                  .channels = static_cast<std::uint64_t>(format.channels),
                  .key = recipe.key,
                  .count = hashes.size(),
                  .records = records};
  ContentHash sum;
  sum.add(std::as_bytes(hashes));
  for (const std::uint64_t field : {trailer.magic, trailer.content, trailer.height, trailer.width, trailer.channels,
                                    trailer.key, trailer.count, trailer.records}) {
    sum.add(field);
  }
  trailer.checksum = sum.value();
  return trailer;
}

// The records of a file, and the hashes of their pictures.
class CacheFile {
 public:
  // Empty if the file is missing, damaged or made by another recipe.
  static std::unique_ptr<CacheFile> open(const fs::path& path, const PictureCacheRecipe& recipe) {
    if (!fs::exists(path)) return nullptr;
    auto file = std::unique_ptr<CacheFile>(new CacheFile(MappedFile(path)));
    return file->read(recipe) ? std::move(file) : nullptr;
  }

  std::span<const std::byte> records() const { return file_.bytes().first(count() * record_); }
  std::span<const std::uint64_t> hashes() const { return hashes_; }
  std::size_t count() const { return hashes_.size(); }
  std::span<const std::byte> record(std::size_t place) const { return file_.bytes().subspan(place * record_, record_); }
  void expect_unchanged() const { file_.expect_unchanged(); }

 private:
  explicit CacheFile(MappedFile file) : file_(std::move(file)) {}

  bool read(const PictureCacheRecipe& recipe) {
    record_ = recipe.format.bytes();
    const std::span<const std::byte> bytes = file_.bytes();
    Trailer found;
    if (bytes.size() < sizeof(Trailer)) return false;
    std::memcpy(&found, bytes.last(sizeof(Trailer)).data(), sizeof(Trailer));
    const std::size_t rest = bytes.size() - sizeof(Trailer), each = record_ + sizeof(std::uint64_t);
    if (rest % each != 0 || found.count != rest / each) return false;
    hashes_.resize(rest / each);
    std::ranges::copy(bytes.subspan(hashes_.size() * record_, hashes_.size() * sizeof(std::uint64_t)),
                      std::as_writable_bytes(std::span(hashes_)).begin());
    const Trailer expected = trailer_of(recipe, hashes_, content_hash(records()));
    return std::memcmp(&found, &expected, sizeof(Trailer)) == 0;
  }

  MappedFile file_;
  std::size_t record_ = 0;
  std::vector<std::uint64_t> hashes_;
};

class CachedPictures final : public PictureSource {
 public:
  CachedPictures(std::unique_ptr<CacheFile> file, PictureFormat format, std::vector<std::size_t> places)
      : file_(std::move(file)), format_(format), places_(std::move(places)) {}

  PictureFormat format() const override { return format_; }

  void read(TokenId number, std::span<std::byte> to) const override {
    if (number < 0 || static_cast<std::size_t>(number) >= places_.size()) {
      throw UsageError(cat("pictures: number ", number, " of ", places_.size()));
    }
    std::ranges::copy(file_->record(places_[static_cast<std::size_t>(number)]), to.data());
    file_->expect_unchanged();
  }

 private:
  std::unique_ptr<CacheFile> file_;
  PictureFormat format_;
  std::vector<std::size_t> places_;  // by number
};

// The result of reading one picture.
struct Made {
  std::uint64_t hash = 0;
  std::vector<std::byte> record;  // empty: it is already in the cache
  std::string failure;            // not empty: why it cannot be read
};

class Builder {
 public:
  Builder(const fs::path& cache, const fs::path& images, const PictureCacheRecipe& recipe,
          const PictureBuildOptions& options)
      : cache_(cache), images_(images), recipe_(recipe), options_(options), old_(CacheFile::open(cache, recipe)) {
    if (old_) hashes_.assign(old_->hashes().begin(), old_->hashes().end());
    for (std::size_t place = 0; place < hashes_.size(); ++place) places_.emplace(hashes_[place], place);
  }

  PreparedPictures prepare(std::span<const std::string> names) {
    PreparedPictures prepared;
    std::vector<std::string> readable;
    std::vector<std::size_t> places;
    for (std::size_t begin = 0; begin < names.size(); begin += kPicturesAtOnce) {
      const auto some = names.subspan(begin, std::min(kPicturesAtOnce, names.size() - begin));
      std::vector<Made> made(some.size());
      run(std::ssize(some),
          [&](Index i) { made[static_cast<std::size_t>(i)] = make(some[static_cast<std::size_t>(i)]); });
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (!made[i].failure.empty()) {
          prepared.unreadable.push_back(std::move(made[i].failure));
          continue;
        }
        readable.push_back(some[i]);
        places.push_back(place_of(made[i], prepared.made));
      }
      if (options_.progress != nullptr) options_.progress->update(begin + some.size(), names.size(), "pictures");
    }
    finish();
    ContentHash content;
    content.add(recipe_.key).add(recipe_.format.bytes());
    for (const std::size_t place : places) content.add(hashes_[place]);
    prepared.names = std::make_shared<PictureNames>(std::move(readable), content.value());
    prepared.pictures = std::make_shared<CachedPictures>(std::move(old_), recipe_.format, std::move(places));
    return prepared;
  }

 private:
  void run(Index tasks, const std::function<void(Index)>& task) const {
    const auto checked = [&](Index i, int) {
      if (options_.poll) options_.poll();
      task(i);
    };
    if (options_.pool != nullptr) return options_.pool->run(tasks, checked);
    for (Index i = 0; i < tasks; ++i) checked(i, 0);
  }

  Made make(const std::string& name) const {
    Made made;
    try {
      const fs::path file = images_ / name;
      if (!fs::is_regular_file(file)) throw PictureError(cat(file.string(), ": there is no such file"));
      const MappedFile mapped(file);
      const std::span<const std::byte> bytes = mapped.bytes();
      made.hash = content_hash(bytes);
      if (places_.contains(made.hash)) return made;
      made.record.resize(recipe_.format.bytes());
      recipe_.make(file, bytes, made.record);
      mapped.expect_unchanged();
    } catch (const PictureError& error) {
      made.failure = error.what();
    } catch (const IoError& error) {
      made.failure = error.what();
    }
    return made;
  }

  // The place of the picture's record, which may not be written yet.
  std::size_t place_of(const Made& made, std::size_t& fresh) {
    const auto [found, is_new] = places_.try_emplace(made.hash, hashes_.size());
    if (!is_new) return found->second;
    if (writing_ == nullptr) {
      writing_ = std::make_unique<AtomicFile>(cache_);
      if (old_) write(old_->records());
    }
    write(made.record);
    hashes_.push_back(made.hash);
    ++fresh;
    return found->second;
  }

  void write(std::span<const std::byte> records) {
    writing_->write(records);
    written_.add(records);
  }

  void finish() {
    if (writing_ == nullptr && old_ != nullptr) return;
    if (writing_ == nullptr) writing_ = std::make_unique<AtomicFile>(cache_);
    if (old_) old_->expect_unchanged();
    const Trailer trailer = trailer_of(recipe_, hashes_, written_.value());
    writing_->write(std::as_bytes(std::span(hashes_)));
    writing_->write(std::as_bytes(std::span(&trailer, 1)));
    writing_->commit();
    old_ = CacheFile::open(cache_, recipe_);
    if (old_ == nullptr) throw IoError(cat(cache_.string(), ": changed while it was written"));
  }

  fs::path cache_, images_;
  const PictureCacheRecipe& recipe_;
  const PictureBuildOptions& options_;
  std::unique_ptr<CacheFile> old_;
  std::vector<std::uint64_t> hashes_;                      // of all records, written or not
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by hash
  std::unique_ptr<AtomicFile> writing_;                    // null while there is nothing to add
  ContentHash written_;                                    // of the records in it
};

}  // namespace

PreparedPictures prepare_pictures(const fs::path& cache, std::span<const std::string> names, const fs::path& images,
                                  const PictureCacheRecipe& recipe, const PictureBuildOptions& options) {
  return Builder(cache, images, recipe, options).prepare(names);
}

}  // namespace dhyan
