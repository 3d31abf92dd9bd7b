#include "runs/picture_cache.h"

#include <atomic>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "vision/picture_error.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

// "Pictures" are short texts; a record is the text's first bytes, each incremented by one.
class PictureCache : public testing::Test {
 protected:
  PictureCache() {
    for (const char* name : {"a", "b", "c"}) folder_.write(name, cat(name, " is a picture"));
    folder_.write("copy of a", "a is a picture");
    folder_.write("broken", "!");
  }

  PictureCacheRecipe recipe(std::uint64_t key = 0) {
    return {{.size = {1, 1}},
            key,
            [this](const fs::path& file, std::span<const std::byte> bytes, std::span<std::byte> record) {
              ++made_;
              if (bytes.size() < record.size()) throw PictureError(cat(file.string(), ": is broken"));
              for (std::size_t i = 0; i < record.size(); ++i) {
                record[i] = static_cast<std::byte>(static_cast<int>(bytes[i]) + 1);
              }
            }};
  }

  PreparedPictures prepare(const std::vector<std::string>& names, const PictureBuildOptions& options = {},
                           std::uint64_t key = 0) {
    made_ = 0;
    return prepare_pictures(cache_, names, folder_.path(), recipe(key), options);
  }

  static std::string record(const PreparedPictures& prepared, TokenId number) {
    std::string text(prepared.pictures->format().bytes(), '.');
    prepared.pictures->read(number, std::as_writable_bytes(std::span(text)));
    return text;
  }

  std::string file() const { return folder_.read("cache.pictures"); }

  TemporaryFolder folder_;
  fs::path cache_ = folder_.path() / "cache.pictures";
  std::atomic<int> made_ = 0;
};

TEST_F(PictureCache, NumbersPicturesByName) {
  const PreparedPictures prepared = prepare({"b", "a"});
  EXPECT_EQ(prepared.made, 2u);
  EXPECT_TRUE(prepared.unreadable.empty());
  EXPECT_EQ(prepared.names->encode("a").ids, std::vector<TokenId>{1});
  EXPECT_EQ(record(prepared, 0), "c!j");
  EXPECT_EQ(record(prepared, 1), "b!j");
  EXPECT_EQ(thrown<UsageError>([&] { record(prepared, 2); }), "pictures: number 2 of 2");
}

TEST_F(PictureCache, MakesEachRecordOnce) {
  prepare({"a", "b"});
  const std::string before = file();
  const PreparedPictures again = prepare({"b", "a"});
  EXPECT_EQ(again.made, 0u);
  EXPECT_EQ(made_, 0);
  EXPECT_EQ(record(again, 0), "c!j");
  EXPECT_EQ(file(), before);
  const PreparedPictures more = prepare({"c", "a"});
  EXPECT_EQ(more.made, 1u);
  EXPECT_EQ(record(more, 0), "d!j");
  EXPECT_EQ(record(more, 1), "b!j");
  EXPECT_EQ(record(again, 1), "b!j") << "who has the old file keeps it";
  EXPECT_EQ(prepare({"a", "b", "c"}).made, 0u) << "b is still in it";
}

TEST_F(PictureCache, FindsPicturesByTheirContent) {
  const PreparedPictures prepared = prepare({"a", "copy of a"});
  EXPECT_EQ(prepared.made, 1u);
  EXPECT_EQ(prepared.names->size(), 2);
  EXPECT_EQ(record(prepared, 0), record(prepared, 1));
  folder_.write("a", "other pixels");
  const PreparedPictures changed = prepare({"a", "copy of a"});
  EXPECT_EQ(changed.made, 1u);
  EXPECT_EQ(record(changed, 0), "pui");
  EXPECT_EQ(record(changed, 1), "b!j");
  EXPECT_NE(changed.names->fingerprint(), prepared.names->fingerprint());
}

TEST_F(PictureCache, HasAFingerprintOfTheNumbering) {
  const std::uint64_t first = prepare({"a", "b"}).names->fingerprint();
  EXPECT_EQ(prepare({"a", "b"}).names->fingerprint(), first);
  EXPECT_NE(prepare({"b", "a"}).names->fingerprint(), first);
  EXPECT_NE(prepare({"a", "b"}, {}, 1).names->fingerprint(), first) << "records of another recipe";
}

TEST_F(PictureCache, IsReplacedIfDamagedOrMadeByAnotherRecipe) {
  prepare({"a", "b"});
  const std::string good = file();
  std::vector<std::string> bad{"", "x", good.substr(1), good.substr(0, good.size() - 1), good + "x"};
  for (std::size_t i = 0; i < good.size(); ++i) {
    bad.push_back(good);
    bad.back()[i] = static_cast<char>(bad.back()[i] ^ 4);
  }
  for (const std::string& bytes : bad) {
    folder_.write("cache.pictures", bytes);
    const PreparedPictures prepared = prepare({"a", "b"});
    ASSERT_EQ(prepared.made, 2u);
    ASSERT_EQ(record(prepared, 1), "c!j");
    ASSERT_EQ(file(), good);
  }
  EXPECT_EQ(prepare({"a"}, {}, 1).made, 1u);
  EXPECT_EQ(prepare({"a", "b"}, {}, 1).made, 1u);
  EXPECT_EQ(prepare({"a"}).made, 1u) << "a file has one recipe";
}

TEST_F(PictureCache, NamesPicturesThatCannotBeRead) {
  fs::create_directory(folder_.path() / "folder");
  const PreparedPictures prepared = prepare({"gone", "a", "broken", "b", "folder"});
  ASSERT_EQ(prepared.unreadable.size(), 3u);
  EXPECT_EQ(prepared.unreadable[0], folder_.path("gone") + ": there is no such file");
  EXPECT_EQ(prepared.unreadable[1], folder_.path("broken") + ": is broken");
  EXPECT_EQ(prepared.names->size(), 2);
  EXPECT_EQ(record(prepared, 1), "c!j");
  EXPECT_TRUE(prepared.names->encode("broken").ids.empty());
  EXPECT_EQ(prepare({"gone"}).names->size(), 0);
}

TEST_F(PictureCache, IsTheSameBytesOnAnyNumberOfThreads) {
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) {
    names.push_back(cat("p", i));
    folder_.write(names.back(), cat(i % 150, " is a picture"));
  }
  const PreparedPictures one = prepare(names);
  EXPECT_EQ(one.made, 150u);
  const std::string expected = file();
  for (const int threads : {2, 3}) {
    fs::remove(cache_);
    ThreadPool pool(threads);
    const PreparedPictures several = prepare(names, {.pool = &pool});
    EXPECT_EQ(file(), expected);
    EXPECT_EQ(several.names->fingerprint(), one.names->fingerprint());
    EXPECT_EQ(record(several, 299), record(one, 299));
  }
}

TEST_F(PictureCache, DoesNotChangeIfStopped) {
  prepare({"a"});
  const std::string before = file();
  struct Stop {};
  int polls = 0;
  EXPECT_THROW(prepare({"a", "b", "c"}, {.poll =
                                             [&] {
                                               if (++polls == 3) throw Stop();
                                             }}),
               Stop);
  EXPECT_EQ(file(), before);
  EXPECT_EQ(folder_.files(), 6u) << "no temporary file";
}

}  // namespace
}  // namespace dhyan
