#include "runs/run_folder.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

class RunFolders : public FolderTest {
 protected:
  // A model, a file of a training, and files of the user.
  void put_model() const {
    fs::create_directories(folder_ / kStateFolder);
    for (const char* name : {"model.safetensors", "model-best-bleu.safetensors", "source.vocab", "train.log",
                             "training/state.safetensors", "training/step-5.safetensors", "mine.txt"}) {
      write(name, "old");
    }
    write("config.json", R"({"model": "recurrent"})");
    write("README.md", "# A model of dhyan\n\nrecurrent, ...\n");
  }
  std::string refusal(Existing existing) const {
    return thrown<UsageError>([&] { check_training_folder(folder_, existing); });
  }
};

TEST_F(RunFolders, DoNotChangeBeforeCommit) {
  put_model();
  {
    const PreparedFolder prepared(folder_);
    EXPECT_TRUE(fs::is_directory(prepared.path()));
  }
  EXPECT_EQ(read("model.safetensors"), "old");
  EXPECT_EQ(read("training/state.safetensors"), "old");
  EXPECT_EQ(temporary_.files(), 8u) << "and nothing of the attempt is left";
  { const PreparedFolder prepared(folder_ / "new"); }
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(RunFolders, ReplaceOnlyTheFilesOfTheModel) {
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

TEST_F(RunFolders, ReceiveTheFilesOfAModelTogether) {
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

TEST_F(RunFolders, AreCheckedForExistingModels) {
  EXPECT_NO_THROW(check_training_folder(folder_, Existing::kRefuse));
  EXPECT_THROW(check_training_folder(folder_, Existing::kResume), ModelFileError);
  put_model();
  EXPECT_EQ(contents_of(folder_), FolderContents::kModel);
  EXPECT_THROW(check_training_folder(folder_, Existing::kRefuse), UsageError);
  EXPECT_THROW(check_model_folder(folder_, Existing::kRefuse), UsageError);
  EXPECT_TRUE(check_training_folder(folder_, Existing::kOverwrite).empty());
  EXPECT_TRUE(check_training_folder(folder_, Existing::kResume).empty());
  EXPECT_THROW(PreparedFolder(folder_ / "mine.txt"), IoError) << "a file is not a folder";
}

TEST_F(RunFolders, WithOtherFilesAreRefusedUnlessOverwriteIsSet) {
  for (const char* name : {"README.md", "a.txt", "b.txt", "c.txt"}) write(name, "mine");
  EXPECT_EQ(refusal(Existing::kRefuse), folder_.string() +
                                            ": holds files and no model of dhyan (README.md, a.txt, b.txt, ...); -o"
                                            " names another folder, --overwrite writes the model beside these files");
  EXPECT_THROW(check_model_folder(folder_, Existing::kRefuse), UsageError);
  EXPECT_EQ(check_training_folder(folder_, Existing::kOverwrite),
            std::vector{(folder_ / "README.md").string() + ": dhyan did not write it; it stays as it is"});
}

TEST_F(RunFolders, MayHoldHiddenFilesAndAStaleLock) {
  for (const char* name : {".gitignore", ".dhyan.lock", "config.json.tmp-1-0"}) write(name, "");
  fs::create_directory(folder_ / "lost+found");
  EXPECT_EQ(contents_of(folder_), FolderContents::kNothing);
  EXPECT_TRUE(check_training_folder(folder_, Existing::kRefuse).empty());
}

// Files of another toolkit or of the user with the names of dhyan's files.
TEST_F(RunFolders, WithForeignFilesOfTheSameNameAreRefusedEvenWithOverwrite) {
  for (const std::string name : {"config.json", "model.safetensors", "train.log", "training/data.txt"}) {
    fs::create_directories((folder_ / name).parent_path());
    write(name, R"({"model_type": "bert"})");
    const std::string first = fs::path(name).begin()->string();
    EXPECT_EQ(thrown<DataError>([&] { check_training_folder(folder_, Existing::kOverwrite); }),
              (folder_ / first).string() +
                  ": dhyan did not write it and would write a file of that name; move it, or name another folder"
                  " with -o");
    fs::remove_all(folder_ / first);
  }
}

TEST_F(RunFolders, KeepFilesThatDhyanDidNotWrite) {
  for (const bool as_model : {false, true}) {
    put_model();
    write("README.md", "# My own notes\n");
    write("training/mine.txt", "mine");
    write("training/step-five.safetensors", "mine");
    fs::create_directories(folder_ / kPreparedFolder);
    write("training.new/mine.txt", "mine");
    {
      const PreparedFolder prepared(folder_);
      std::ofstream(prepared.path() / (as_model ? "config.json" : "train-0.tokens")) << "new";
      std::ofstream(prepared.path() / "README.md") << "# A model of dhyan\n";
      as_model ? prepared.commit_model() : prepared.commit();
    }
    EXPECT_EQ(read("README.md"), "# My own notes\n");
    write_readme(folder_, "# A model of dhyan\n");
    EXPECT_EQ(read("README.md"), "# My own notes\n");
    EXPECT_EQ(read("mine.txt"), "old");
    EXPECT_EQ(read("training/mine.txt"), "mine");
    EXPECT_EQ(read("training.new/mine.txt"), "mine");
    EXPECT_EQ(read("training/step-five.safetensors"), "mine");
    EXPECT_FALSE(fs::exists(folder_ / "training/step-5.safetensors"));
    EXPECT_FALSE(fs::exists(folder_ / "model.safetensors"));
  }
}

TEST_F(RunFolders, AreAcceptedAfterAFailedStart) {
  const auto expect_unfinished = [&](const std::string& where) {
    EXPECT_EQ(contents_of(folder_), FolderContents::kUnfinished) << where;
    EXPECT_EQ(check_training_folder(folder_, Existing::kRefuse),
              std::vector{folder_.string() + ": an earlier training there ended before its first save; starting over"});
    EXPECT_EQ(thrown<ModelFileError>([&] { check_training_folder(folder_, Existing::kResume); }),
              folder_.string() +
                  ": the training there ended before its first save, so there is nothing to resume; 'dhyan train'"
                  " without --resume starts over there");
  };
  fs::create_directories(folder_ / kPreparedFolder);
  expect_unfinished("killed before anything was read");
  write("training.new/train-0.tokens", "");
  expect_unfinished("while data was read");
  fs::rename(folder_ / kPreparedFolder, folder_ / kStateFolder);
  expect_unfinished("after that");
  write("train.log", "");
  write("source.vocab", "");
  write("config.json", R"({"model": "recurrent"})");
  expect_unfinished("before the first save");
  write("model.safetensors", "");
  EXPECT_EQ(contents_of(folder_), FolderContents::kModel);
}

}  // namespace
}  // namespace dhyan
