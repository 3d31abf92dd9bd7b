#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/thread_pool.h"
#include "data/picture_names.h"
#include "data/picture_source.h"

namespace dhyan {

// Makes the record of a picture: format().bytes() bytes. Called from several threads at once.
using MakeRecord = std::function<void(const std::filesystem::path& file, std::span<const std::byte> bytes,
                                      std::span<std::byte> record)>;

struct PictureCacheRecipe {
  PictureFormat format;
  std::uint64_t key = 0;  // hash of other inputs of a record: the weights of a backbone
  MakeRecord make;        // throws PictureError for a picture that cannot be decoded
};

struct PictureBuildOptions {
  ThreadPool* pool = nullptr;  // none: the calling thread; the bytes of the cache do not depend on it
  ProgressSink* progress = nullptr;
  std::function<void()> poll = {};  // called for every picture, from several threads at once; may throw to stop
};

struct PreparedPictures {
  std::shared_ptr<const PictureSource> pictures;  // by number
  std::shared_ptr<const PictureNames> names;      // their names; those that cannot be read are left out
  std::vector<std::string> unreadable;            // one message for each of these, which names the file
  std::size_t made = 0;                           // records that were not in the cache
};

// The pictures `names` in the folder `images`, decoded. The file `cache` keeps their records by a hash of the picture's
// bytes, so a record is made only once, also if the picture is renamed. A damaged cache, or one by another recipe, is
// replaced.
PreparedPictures prepare_pictures(const std::filesystem::path& cache, std::span<const std::string> names,
                                  const std::filesystem::path& images, const PictureCacheRecipe& recipe,
                                  const PictureBuildOptions& options = {});

}  // namespace dhyan
