// `dhyan generate`, `fill`, `embed` and `evaluate` with models of plain text as a shell sees them, and a whole training
// of each model.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "process.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

// Models with a few words, trained for a few steps.
class TextCommands : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    std::string text;
    for (int i = 0; i < 40; ++i) text += "I am eating food\n\nyou are drinking water\n";
    folder_->write("text.txt", text);
    train("gpt", {"--preset", "gpt-nano", "--max-steps", "40", "--warmup-steps", "5", "--hidden", "32"});
    train("bert", {"--preset", "bert-nano", "--tokenizer", "word", "--max-epochs", "20", "--schedule", "constant",
                   "--learning-rate", "0.01", "--hidden", "32", "--batch-tokens", "100"});
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static void train(const std::string& model, std::vector<std::string> options) {
    const std::string text = folder_->path("text.txt");
    options.insert(options.begin(), {kBinary, "train", "-o", folder_->path(model), "--train", text, "--valid", text});
    const Finished finished = run(options);
    ASSERT_EQ(finished.code, 0) << finished.error;
  }
  static Finished call(const std::string& command, const std::string& model, std::vector<std::string> more,
                       const std::string& input = "") {
    more.insert(more.begin(), {kBinary, command, "-m", folder_->path(model)});
    return run(more, {}, input);
  }
  static std::string given(const std::string& command, const std::string& model, const std::vector<std::string>& more,
                           const std::string& input = "") {
    const Finished finished = call(command, model, more, input);
    EXPECT_EQ(finished.code, 0) << finished.error;
    EXPECT_EQ(finished.error, "");
    return finished.out;
  }

  static TemporaryFolder* folder_;
};
TemporaryFolder* TextCommands::folder_ = nullptr;

TEST_F(TextCommands, ContinueAPrompt) {
  const std::vector<std::string> options{"--prompt", "I am ", "--max-length", "80", "--seed", "3"};
  const std::string text = given("generate", "gpt", options);
  EXPECT_EQ(text.substr(0, 5), "I am ");
  EXPECT_EQ(text, given("generate", "gpt", options));
  EXPECT_NE(text, given("generate", "gpt", {"--prompt", "I am ", "--max-length", "80", "--seed", "4"}));
  const std::string several = given("generate", "gpt", {"-n", "3", "--max-length", "5", "--top-k", "3"});
  for (const char* title : {"== 1\n", "== 2\n", "== 3\n"}) EXPECT_NE(several.find(title), several.npos);
  const Json json = Json::parse(given("generate", "gpt", {"--json", "--max-length", "7", "--temperature", "0"}));
  EXPECT_EQ(json["tokens"], 7);
  EXPECT_LT(json["log_probability"], 0.0);
}

TEST_F(TextCommands, ReportThePartOfAPromptThatIsCut) {
  const Finished finished = call("generate", "gpt", {"--prompt", std::string(2000, 'a'), "--max-length", "1"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_TRUE(has(finished.error, "dhyan: warning: --prompt is longer than the "));
}

TEST_F(TextCommands, FillGapsWithLearnedWords) {
  const Json json = Json::parse(given("fill", "bert", {"I am [MASK] food", "--json", "-n", "3"}));
  EXPECT_EQ(json["text"], "I am eating food");
  ASSERT_EQ(json["gaps"][0].size(), 3U);
  EXPECT_GT(json["gaps"][0][0]["probability"], json["gaps"][0][1]["probability"]);
  EXPECT_NE(given("fill", "bert", {"I am [MASK] food"}).find("eating"), std::string::npos);
}

TEST_F(TextCommands, EmbedEachLine) {
  std::istringstream lines(given("embed", "bert", {}, "I am eating food\n\nyou are drinking water\n"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 3U);
  for (const std::string& row : rows) EXPECT_EQ(std::ranges::count(row, '\t'), 31);
  EXPECT_NE(rows[0], rows[2]);
}

TEST_F(TextCommands, AreEvaluatedByPerplexity) {
  for (const char* model : {"gpt", "bert"}) {
    const Json json = Json::parse(given("evaluate", model, {"--test", folder_->path("text.txt"), "--json"}));
    EXPECT_NEAR(json["perplexity"], std::exp(json["loss"].get<double>()), 1e-6);
    EXPECT_LT(json["perplexity"], 10.0);
    EXPECT_GT(json["tokens"], 70);
    EXPECT_NE(given("evaluate", model, {"--test", folder_->path("text.txt")}).find("perplexity"), std::string::npos);
  }
}

TEST_F(TextCommands, RefuseModelsOfOtherKindsAndWrongOptions) {
  const auto refused = [](const Finished& finished, int code, const std::string& message) {
    EXPECT_EQ(finished.code, code);
    EXPECT_NE(finished.error.find(message), std::string::npos) << finished.error;
  };
  refused(call("translate", "gpt", {}, "I am\n"), 3, "it cannot translate. It is for dhyan generate");
  refused(call("generate", "bert", {}), 3, "it cannot continue a text. It is for dhyan fill");
  refused(call("fill", "gpt", {"[MASK]"}), 3, "it cannot predict masked tokens");
  refused(call("fill", "bert", {"I am"}), 2, "there is no [MASK] in the text");
  refused(call("generate", "gpt", {"--top-p", "0"}), 2, "top-p is 0");
  refused(call("generate", "nothing", {}), 3, "there is no such folder");
  refused(call("evaluate", "gpt", {}), 2, "name another with --test TEXT");
  const std::string text = folder_->path("text.txt");
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{{"--metrics", "bleu"},
                                                                                      {"--reference", text},
                                                                                      {"--fail-under", "3"},
                                                                                      {"--lowercase"},
                                                                                      {"--beam-size", "2"}}) {
    std::vector<std::string> more{"--test", text};
    more.insert(more.end(), option.begin(), option.end());
    refused(call("evaluate", "gpt", more), 2, "evaluate: " + option.front() + " is for translations; ");
  }
}

}  // namespace
}  // namespace dhyan
