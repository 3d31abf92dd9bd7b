// The pages of `dhyan explain` as a shell sees them: all steps, lines, two models.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "explain/testing/parsed_xml.h"
#include "process.h"
#include "small_model.h"

namespace dhyan {
namespace {

const std::string kSentence = "मैं खाना खा रहा हूँ";

class ExplainPages : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    models_ = new TemporaryFolder;
    make_small_model(models_->path("attends"), ContextKind::kAttention);
    make_small_model(models_->path("thought"), ContextKind::kNone);
    make_small_transformer(models_->path("transformer"));
    make_small_transformer(models_->path("writer"), "language-model");
    make_small_transformer(models_->path("filler"), "masked-language-model");
  }
  static void TearDownTestSuite() { delete std::exchange(models_, nullptr); }

  static Finished explain(const std::string& model, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kBinary, "explain", "-m", models_->path(model)});
    return run(arguments);
  }
  static std::string explained(const std::string& model, const std::vector<std::string>& arguments) {
    const Finished finished = explain(model, arguments);
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(finished.error, "");
    return finished.out;
  }
  static void refused(const std::string& model, const std::vector<std::string>& arguments, const std::string& message,
                      int code = 2) {
    const Finished finished = explain(model, arguments);
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message));
  }

  static TemporaryFolder* models_;
};

TemporaryFolder* ExplainPages::models_ = nullptr;

TEST_F(ExplainPages, ShowAllStepsOfEveryKindOfModelThatTranslates) {
  for (const char* model : {"attends", "thought", "transformer", "writer"}) {
    std::vector<std::string> arguments{"--step", "2", "-f", "html", kSentence};
    if (model != std::string_view("writer")) arguments.insert(arguments.end(), {"--target", "I am eating"});
    const std::string html = explained(model, arguments);
    const auto elements = parsed_xml(html);
    EXPECT_GE(named(elements, "section", "step").size(), 4u) << model;
    const auto steps = named(elements, "nav", "steps");
    ASSERT_EQ(steps.size(), 1u) << model;
    EXPECT_EQ(steps.front().attributes.at("data-at"), "1") << model;
    EXPECT_EQ(has(html, "terms of e"), std::string_view(model) != "thought") << model;
  }
}

TEST_F(ExplainPages, HaveTheSameValuesAsTheTextOfAStep) {
  const std::string html = explained("attends", {"--step", "1", "-f", "html", kSentence});
  const std::string text = explained("attends", {"--step", "1", kSentence});
  EXPECT_TRUE(has(html, "v·tanh(s W + h U + b)"));
  const std::size_t context = text.find("\nContext ");
  const std::size_t line = text.find('\n', context + 1) + 1;
  std::istringstream numbers(text.substr(line));
  std::string first;
  numbers >> first;
  EXPECT_TRUE(has(html, ">" + first + "</td>")) << first;
}

TEST_F(ExplainPages, WriteStepsToAnHtmlFile) {
  EXPECT_EQ(explained("attends", {"--step", "1", "-o", models_->path("steps.html"), kSentence}), "");
  EXPECT_EQ(models_->read("steps.html"), explained("attends", {"--step", "1", "-f", "html", kSentence}));
  refused("attends", {"--step", "99", "-f", "html", kSentence}, "explain: there is no step 99; the translation has ");
  refused("attends", {"--step", "1", "-f", "svg", kSentence}, "explain: --step is text or html; it cannot be svg");
}

TEST_F(ExplainPages, ShowLinesAsHtmlAndSvg) {
  const auto page =
      parsed_xml(explained("transformer", {"--view", "lines", "--attention", "all", "-f", "html", kSentence}));
  EXPECT_EQ(named(page, "section", "line-view").size(), 3u);
  const auto mean = parsed_xml(explained("transformer", {"--view", "lines", "-f", "svg", kSentence}));
  EXPECT_EQ(named(mean, "g", "lines-of h0").size(), 1u);
  const auto heads = parsed_xml(
      explained("transformer", {"--view", "lines", "--layer", "2", "--head", "all", "-f", "svg", kSentence}));
  EXPECT_EQ(named(heads, "g", "lines-of h0").size(), 1u);
  EXPECT_EQ(named(heads, "g", "lines-of h1").size(), 1u);
  EXPECT_TRUE(explained("attends", {"--view", "lines", "-f", "png", kSentence}).starts_with("\x89PNG"));
  EXPECT_EQ(explained("filler", {"--view", "lines", "-o", models_->path("gaps.html"), "मैं [MASK] खा"}), "");
}

TEST_F(ExplainPages, RefuseLinesWithoutAttentionOrAsText) {
  refused("attends", {"--view", "lines", kSentence}, "explain: --view lines is a picture or a page; name a file");
  refused("attends", {"--view", "lines", "-f", "json", kSentence},
          "explain: there is no format 'json'; there is: html");
  refused("thought", {"--view", "lines", "-f", "svg", kSentence}, "explain: this model does not attend");
  refused("attends", {"--view", "lines", "--step", "1", kSentence}, "--view and --step do not go together");
}

TEST_F(ExplainPages, CompareEveryPairOfModelsThatTranslate) {
  for (const char* one : {"attends", "thought", "transformer"}) {
    for (const char* other : {"attends", "thought", "transformer"}) {
      const auto json =
          nlohmann::json::parse(explained(one, {"--compare", models_->path(other), "-f", "json", kSentence}));
      ASSERT_EQ(json["models"].size(), 2u);
      EXPECT_EQ(json["models"][1]["model"], models_->path(other));
      EXPECT_EQ(json["models"][1]["explanation"]["translation"],
                nlohmann::json::parse(explained(other, {"-f", "json", kSentence}))["translation"]);
    }
  }
  EXPECT_TRUE(has(explained("attends", {"--compare", models_->path("thought"), kSentence}), "does not attend"));
  const auto page = parsed_xml(explained("attends", {"--compare", models_->path("thought"), "-f", "html", kSentence}));
  EXPECT_EQ(named(page, "article").size(), 2u);
  EXPECT_TRUE(
      explained("attends", {"--compare", models_->path("thought"), "-f", "png", kSentence}).starts_with("\x89PNG"));
}

TEST_F(ExplainPages, CompareAGivenTranslation) {
  const auto json = nlohmann::json::parse(explained(
      "attends", {"--compare", models_->path("thought"), "--target", "I am eating", "-f", "json", kSentence}));
  for (const auto& model : json["models"]) EXPECT_EQ(model["explanation"]["translation"], "I am eating");
}

TEST_F(ExplainPages, RefuseModelsThatCannotBeCompared) {
  refused("attends", {"--compare", models_->path("writer"), kSentence},
          cat("explain: --compare is for models that translate; ", models_->path("writer"), " is a language-model"));
  refused("writer", {"--compare", models_->path("attends"), kSentence},
          "explain: --compare is for models that translate");
  refused("filler", {"--compare", models_->path("attends"), "मैं [MASK]"},
          "explain: --compare is for models that translate");
  refused("attends", {"--compare", "", kSentence}, "", 3);
  refused("attends", {"--compare", models_->path("nowhere"), kSentence}, models_->path("nowhere"), 3);
  refused("attends", {"--compare", models_->path("thought"), "-f", "csv", kSentence},
          "explain: there is no format 'csv'");
  refused("transformer", {"--compare", models_->path("attends"), "--layer", "2", kSentence},
          cat("attention: there is no layer 2 of cross-attention; ", models_->path("attends"), " has 1"));
  refused("attends", {"--compare", models_->path("thought"), "--step", "1", kSentence},
          "--step and --compare do not go together");
}

}  // namespace
}  // namespace dhyan
