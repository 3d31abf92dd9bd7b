// `dhyan import` and `dhyan export` as a shell sees them.

#include <gtest/gtest.h>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "small_model.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLines = "मैं खाना खा रहा हूँ\nतुम पानी पी रहे हो\n";

// A Transformer with random weights and its exports.
class ImportCommand : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_transformer(path("model"));
    make_small_model(path("recurrent"), ContextKind::kAttention);
    const Finished made = dhyan({"export", path("model"), "--to", "ctranslate2", "-o", path("ct2")});
    ASSERT_EQ(made.code, 0) << made.error;
    EXPECT_EQ(made.out, cat("The model is in ", path("ct2"), " for ctranslate2.\n"));
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::string path(const std::string& name) { return folder_->path(name); }
  static Finished dhyan(Words words, std::string_view input = {}) {
    words.insert(words.begin(), kBinary);
    return run(words, {}, input);
  }
  // The model "new" was not made.
  static void refused(const Words& words, int code, const std::string& message) {
    const Finished finished = dhyan(words);
    EXPECT_EQ(finished.code, code) << finished.error;
    EXPECT_TRUE(has(finished.error, message));
    EXPECT_EQ(finished.out, "");
    EXPECT_FALSE(fs::exists(path("new"))) << message;
  }

  static TemporaryFolder* folder_;
};
TemporaryFolder* ImportCommand::folder_ = nullptr;

TEST_F(ImportCommand, BringsAnExportedModelBack) {
  const std::string back = path("back");
  for (const Words& more : {Words{}, Words{"--from", "ctranslate2", "--overwrite"}}) {
    Words words{"import", path("ct2"), "-o", back};
    words.insert(words.end(), more.begin(), more.end());
    const Finished imported = dhyan(words);
    ASSERT_EQ(imported.code, 0) << imported.error;
    EXPECT_EQ(imported.error, "");
    EXPECT_TRUE(has(imported.out, cat("weights) is in ", back, ". Next:\n  ")));
    EXPECT_TRUE(has(imported.out, cat("dhyan translate -m ", back)));
    const Finished translated = dhyan({"translate", "-m", back, "--n-best", "2"}, kLines);
    EXPECT_EQ(translated.code, 0) << translated.error;
    EXPECT_EQ(translated.out, dhyan({"translate", "-m", path("model"), "--n-best", "2"}, kLines).out);
    EXPECT_NE(translated.out, "");
  }
}

TEST_F(ImportCommand, WarnsIfNoSentencePieceModelCutsTheSource) {
  fs::copy(path("ct2"), path("plain"), fs::copy_options::recursive);
  fs::remove_all(path("plain/dhyan"));  // as others make it
  const Finished imported = dhyan({"import", path("plain"), "-o", path("guessed")});
  EXPECT_EQ(imported.code, 0);
  EXPECT_TRUE(has(imported.error, "warning: the source has no SentencePiece model"));
  EXPECT_TRUE(has(imported.error, "--source-pieces"));
}

TEST_F(ImportCommand, ListsWhatItReads) {
  const Finished list = dhyan({"import", "--list"});
  EXPECT_EQ(list.code, 0);
  for (const char* format : {"argos", "ctranslate2", "huggingface", "marian"}) {
    EXPECT_TRUE(has(list.out, cat("\n  ", format, ": ")));
  }
}

TEST_F(ImportCommand, RefusesWhatIsNoModel) {
  fs::create_directory(path("empty"));
  folder_->write("empty.npz", "");
  folder_->write("text.argosmodel", "not an archive");
  fs::create_directory(path("cut"));
  folder_->write("cut/model.bin", folder_->read("ct2/model.bin").substr(0, 1000));
  folder_->write("cut/config.json", folder_->read("ct2/config.json"));
  const auto import = [&](const std::string& source, const Words& more = {}) {
    Words words{"import", source, "-o", path("new")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  refused(import(path("none")), 3, cat(path("none"), ": there is no such file or folder"));
  refused(import(path("empty")), 3, "empty/: is no model of a format that can be imported: argos, ");
  refused(import(path("model")), 3, "is no model of a format that can be imported");
  refused(import(path("empty.npz")), 3, "empty.npz");
  refused(import(path("text.argosmodel")), 3, "text.argosmodel");
  refused(import(path("cut")), 3, "cut/model.bin");
  refused(import(path("empty"), {"--from", "ctranslate2"}), 3, "model.bin");
  refused(import(path("ct2"), {"--int8"}), 3, "its weights are not int8");
}

TEST_F(ImportCommand, RefusesMistypedCommands) {
  refused({"import", path("ct2"), "-o", path("new"), "--from", "ctranslate"}, 2, "ctranslate2");
  refused({"import", path("ct2"), "-o", path("new"), "--form", "ctranslate2"}, 2, "--from");
  refused({"import", path("ct2")}, 2, "import: no output folder given; name it with -o");
  refused({"import", "-o", path("new")}, 2, "import: no SOURCE given: a folder, a package or a file");
  refused({"export", path("model"), "--to", "ctranslat", "-o", path("new")}, 2, "ctranslate2");
  refused({"export", path("model"), "-o", path("new")}, 2, "--to is required");
  refused({"export", path("none"), "--to", "ctranslate2", "-o", path("new")}, 3, "none");
  refused({"export", path("recurrent"), "--to", "ctranslate2", "-o", path("new")}, 3, "export: the model is recurrent");
}

TEST_F(ImportCommand, OverwritesOnlyIfToldTo) {
  fs::create_directory(path("mine"));
  folder_->write("mine/notes.txt", "kept");
  const Words over_mine{"import", path("ct2"), "-o", path("mine")};
  refused(over_mine, 2, "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("mine")), {}), 1);
  const std::string before = folder_->read("model/model.safetensors");
  refused({"import", path("ct2"), "-o", path("model")}, 2, "model: holds a model; --overwrite replaces it");
  EXPECT_EQ(folder_->read("model/model.safetensors"), before);
  refused({"import", path("ct2"), "-o", path("ct2"), "--overwrite"}, 2, "ct2: is the model itself");
  refused({"export", path("model"), "--to", "ctranslate2", "-o", path("mine")}, 2, "mine: is not empty");
  Words told = over_mine;
  told.emplace_back("--overwrite");
  EXPECT_EQ(dhyan(told).code, 0);
  EXPECT_EQ(folder_->read("mine/notes.txt"), "kept");
  EXPECT_EQ(dhyan({"translate", "-m", path("mine")}, kLines).code, 0);
}

}  // namespace
}  // namespace dhyan
