// `dhyan caption`, and explain and evaluate with a model of pictures, as a shell sees them. The models have random
// weights.

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "explain/picture_view.h"
#include "process.h"
#include "small_model.h"
#include "translated_lines.h"
#include "translator/testing/tiny_caption_model.h"
#include "vision/write_picture.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

constexpr const char* kScene = "small red circle above large blue square";

class CaptionCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    LoadedModel model = tiny_caption_model();
    model.model->parameters().find("output.bias")->value.span()[kEnd] = 1;
    save_model(folder_->path("model"), model.config, model.tokenizers, *model.model);
    model.config.recurrent.context = ContextKind::kFixed;
    save_model(folder_->path("fixed"), model.config, model.tokenizers,
               *make_model(model.config, model.tokenizers, Rng(3)));
    make_small_model(folder_->path("text"), ContextKind::kAttention);
    std::filesystem::create_directory(folder_->path("pictures"));
    for (std::uint64_t i = 0; i < 5; ++i) {
      folder_->write(cat("pictures/p", i, ".png"), to_png_bytes(picturebook::draw(picturebook::scene(i, Part::kTest))));
    }
    folder_->write("broken.png", "no picture");
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::string picture(int number) { return folder_->path(cat("pictures/p", number, ".png")); }

  static Finished dhyan(const std::string& command, std::vector<std::string> arguments,
                        const std::string& model = "model", std::string_view input = {}) {
    arguments.insert(arguments.begin(), {kBinary, command, "-m", folder_->path(model)});
    return run(arguments, {}, input);
  }
  static std::string done(const std::string& command, const std::vector<std::string>& arguments,
                          const std::string& model = "model") {
    const Finished finished = dhyan(command, arguments, model);
    EXPECT_EQ(finished.code, 0) << finished.error;
    EXPECT_EQ(without_cut_warning(finished.error), "");
    return finished.out;
  }
  static void refused(const std::string& command, const std::vector<std::string>& arguments, const std::string& message,
                      const std::string& model = "model", int code = 2) {
    const Finished finished = dhyan(command, arguments, model);
    EXPECT_EQ(finished.code, code) << finished.error;
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message)) << finished.error;
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* CaptionCommand::folder_ = nullptr;

TEST_F(CaptionCommand, WritesOneCaptionPerPictureInOrder) {
  const std::string alone = done("caption", {picture(3)});
  EXPECT_EQ(lines_of(alone).size(), 1u);
  const std::vector<std::string> all = lines_of(done("caption", {folder_->path("pictures")}));
  ASSERT_EQ(all.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(all[static_cast<std::size_t>(i)].starts_with(picture(i) + '\t'));
  EXPECT_EQ(all[3] + '\n', picture(3) + '\t' + alone);
  const Finished listed = dhyan("caption", {}, "model", picture(3) + '\n' + picture(1) + '\n');
  EXPECT_EQ(listed.out, all[3] + '\n' + all[1] + '\n');
  EXPECT_EQ(dhyan("caption", {picture(0), "-"}, "model", picture(3)).out, all[0] + '\n' + all[3] + '\n');
}

TEST_F(CaptionCommand, WritesTheSameOnAnyNumberOfThreads) {
  const std::vector<std::string> arguments{folder_->path("pictures"), "--scene", kScene, "--n-best", "2", "--json"};
  std::vector<std::string> with_three = arguments;
  with_three.insert(with_three.end(), {"--threads", "3"});
  EXPECT_EQ(done("caption", arguments), done("caption", with_three));
}

TEST_F(CaptionCommand, NamesAndCountsUnreadablePictures) {
  const Finished finished =
      dhyan("caption", {picture(0), folder_->path("broken.png"), "gone.jpg", picture(1), "--json"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_TRUE(has(finished.error, cat("dhyan: warning: ", folder_->path("broken.png"), ": ")));
  EXPECT_TRUE(has(finished.error, "dhyan: warning: gone.jpg: cannot open: "));
  EXPECT_TRUE(has(finished.error, "dhyan: error: caption: 2 of 4 pictures could not be read\n"));
  const std::vector<std::string> lines = lines_of(finished.out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(Json::parse(lines[1]).contains("error"));
  const Json last = Json::parse(lines[3]);
  EXPECT_EQ(last["picture"], 3);
  EXPECT_EQ(last["name"], picture(1));
  EXPECT_EQ(last["words"].size(), last["word_scores"].size());
}

TEST_F(CaptionCommand, WritesOverlaysForOnePictureAndForSeveral) {
  done("caption", {picture(0), "--overlay", folder_->path("one.svg")});
  EXPECT_TRUE(has(folder_->read("one.svg"), "<svg"));
  done("caption", {folder_->path("pictures"), picture(0), "--scene", kScene, "--overlay", folder_->path("overlays"),
                   "--overlay-format", "html"});
  for (const char* name : {"p0", "p4", "p0-2", "scene"}) {
    EXPECT_TRUE(has(folder_->read(cat("overlays/", name, ".html")), "<html")) << name;
  }
  refused("caption", {picture(0), picture(1), "--overlay", folder_->path("two.svg")},
          cat("caption: --overlay ", folder_->path("two.svg"), " is one file, and there may be several pictures"));
  refused("caption", {picture(0), "--overlay", folder_->path("a.gif")}, "caption: there is no overlay format 'gif'");
  refused("caption", {picture(0), "--overlay", folder_->path("a.svg")},
          cat("caption: ", folder_->path("fixed"), " is a model without attention; it has no --overlay"), "fixed");
}

TEST_F(CaptionCommand, WritesToAFileAndUsesSeveralModels) {
  const std::string one = done("caption", {picture(2), "--beam-size", "2"});
  EXPECT_EQ(done("caption",
                 {picture(2), "--beam-size", "2", "-m", folder_->path("model"), "-o", folder_->path("captions.txt")}),
            "");
  EXPECT_EQ(folder_->read("captions.txt"), one) << "a model with itself";
}

TEST_F(CaptionCommand, EveryCommandNamesTheOneThatFitsTheModel) {
  const std::string model = folder_->path("model"), text = folder_->path("text");
  refused("caption", {picture(0)}, cat("caption: ", text, " translates text; use dhyan translate"), "text");
  refused("translate", {"--text", "a"}, cat("translate: ", model, " reads pictures; use dhyan caption"));
  refused("score", {picture(0), picture(0)}, cat("score: ", model, " reads pictures; use dhyan caption"));
  refused("generate", {}, "the model is of the kind recurrent", "model", 3);
  refused("explain", {"a", "--compare", text}, cat("explain: --compare is for models of text; ", model));
  refused("explain", {"मैं", "--compare", model}, cat("explain: --compare is for models of text; ", model), "text");
  refused("explain", {"--scene", kScene}, cat("explain: --scene is for models of pictures; ", text), "text");
  const std::string lines = folder_->write("lines", "a\n");
  const Finished compared = run({kBinary, "compare", model, model, "--test", lines, lines});
  EXPECT_EQ(compared.code, 2);
  EXPECT_TRUE(has(compared.error, cat("compare: ", model, " reads pictures; write its captions to a file")));
}

TEST_F(CaptionCommand, ExplainShowsThePictureInEveryFormat) {
  for (const PictureViewFormat& format : picture_view_formats()) {
    const std::string file = cat("explained", format.extension);
    EXPECT_EQ(done("explain", {picture(0), "-o", folder_->path(file)}), "");
    EXPECT_EQ(folder_->read(file), done("explain", {picture(0), "-f", std::string(format.name)})) << format.name;
  }
  const Json shown = Json::parse(done("explain", {picture(0), "-f", "json"}));
  EXPECT_EQ(shown["picture"], "p0.png");
  EXPECT_EQ(shown["caption"].get<std::string>() + '\n', done("caption", {picture(0)}));
  EXPECT_EQ(shown["rows"], 2);
  const Json forced = Json::parse(done("explain", {"--scene", kScene, "--target", "a red circle", "-f", "json"}));
  ASSERT_EQ(forced["words"].size(), 3u);
  EXPECT_EQ(forced["words"][2]["word"], "circle");
  refused("explain", {picture(0), "-f", "pharaoh"}, "explain: there is no format 'pharaoh'");
  refused("explain", {picture(0), "--view", "lines", "-o", folder_->path("a.svg")},
          "explain: --view lines is for text");
  refused("explain", {"gone.png"}, "gone.png: cannot open", "model", 3);
}

TEST_F(CaptionCommand, ExplainShowsAStepInNumbersAndTheBeam) {
  const std::string step = done("explain", {"--scene", kScene, "--target", "a red circle", "--step", "2"});
  EXPECT_TRUE(step.starts_with("Step 2 of 4: after \"a\" the model writes \"red\"")) << step;
  EXPECT_TRUE(has(step, "cell: row,column\n"));
  EXPECT_TRUE(has(step, "  2,2\n"));
  const std::string page = done("explain", {"--scene", kScene, "--step", "1", "-f", "html"});
  EXPECT_TRUE(has(page, "annotation of cell j of the picture"));
  EXPECT_TRUE(has(done("explain", {picture(0), "--beam", "1"}), "pruned"));
  refused("explain", {picture(0), "--step", "1", "-f", "svg"},
          "explain: there is no format 'svg'; there is: text html");
}

TEST_F(CaptionCommand, ExplainSaysThatAModelHasNoAttention) {
  EXPECT_TRUE(has(done("explain", {picture(0)}, "fixed"), "The model has no attention"));
  EXPECT_TRUE(has(done("explain", {picture(0), "--step", "1"}, "fixed"), "This model does not attend"));
  refused("explain", {picture(0), "--layer", "1"}, "attention: this model does not attend", "fixed");
}

TEST_F(CaptionCommand, EvaluateJudgesScenesOfThePictureBook) {
  const std::vector<std::string> arguments{"--scenes", "12", "--max-length", "8"};
  const std::string table = done("evaluate", arguments);
  for (const char* part : {"pictures                      12  the picture book en (test)\n", "CIDEr-D",
                           "distinct words", "  known pairs", "False captions, the first of 12:\n  scene 0: "}) {
    EXPECT_TRUE(has(table, part)) << table;
  }
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  const Json json = Json::parse(done("evaluate", as_json));
  EXPECT_EQ(json["scenes"]["scenes"], 12);
  EXPECT_EQ(json["scenes"]["true_captions"], 0);
  EXPECT_GT(json["perplexity"], 1);
  EXPECT_EQ(json["by_length"]["words_of"], "reference");
}

TEST_F(CaptionCommand, EvaluateMeasuresThePartOfAFile) {
  const std::string captions = folder_->write(
      "captions.tsv",
      "image\tsplit\tcaption\np0.png\ttest\ta red circle\np0.png\ttest\ta circle\np1.png\ttrain\ta square\n"
      "p2.png\ttest\ta blue star\ngone.png\ttest\ta kite\n");
  const std::vector<std::string> arguments{"--test", captions, "--images", folder_->path("pictures"), "--json"};
  const Finished finished = dhyan("evaluate", arguments);
  EXPECT_EQ(finished.code, 0) << finished.error;
  EXPECT_TRUE(has(finished.error, "gone.png: cannot open")) << finished.error;
  EXPECT_TRUE(has(finished.error, cat("1 of 3 pictures of ", captions, " cannot be read; they are left out")));
  const Json json = Json::parse(finished.out);
  EXPECT_EQ(json["sentences"], 2);
  EXPECT_EQ(json["unreadable"], 1);
  EXPECT_EQ(json["scores"].size(), 7u);
  EXPECT_FALSE(json.contains("scenes"));
  std::vector<std::string> of_train = arguments;
  of_train.insert(of_train.end(), {"--split", "train", "--metrics", "rouge-l"});
  EXPECT_EQ(Json::parse(done("evaluate", of_train))["sentences"], 1);
  of_train[of_train.size() - 3] = "dev";
  refused("evaluate", of_train, cat(captions, ": no captions whose split is dev"), "model", 3);
  const std::string plain = folder_->write("plain.tsv", "p0.png\ta circle\n");
  refused("evaluate", {"--test", plain}, cat("evaluate: where are the pictures that ", plain, " names?"));
  refused("evaluate", {"--test", plain, "--images", folder_->path("pictures"), "--split", "test"},
          cat("evaluate: --split chooses a part of a file with a column split; ", plain, " has none"));
  refused("evaluate", {"--test", plain, plain}, cat("evaluate: ", folder_->path("model"), " reads pictures"));
  refused("evaluate", {"--phrasebook", "hi-en"}, "evaluate: --phrasebook is for text");
  refused("evaluate", {"--scenes", "5"}, "evaluate: --scenes is for models of pictures", "text");
}

}  // namespace
}  // namespace dhyan
