#include "translator/run_folder.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/temporary_folder.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class RunFolders : public FolderTest {
 protected:
  // A model, something of a training, and a file of the user's.
  void put_model() const {
    fs::create_directories(folder_ / kStateFolder);
    for (const char* name : {"config.json", "model.safetensors", "model-best-bleu.safetensors", "source.vocab",
                             "train.log", "training/state.safetensors", "mine.txt"}) {
      write(name, "old");
    }
  }
};

TEST_F(RunFolders, StayAsTheyWereUntilAllIsWell) {
  put_model();
  {
    const PreparedFolder prepared(folder_);
    EXPECT_TRUE(fs::is_directory(prepared.path()));
  }
  EXPECT_EQ(read("model.safetensors"), "old");
  EXPECT_EQ(read("training/state.safetensors"), "old");
  EXPECT_EQ(temporary_.files(), 7u) << "and nothing of the attempt is left";
  { const PreparedFolder prepared(folder_ / "new"); }
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(RunFolders, AreReplacedButForWhatIsNotOfAModel) {
  put_model();
  {
    const PreparedFolder prepared(folder_);
    std::ofstream(prepared.path() / "train-0.tokens") << "new";
    prepared.commit();
  }
  EXPECT_EQ(read("mine.txt"), "old");
  EXPECT_EQ(read("training/train-0.tokens"), "new");
  EXPECT_FALSE(fs::exists(folder_ / "training/state.safetensors"));
  EXPECT_EQ(temporary_.files(), 2u);
}

TEST_F(RunFolders, TakeTheFilesOfAModelAtOnce) {
  put_model();
  {
    const PreparedFolder prepared(folder_);
    std::ofstream(prepared.path() / "config.json") << "new";
    std::ofstream(prepared.path() / "model.safetensors") << "new";
    prepared.commit_model();
  }
  EXPECT_EQ(read("mine.txt"), "old");
  EXPECT_EQ(read("config.json"), "new");
  EXPECT_EQ(read("model.safetensors"), "new");
  EXPECT_EQ(temporary_.files(), 3u);
}

TEST_F(RunFolders, AreCheckedForWhatIsThere) {
  EXPECT_NO_THROW(check_folder(folder_, Existing::kRefuse));
  EXPECT_THROW(check_folder(folder_, Existing::kResume), ModelFileError);
  put_model();
  EXPECT_THROW(check_folder(folder_, Existing::kRefuse), UsageError);
  EXPECT_NO_THROW(check_folder(folder_, Existing::kOverwrite));
  EXPECT_NO_THROW(check_folder(folder_, Existing::kResume));
  EXPECT_THROW(PreparedFolder(folder_ / "mine.txt"), WriteError) << "a file is no folder";
}

}  // namespace
}  // namespace dhyan
