#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/testing/temporary_folder.h"
#include "server/service.h"
#include "server/testing/kept_exchange.h"
#include "translator/testing/tiny_text_model.h"

namespace dhyan::server {
namespace {

using nlohmann::json;

constexpr const char* kLine = "bad cafe";

// A service with a model of each kind; words have several tokens.
class Explain : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    ServiceOptions options;
    options.requests_per_minute = 0;
    for (const char* kind : {"recurrent", "transformer", "decoder-only"}) {
      const LoadedModel made = tiny_text_model(kind);
      save_model(folder_->path(kind), made.config, made.tokenizers, *made.model);
      options.models.push_back(model_spec(folder_->path(kind)));
    }
    service_ = std::make_unique<Service>(options);
    service_->load();
  }
  static void TearDownTestSuite() {
    service_.reset();
    folder_.reset();
  }

  static HttpResponse answer_to(const json& question) {
    return ask(*service_, {.method = "POST",
                           .path = "/v1/explain",
                           .query = {},
                           .headers = {{"content-type", "application/json"}},
                           .body = question.dump(),
                           .peer = {}});
  }
  static json explained(const json& question) {
    const HttpResponse answer = answer_to(question);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::parse(answer.body);
  }
  static json question(const std::string& model, const std::string& units = "word") {
    return {{"q", kLine}, {"model", model}, {"units", units}, {"min_length", 6}, {"max_length", 12}};
  }

  // The edit is refused, by this message.
  static std::string refusal(const json& edits, const char* model = "transformer") {
    json asked = question(model);
    asked["edits"] = edits;
    const HttpResponse answer = answer_to(asked);
    EXPECT_EQ(answer.status, 400);
    const json error = json::parse(answer.body)["error"];
    EXPECT_EQ(error["param"], "edits");
    return error["message"];
  }

  static inline std::unique_ptr<TemporaryFolder> folder_;
  static inline std::unique_ptr<Service> service_;
};

TEST_F(Explain, GivesTheSameAnswerForRowsThatAreSentBack) {
  for (const char* model : {"recurrent", "transformer"}) {
    for (const char* units : {"word", "subword"}) {
      const json before = explained(question(model, units));
      for (const bool all : {true, false}) {
        json asked = question(model, units);
        asked["edits"] = json::array();
        for (const json& head : before["attention"]) {
          for (std::size_t i = 0; i < head["weights"].size(); ++i) {
            if (!all && (head["layer"] != 1 || i != 1)) continue;
            asked["edits"].push_back(
                {{"step", i + 1}, {"layer", head["layer"]}, {"head", head["head"]}, {"weights", head["weights"][i]}});
          }
        }
        EXPECT_EQ(explained(asked), before);
      }
    }
  }
}

TEST_F(Explain, GoesOnFromAnEditedRowAndShowsItAsItWasSent) {
  for (const char* model : {"recurrent", "transformer"}) {
    const json before = explained(question(model, "subword"));
    for (const std::size_t step : {1, 3}) {
      json asked = question(model, "subword");
      const json row{0, 0, 0.75, 0, 0, 0.25, 0, 0, 0};
      asked["edits"] = {{{"step", step}, {"weights", row}}};
      const json after = explained(asked);
      EXPECT_NE(after["log_probability"], before["log_probability"]);
      for (std::size_t i = 0; i + 1 < step; ++i) {
        EXPECT_EQ(after["target_tokens"][i], before["target_tokens"][i]);
        EXPECT_EQ(after["token_scores"][i], before["token_scores"][i]);
      }
      for (const json& head : after["attention"]) EXPECT_EQ(head["weights"][step - 1], row);
    }
  }
}

TEST_F(Explain, EditsOneHeadOfOneLayer) {
  json asked = question("transformer", "subword");
  const json row{1, 0, 0, 0, 0, 0, 0, 0, 0};
  asked["edits"] = {{{"step", 2}, {"layer", 2}, {"head", 1}, {"weights", row}}};
  const json after = explained(asked);
  ASSERT_EQ(after["attention"].size(), 4U);
  for (const json& head : after["attention"]) {
    EXPECT_EQ(head["weights"][1] == row, head["layer"] == 2 && head["head"] == 1);
  }
}

TEST_F(Explain, AppliesEditsByStepAndShowsTheRowsOfWordsAsTheyWereSent) {
  json first = question("recurrent");
  first["prefix"] = "u v w";  // all but the first word have a token for the space before them
  json both = first;
  const json edit{{"step", 2}, {"weights", {0.25, 0.125, 0.625}}}, later{{"step", 3}, {"weights", {0.5, 0, 0.5}}};
  first["edits"] = json::array({edit});
  both["edits"] = json::array({later, edit});
  const json after_first = explained(first), after_both = explained(both);
  for (const std::size_t step : {0, 1}) {
    EXPECT_EQ(after_both["token_scores"][step], after_first["token_scores"][step]);
  }
  EXPECT_NE(after_both["token_scores"][2], after_first["token_scores"][2]);
  for (const json& made : both["edits"]) {
    const json& row = after_both["attention"][0]["weights"][made["step"].get<std::size_t>() - 1];
    for (std::size_t j = 0; j < row.size(); ++j) {
      EXPECT_NEAR(row[j].get<double>(), made["weights"][j].get<double>(), 2e-6) << made << ' ' << j;
    }
  }
}

TEST_F(Explain, ScoresAGivenTargetByItsEdits) {
  json asked = question("transformer", "subword");
  asked["target"] = "wx yu";
  const json before = explained(asked);
  asked["edits"] = {{{"step", 3}, {"weights", {0, 0, 0, 1, 0, 0, 0, 0, 0}}}};
  const json after = explained(asked);
  EXPECT_EQ(after["translation"], "wx yu");
  for (std::size_t i = 0; i < before["token_scores"].size(); ++i) {
    EXPECT_EQ(after["token_scores"][i] == before["token_scores"][i], i < 2) << i;
  }
}

TEST_F(Explain, TellsTheInfluenceOfEachSourceWord) {
  for (const char* model : {"recurrent", "transformer"}) {
    json asked = question(model);
    EXPECT_FALSE(explained(asked).contains("influence"));
    asked["influence"] = 1;
    const json changes = explained(asked)["influence"];
    ASSERT_EQ(changes.size(), 3U) << "of bad, cafe and </s>";
    for (const json& change : changes) EXPECT_NE(change, 0);
    asked["edits"] = {{{"step", 1}, {"weights", {0, 1, 0}}}};
    const json edited = explained(asked)["influence"];
    EXPECT_NE(edited[1], 0);
    if (std::string(model) == "recurrent") {
      EXPECT_EQ(edited[0], 0);
    }
  }
}

TEST_F(Explain, TakesALayerOrHeadThatIsNamedTwiceForOne) {
  json once = question("transformer");
  once["influence"] = 1;
  json often = once;
  once["layers"] = 1, once["heads"] = 2;
  often["layers"] = std::vector(100, 1), often["heads"] = std::vector(100, 2);
  EXPECT_EQ(explained(often), explained(once));
  json drawing = question("transformer");
  drawing["format"] = "svg", drawing["layers"] = {1, 1};
  EXPECT_EQ(answer_to(drawing).status, 200) << "of one layer";
}

TEST_F(Explain, RefusesAttentionThatADrawingCannotShow) {
  const auto refused = [](const char* model, const char* format, const char* attention) {
    json asked = question(model);
    asked["format"] = format, asked["attention"] = attention;
    const HttpResponse answer = answer_to(asked);
    EXPECT_EQ(answer.status, 400);
    const json error = json::parse(answer.body)["error"];
    EXPECT_EQ(error["param"], "attention");
    return std::string(error["message"]);
  };
  EXPECT_EQ(refused("transformer", "svg", "self"), "attention is 'self', expected cross, decoder, encoder or all");
  EXPECT_EQ(refused("transformer", "json", "cross"), "attention is for the other formats; json has what include names");
  EXPECT_EQ(refused("recurrent", "svg", "encoder"),
            "attention: this model has no encoder self-attention; it has: cross");
  EXPECT_EQ(refused("transformer", "pharaoh", "encoder"),
            "pharaoh: words are aligned by cross-attention; there is none among what was chosen");
}

TEST_F(Explain, MarksSourceTokensThatTheVocabularyLacks) {
  for (const char* units : {"word", "subword"}) {
    json asked = question("recurrent", units);
    const json known = explained(asked);
    for (const json& token : known["source_tokens"]) EXPECT_FALSE(token.contains("unknown")) << token;
    asked["q"] = "bad Ж cafe";
    const json answer = explained(asked);
    std::vector<json> unknown;
    for (const json& token : answer["source_tokens"]) {
      if (token.contains("unknown")) unknown.push_back(token);
    }
    ASSERT_EQ(unknown.size(), 1U) << units;
    EXPECT_EQ(unknown[0]["unknown"], json::parse("[[4, 5]]"));
    EXPECT_EQ(unknown[0]["end"], 5);
  }
}

TEST_F(Explain, MarksOnlyThePartOfAWordThatIsUnknown) {
  json asked = question("recurrent");
  asked["q"] = "bad cafe। dЖЖa,";
  const json tokens = explained(asked)["source_tokens"];
  ASSERT_EQ(tokens.size(), 4U) << "three words and </s>";
  EXPECT_FALSE(tokens[0].contains("unknown"));
  EXPECT_EQ(tokens[1]["unknown"], json::parse("[[8, 9]]")) << "and not the word before it";
  EXPECT_EQ(tokens[2]["unknown"], json::parse("[[11, 13], [14, 15]]")) << "what touches is one";
}

TEST_F(Explain, RefusesEditsThatDoNotFit) {
  const json row{1, 0, 0};
  EXPECT_EQ(refusal("1 0 0"), "edits is not a list");
  EXPECT_EQ(refusal({1, 2}), "edits is not a list of objects");
  EXPECT_EQ(refusal({{{"weights", row}}}), "edits has an entry without a step");
  EXPECT_EQ(refusal({{{"step", 1}, {"haed", 2}, {"weights", row}}}),
            "edits: there is no field 'haed'; did you mean 'head'?");
  EXPECT_EQ(refusal({{{"step", 0}, {"weights", row}}}), "edits has the step 0, expected a number from 1");
  EXPECT_EQ(refusal({{{"step", 1.5}, {"weights", row}}}), "edits has the step 1.5, expected a number from 1");
  EXPECT_EQ(refusal({{{"step", 1}, {"head", "x"}, {"weights", row}}}),
            "edits has the head \"x\", expected a number from 1");
  EXPECT_EQ(refusal({{{"step", 1}, {"weights", {1, "0", 0}}}}), "edits has no list of weights for step 1");
  EXPECT_EQ(refusal({{{"step", 1}, {"weights", {1, 0}}}}),
            "edits: step 1 has 2 weights, expected 3, one for each source unit");
  EXPECT_EQ(refusal({{{"step", 1}, {"layer", 9}, {"weights", row}}}),
            "attention: there is no layer 9 of cross-attention; this model has 2");
  EXPECT_EQ(refusal({{{"step", 1}, {"weights", row}}, {{"step", 1}, {"head", 2}, {"weights", row}}}),
            "edits has two rows for the same layer and head of step 1");
  EXPECT_EQ(refusal(json::array({{{"step", 1}, {"weights", row}}}), "decoder-only"),
            "the model 'decoder-only' has no cross-attention for edits");
  EXPECT_EQ(refusal(json(1001, {{"step", 1}, {"weights", row}})), "edits has 1001 rows, expected at most 1000");
}

TEST_F(Explain, RefusesInfluenceWhereThereIsNone) {
  const auto refused = [](json asked, const json& step) {
    asked["influence"] = step;
    const HttpResponse answer = answer_to(asked);
    EXPECT_EQ(answer.status, 400);
    const json error = json::parse(answer.body)["error"];
    EXPECT_EQ(error["param"], "influence");
    return std::string(error["message"]);
  };
  EXPECT_TRUE(refused(question("recurrent"), 99).starts_with("influence: there is no step 99; the translation has "));
  EXPECT_EQ(refused(question("decoder-only"), 1), "the model 'decoder-only' has no cross-attention for influence");
  json drawing = question("recurrent");
  drawing["format"] = "svg";
  EXPECT_EQ(refused(drawing, 1), "a drawing has no place for influence");
  json layer = question("recurrent");
  layer["layers"] = 3;
  EXPECT_EQ(refused(layer, 1), "attention: there is no layer 3 of cross-attention; this model has 1");
}

}  // namespace
}  // namespace dhyan::server
