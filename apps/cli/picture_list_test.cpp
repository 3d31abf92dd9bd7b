#include "cli/picture_list.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan::cli {
namespace {

std::vector<std::string> names_of(PictureList& list, Index most = 100) {
  std::vector<std::string> names;
  for (const NamedPicture& picture : list.take(most)) names.push_back(picture.name);
  return names;
}

TEST(PictureList, HasThePicturesOfAFolderInTheOrderOfTheirNames) {
  const TemporaryFolder folder;
  for (const char* name : {"c.PNG", "a.jpg", "b.jpeg", "d.webp", "notes.txt", "jpg"}) folder.write(name, "");
  std::filesystem::create_directory(folder.path("e.png"));
  PictureList list({.pictures = {folder.path().string()}, .scenes = {}});
  EXPECT_TRUE(list.several());
  EXPECT_EQ(list.count(), 4u);
  EXPECT_EQ(names_of(list), (std::vector<std::string>{folder.path("a.jpg"), folder.path("b.jpeg"), folder.path("c.PNG"),
                                                      folder.path("d.webp")}));
  EXPECT_TRUE(names_of(list).empty());
}

TEST(PictureList, KeepsTheOrderOfTheCommandLine) {
  PictureList list({.pictures = {"b.png", "a.png"}, .scenes = {"red star", "blue kite"}});
  EXPECT_EQ(names_of(list, 3), (std::vector<std::string>{"b.png", "a.png", "red star"}));
  EXPECT_EQ(names_of(list, 3), std::vector<std::string>{"blue kite"});
}

TEST(PictureList, KnowsAPictureAlone) {
  EXPECT_FALSE(PictureList({.pictures = {"a.png"}, .scenes = {}}).several());
  EXPECT_FALSE(PictureList({.pictures = {}, .scenes = {"red star"}}).several());
  EXPECT_TRUE(PictureList({.pictures = {"a.png"}, .scenes = {"red star"}}).several());
}

TEST(PictureList, RefusesAFolderWithoutPictures) {
  const TemporaryFolder folder;
  EXPECT_EQ(thrown<DataError>([&] { PictureList({.pictures = {folder.path().string()}, .scenes = {}}); }),
            folder.path().string() + ": no pictures in the folder; expected files .jpg, .jpeg, .png or .webp");
  EXPECT_THROW(PictureList({.pictures = {"-", "-"}, .scenes = {}}), UsageError);
}

}  // namespace
}  // namespace dhyan::cli
