#include "translator/caption_stream.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "kernels/simd/runtime.h"
#include "translator/decoded_pictures.h"
#include "translator/testing/tiny_caption_model.h"
#include "vision/resize.h"
#include "vision/write_picture.h"

namespace dhyan {
namespace {

Picture test_scene(std::uint64_t number) { return picturebook::draw(picturebook::scene(number, Part::kTest)); }

// Nine pictures, of which the third is broken and the sixth missing.
class CaptionStream : public testing::Test {
 protected:
  CaptionStream() {
    for (std::uint64_t i = 0; i < 9; ++i) {
      const std::string bytes = to_png_bytes(test_scene(i));
      const std::string file = folder_.write(cat("p", i, ".png"), i == 2 ? bytes.substr(0, 100) : bytes);
      files_.push_back(picture_file(i == 5 ? folder_.path("gone.png") : file));
    }
    files_.push_back(picture_of_scene("small red circle"));
  }

  std::vector<CaptionedResult> captioned(CaptionStreamOptions options) {
    options.translation.search = {.beam_size = 2, .n_best = 2, .max_length = 8};
    std::vector<CaptionedResult> all;
    std::size_t next = 0;
    const auto take = [&](Index most) {
      const std::size_t begin = next;
      next = std::min(files_.size(), begin + static_cast<std::size_t>(most));
      windows_.push_back(static_cast<Index>(next - begin));
      return std::vector<NamedPicture>(files_.begin() + static_cast<Index>(begin),
                                       files_.begin() + static_cast<Index>(next));
    };
    caption_stream(translator_, take, options, [&](const std::vector<CaptionedResult>& window) {
      all.insert(all.end(), window.begin(), window.end());
    });
    return all;
  }

  const TemporaryFolder folder_;
  const Translator translator_{tiny_caption_model()};
  std::vector<NamedPicture> files_;
  std::vector<Index> windows_;
};

TEST_F(CaptionStream, KeepsTheOrderAndNamesUnreadablePictures) {
  const std::vector<CaptionedResult> results = captioned({});
  ASSERT_EQ(results.size(), 10u);
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].picture.name, files_[i].name);
    EXPECT_EQ(results[i].failure.empty(), i != 2 && i != 5) << i;
    EXPECT_EQ(results[i].n_best.size(), results[i].failure.empty() ? 2u : 0u);
  }
  EXPECT_TRUE(results[2].failure.starts_with(folder_.path("p2.png"))) << results[2].failure;
  EXPECT_TRUE(results[5].failure.starts_with(folder_.path("gone.png"))) << results[5].failure;
  EXPECT_EQ(results[9].picture.name, "small red circle");
}

TEST_F(CaptionStream, GivesTheSameInAnyWindowsAndOnAnyNumberOfThreads) {
  const std::vector<CaptionedResult> all = captioned({});
  EXPECT_EQ(windows_, (std::vector<Index>{10, 0}));
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads, kernels::prepare_thread);
    windows_.clear();
    const std::vector<CaptionedResult> cut =
        captioned({.workers = {.pool = &pool}, .first_window = 2, .largest_window = 4});
    EXPECT_EQ(windows_, (std::vector<Index>{2, 4, 4, 0}));
    ASSERT_EQ(cut.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(cut[i].n_best.size(), all[i].n_best.size());
      for (std::size_t n = 0; n < all[i].n_best.size(); ++n) {
        EXPECT_EQ(cut[i].n_best[n].text, all[i].n_best[n].text);
        EXPECT_EQ(cut[i].n_best[n].hypothesis.token_scores, all[i].n_best[n].hypothesis.token_scores);
      }
    }
  }
}

TEST_F(CaptionStream, BoundsTheDecodedPicturesOfAWindow) {
  const std::size_t bytes = PictureFormat{.size = {16, 16}}.bytes();
  captioned({.largest_bytes = 3 * bytes});
  EXPECT_EQ(windows_, (std::vector<Index>{3, 3, 3, 1, 0}));
  windows_.clear();
  captioned({.largest_bytes = 1});
  EXPECT_EQ(windows_.size(), 11u) << "one at a time";
}

TEST(NamedPicture, IsShownUprightWithoutBeingSquashed) {
  const TemporaryFolder folder;
  const std::string file = folder.write("wide.png", to_png_bytes(resize(test_scene(1), 512, 2048)));
  const Picture shown = picture_to_show(picture_file(file));
  EXPECT_EQ(shown.height, 256);
  EXPECT_EQ(shown.width, 1024);
  EXPECT_EQ(picture_to_show(picture_of_scene("red star")).height, 64);
  EXPECT_THROW(picture_of_scene("red cube"), UsageError);
}

TEST(DecodedPictures, AreResizedOnceAndReadByNumber) {
  DecodedPictures pictures({16, 24});
  pictures.add(test_scene(3));
  std::vector<std::uint8_t> bytes(pictures.format().bytes());
  pictures.read(0, std::as_writable_bytes(std::span(bytes)));
  EXPECT_EQ(bytes, resize(test_scene(3), 16, 24).pixels);
  EXPECT_EQ(thrown<UsageError>([&] { pictures.read(1, std::as_writable_bytes(std::span(bytes))); }),
            "decoded pictures: number 1 of 1");
}

}  // namespace
}  // namespace dhyan
