// `dhyan data picturebook` as a shell sees it.

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "phrasebook/picturebook.h"
#include "process.h"
#include "vision/read_picture.h"

namespace dhyan {
namespace {

Finished picturebook_command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {kBinary, "data", "picturebook"});
  return run(arguments);
}

TEST(PicturebookCommand, WritesPicturesTrueCaptionsAndRegions) {
  const TemporaryFolder folder;
  const std::string book = folder.path("book");
  const Finished finished =
      picturebook_command({"--split", "test", "--count", "12", "--seed", "3", "--language", "hi", "-o", book});
  ASSERT_EQ(finished.code, 0) << finished.error;
  std::istringstream captions(folder.read("book/captions.tsv")), regions(folder.read("book/regions.jsonl"));
  std::size_t lines = 0;
  for (std::uint64_t number = 0; number < 12; ++number) {
    const std::string image = cat(number < 9 ? "00000" : "0000", number + 1, ".png");
    const picturebook::Scene scene = picturebook::scene(number, Part::kTest, 3);
    EXPECT_EQ(read_picture(folder.path("book/images/" + image)), picturebook::draw(scene));
    for (const picturebook::Caption& caption : picturebook::references(scene, picturebook::Language::kHindi)) {
      std::string line;
      ASSERT_TRUE(std::getline(captions, line));
      EXPECT_EQ(line, image + '\t' + caption.text);
      ASSERT_TRUE(std::getline(regions, line));
      const nlohmann::json region = nlohmann::json::parse(line);
      EXPECT_EQ(region["image"], image);
      EXPECT_EQ(region["caption"], caption.text);
      ASSERT_EQ(region["cells"].size(), caption.objects.size());
      ASSERT_EQ(region["boxes"].size(), caption.objects.size());
      for (std::size_t word = 0; word < caption.objects.size(); ++word) {
        EXPECT_EQ(region["cells"][word].empty(), caption.objects[word] == 0);
        EXPECT_EQ(region["boxes"][word].empty(), caption.objects[word] == 0);
      }
      ++lines;
    }
  }
  EXPECT_EQ(finished.out, cat(book, ": 12 pictures, ", lines, " captions\n"));
}

TEST(PicturebookCommand, DrawsASceneToOrder) {
  const TemporaryFolder folder;
  const Finished finished =
      picturebook_command({"--scene", "small red circle below large blue square", "-o", folder.path("scene.png")});
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_EQ(finished.out, "a large blue square above a small red circle\n");
  EXPECT_EQ(read_picture(folder.path("scene.png")).height, 64);
}

TEST(PicturebookCommand, RefusesAWrongCommandLine) {
  const TemporaryFolder folder;
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Finished finished = picturebook_command(arguments);
    EXPECT_EQ(finished.code, 2) << message;
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message)) << finished.error;
  };
  std::filesystem::create_directory(folder.path("full"));
  folder.write("full/notes.txt", "mine");
  refused({"-o", folder.path("full")}, folder.path("full") + ": holds files; name another folder with -o");
  refused({}, "--output is required");
  refused({"-o", folder.path("a"), "--count", "0"}, "--count: ");
  refused({"-o", folder.path("a.png"), "--scene", ""}, "scene: '': word 1: '' is none of small, large, red,");
  refused({"-o", folder.path("a.png"), "--scene", "red cube"}, "scene: 'red cube': word 2: 'cube' is none of circle,");
  refused({"-o", folder.path("a.png"), "--scene", "red star", "--count", "2"},
          "--count and --scene do not go together");
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.png")));
}

}  // namespace
}  // namespace dhyan
