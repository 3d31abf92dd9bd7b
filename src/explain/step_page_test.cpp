#include "explain/step_page.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "decoding/search.h"
#include "explain/html_table.h"
#include "explain/testing/parsed_xml.h"
#include "models/testing/tiny_recurrent.h"
#include "models/testing/tiny_transformer.h"
#include "models/transformer_model.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

// "मैं खाना खा" translated as "I eat I" by a model with random weights.
class StepPages : public testing::Test {
 protected:
  void translate_with(const TranslationModel& model, std::size_t words = 3) {
    source_ = tokenizers_.source->encode(line_).ids;
    source_.push_back(kEnd);
    std::vector<TokenId> target;
    for (std::size_t i = 0; i < words; ++i) target.push_back(static_cast<TokenId>(kEnd + 1 + i % 2));
    target.push_back(kEnd);
    const SourceBatch batch{source_, Segments::one(std::ssize(source_))};
    hypothesis_ = force(*model.decode(batch), std::span(&target, 1), {.keep = RecordedAttention::kSteps}).front();
    traces_ = trace_attention(*model.decode(batch), target);
    const auto decoding = model.decode(batch);
    if (!decoding->context_vector()) return;
    const std::span<const Real> row = decoding->context_vector().value().row(0);
    context_vector_.assign(row.begin(), row.end());
  }
  void translate_with_score(std::string_view score) {
    RecurrentConfig config = tiny_recurrent();
    config.directions = Directions::kForward;
    config.attention.score = score;
    translate_with(*random_model(config));
  }
  void translate_with_transformer(Index layers = 2) {
    TransformerConfig config = tiny_transformer();
    config.source_vocabulary = 7;
    config.target_vocabulary = 6;
    config.encoder_layers = config.decoder_layers = layers;
    translate_with(*random_transformer(make_transformer_model, config));
  }
  std::string page(const StepOptions& options = {}) const {
    return step_page({line_, "I eat I", source_, hypothesis_, context_vector_}, tokenizers_,
                     {options, traces_, "s·h < 1"});
  }

  // The texts of table cells, row by row.
  static std::vector<std::vector<std::string>> rows_of(const std::vector<XmlElement>& elements) {
    std::vector<std::vector<std::string>> rows;
    for (const XmlElement& element : elements) {
      if (element.name == "tr") rows.emplace_back();
      if (element.name == "td" || element.name == "th") rows.back().push_back(element.text);
    }
    return rows;
  }
  static std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  std::string line_ = "मैं खाना खा";
  const TokenizerPair tokenizers_ = pair_trained_on<WordTokenizer>(line_, "I eat");
  std::vector<TokenId> source_;
  Hypothesis hypothesis_;
  std::vector<AttentionTrace> traces_;
  std::vector<Real> context_vector_;
};

TEST_F(StepPages, HaveEveryStepAndOpenAtTheChosenOne) {
  translate_with_score("additive");
  const auto elements = parsed_xml(page({.step = 3}));
  EXPECT_EQ(named(elements, "section", "step").size(), 4u);
  EXPECT_EQ(named(elements, "nav", "steps").front().attributes.at("data-at"), "2");
  std::vector<std::string> links;
  for (const XmlElement& link : named(elements, "a")) links.push_back(link.attributes.at("href"));
  EXPECT_EQ(links, (std::vector<std::string>{"#step-1", "#step-2", "#step-3", "#step-4"}));
  for (const XmlElement& element : elements) {
    EXPECT_FALSE(element.attributes.contains("hidden")) << "without JavaScript every step is visible";
  }
}

TEST_F(StepPages, HaveTermsThatAddUpToEnergiesAndProductsThatAddUpToTheContext) {
  for (const ScoreEntry& score : scores()) {
    if (score.name == "location") continue;
    translate_with_score(score.name);
    const std::size_t A = traces_.front().term_query.front().size(), K = traces_.front().values.front().size();
    std::size_t row_number = 0, step = 0;
    std::vector<double> sums(K, 0);
    for (const std::vector<std::string>& row : rows_of(parsed_xml(page({.full = true})))) {
      if (row.size() == 2 + A + 4 + K) {  // j, token, terms, e, exp, α, bar, products
        double e = 0;
        for (std::size_t k = 0; k < A; ++k) e += std::stod(row[2 + k]);
        EXPECT_NEAR(e, std::stod(row[2 + A]), 1e-3) << score.name;
        EXPECT_NEAR(std::stod(row[2 + A]), hypothesis_.attention.front().energy[step][row_number], 1e-4) << score.name;
        EXPECT_NEAR(std::stod(row[4 + A]), hypothesis_.attention.front().weights[step][row_number], 1e-4);
        for (std::size_t k = 0; k < K; ++k) sums[k] += std::stod(row[6 + A + k]);
        ++row_number;
      } else if (row.size() > 1 && row[1] == "Σ") {
        EXPECT_EQ(row_number, source_.size());
        for (std::size_t k = 0; k < K; ++k) {
          EXPECT_NEAR(sums[k], hypothesis_.attention.front().context[step][k], 1e-3) << score.name;
          EXPECT_NEAR(std::stod(row[row.size() - K + k]), sums[k], 1e-3) << score.name;
        }
        sums.assign(K, 0);
        row_number = 0;
        ++step;
      }
    }
    EXPECT_EQ(step, hypothesis_.tokens.size()) << score.name;
  }
}

TEST_F(StepPages, WriteOutTheGreatestWeight) {
  translate_with_score("additive");
  const auto worked = named(parsed_xml(page({.full = true})), "p", "worked");
  ASSERT_EQ(worked.size(), 4u);
  EXPECT_EQ(count(worked.front().text, " × tanh("), 3u) << worked.front().text;
  EXPECT_NE(worked.front().text.find("; α_"), std::string::npos) << worked.front().text;
}

TEST_F(StepPages, ShowTheEscapedFormulaOfTheScore) {
  translate_with_score("dot");
  EXPECT_EQ(named(parsed_xml(page()), "code").at(0).text, "e = s·h < 1");
}

TEST_F(StepPages, ShowEnergiesOfAScoreWithoutTerms) {
  translate_with_score("location");
  const std::string html = page();
  EXPECT_EQ(html.find("terms of e"), std::string::npos);
  EXPECT_NE(html.find("The query s"), std::string::npos);
  EXPECT_EQ(named(parsed_xml(html), "tr", "sum").size(), 4u);
}

TEST_F(StepPages, MarkTheWrittenTokenAmongTheCandidates) {
  translate_with_score("additive");
  hypothesis_.candidates[0].resize(1);
  hypothesis_.candidates[0][0].token = kEnd;
  const auto elements = parsed_xml(page());
  EXPECT_EQ(named(elements, "tr", "written").size(), 4u);
}

TEST_F(StepPages, HaveAButtonForEachHead) {
  translate_with_transformer();
  const auto elements = parsed_xml(page());
  std::vector<std::string> chips;
  for (const XmlElement& button : named(elements, "button")) {
    if (button.attributes.contains("data-head")) chips.push_back(button.text);
  }
  EXPECT_EQ(chips, (std::vector<std::string>{"cross-attention, layer 1, head 1", "cross-attention, layer 1, head 2",
                                             "cross-attention, layer 2, head 1", "cross-attention, layer 2, head 2"}));
  EXPECT_EQ(named(elements, "div", "head").size(), 4u * 4);
  EXPECT_EQ(named(elements, "nav").front().attributes.at("data-head"), "2") << "the first head of the last layer";
  const auto one = parsed_xml(page({.attention = {.places = {AttentionPlace::kDecoder}, .layer = 1, .head = 2}}));
  EXPECT_EQ(named(one, "div", "head").size(), 4u);
}

TEST_F(StepPages, ShowTheContextVectorOfAModelWithoutAttention) {
  RecurrentConfig config = tiny_recurrent();
  config.context = ContextKind::kNone;
  translate_with(*random_model(config));
  const std::string html = page();
  EXPECT_NE(html.find("This model does not attend"), std::string::npos);
  EXPECT_EQ(named(parsed_xml(html), "section", "step").size(), 4u);
  EXPECT_EQ(named(parsed_xml(html), "tr", "written").size(), 4u);
}

TEST_F(StepPages, LimitStepsAndRowsAndSaySo) {
  line_.clear();
  for (int i = 0; i < 50; ++i) line_ += "मैं खाना खा ";
  RecurrentConfig config = tiny_recurrent();
  translate_with(*random_model(config), 99);
  const std::string html = page({.step = 90});
  EXPECT_NE(html.find("Steps 61 to 100 of 100 are on this page"), std::string::npos);
  EXPECT_NE(html.find("111 others together"), std::string::npos);
  EXPECT_EQ(named(parsed_xml(html), "section", "step").size(), 40u);
  EXPECT_LT(html.size(), 2'000'000u);
  EXPECT_EQ(named(parsed_xml(html), "nav").front().attributes.at("data-at"), "29");
}

TEST_F(StepPages, NameTheBeginningInTheFirstStep) {
  translate_with_score("additive");
  const auto titles = named(parsed_xml(page()), "h2");
  EXPECT_EQ(titles.at(0).text, "Step 1 of 4: at the beginning the model writes “”")
      << "the token is an element of its own";
  EXPECT_TRUE(titles.at(1).text.starts_with("Step 2 of 4: after “")) << titles.at(1).text;
}

TEST_F(StepPages, UseShortMarkupForCells) {
  EXPECT_EQ(number_cell(-0.5, 1), "<td class=\"m5\">-0.5000</td>");
  EXPECT_EQ(number_cell(2, 1), "<td class=\"p9\">2.0000</td>");
  EXPECT_EQ(number_cell(0.001, 1), "<td>0.0010</td>");
  EXPECT_EQ(bar_cell(0.25), "<td class=\"bar\"><span style=\"width:25%\"></span></td>");
  EXPECT_EQ(bar_cell(0.001), "<td class=\"bar\"><span></span></td>");
}

TEST_F(StepPages, LeaveOutWholeLayersThatDoNotFit) {
  TransformerConfig config = tiny_transformer();
  config.source_vocabulary = 7;
  config.target_vocabulary = 6;
  config.longest = 200;
  config.encoder_layers = 1;
  config.decoder_layers = 8;
  line_.clear();
  for (int i = 0; i < 20; ++i) line_ += "मैं खाना खा ";
  translate_with(*random_transformer(make_transformer_model, config), 60);
  const std::string html = page();
  EXPECT_NE(html.find("layers 1 to 7 are left out; <code>--layer 1</code>"), std::string::npos);
  std::set<std::string> heads;
  for (const XmlElement& part : named(parsed_xml(html), "div", "head")) heads.insert(part.attributes.at("data-head"));
  EXPECT_LT(html.size(), 1'800'000u);
  EXPECT_EQ(heads.size(), 2u) << "a layer has all its heads or is left out";
  EXPECT_NE(html.find("cross-attention, layer 8, head 1"), std::string::npos);
  EXPECT_EQ(html.find("cross-attention, layer 1, head 1"), std::string::npos);
}

TEST_F(StepPages, LoadNothingFromTheNetworkAndHaveUniqueIds) {
  translate_with_transformer();
  const std::string html = page();
  for (const char* outside : {"http:", "https:", "url(", "src=", "@import"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  std::set<std::string> ids;
  for (const XmlElement& element : parsed_xml(html)) {
    const auto id = element.attributes.find("id");
    if (id == element.attributes.end()) continue;
    EXPECT_TRUE(ids.insert(id->second).second) << id->second;
  }
}

TEST_F(StepPages, EscapeUserText) {
  translate_with_score("additive");
  const std::string hostile = "</script><script>alert('\"&')</script>";
  const std::string html =
      step_page({hostile, hostile, source_, hypothesis_, context_vector_}, tokenizers_, {{}, traces_, hostile});
  EXPECT_EQ(named(parsed_xml(html), "script").size(), 1u);
}

TEST_F(StepPages, RefuseAStepOutOfRange) {
  translate_with_score("additive");
  EXPECT_EQ(thrown<UsageError>([&] { page({.step = 5}); }),
            "explain: there is no step 5; the translation has 4, one for each token");
}

}  // namespace
}  // namespace dhyan
