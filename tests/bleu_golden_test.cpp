// BLEU, chrF and TER equal those that golden/make_bleu.py computed with sacreBLEU, to the last printed digit.

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/version.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

// Options by the names of sacreBLEU's arguments.
std::unique_ptr<Metric> metric_of(const Json& configuration) {
  const Json& settings = configuration.at(1);
  if (configuration.at(0) == "CHRF") {
    return std::make_unique<Chrf>(ChrfOptions{.character_order = settings.value("char_order", 6),
                                              .word_order = settings.value("word_order", 0),
                                              .beta = settings.value("beta", 2),
                                              .lowercase = settings.value("lowercase", false),
                                              .whitespace = settings.value("whitespace", false),
                                              .epsilon = settings.value("eps_smoothing", false)});
  }
  if (configuration.at(0) == "TER") {
    return std::make_unique<Ter>(TerOptions{.normalized = settings.value("normalized", false),
                                            .no_punct = settings.value("no_punct", false),
                                            .asian_support = settings.value("asian_support", false),
                                            .case_sensitive = settings.value("case_sensitive", false)});
  }
  BleuOptions options{.tokenizer = settings.value("tokenize", "13a"),
                      .smoothing = settings.value("smooth_method", "exp"),
                      .lowercase = settings.value("lowercase", false),
                      .effective_order = settings.value("effective_order", false)};
  if (settings.contains("smooth_value")) options.value = settings["smooth_value"].get<double>();
  return std::make_unique<Bleu>(options);
}

struct Pair {
  std::string hypothesis;
  std::vector<std::string> references;
};

Pair pair_of(const Json& row) { return {row.at(0), row.at(1)}; }

class BleuGolden : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(DHYAN_GOLDEN_BLEU);
    golden_ = Json::parse(file);
    for (const Json& configuration : golden_.at("configurations")) metrics_.push_back(metric_of(configuration));
  }

  Json golden_;
  std::vector<std::unique_ptr<Metric>> metrics_;
};

TEST_F(BleuGolden, SentencesScoreAsWithSacreBleu) {
  ASSERT_GE(golden_.at("pairs").size(), 350u);
  for (const Json& row : golden_.at("pairs")) {
    const auto [hypothesis, references] = pair_of(row);
    ASSERT_EQ(row.at(2).size(), metrics_.size());
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      EXPECT_NEAR(metrics_[i]->score(metrics_[i]->counts(hypothesis, references)), row.at(2).at(i).get<double>(), 1e-9)
          << golden_["configurations"][i] << ' ' << row.at(0) << ' ' << row.at(1);
    }
  }
}

// "BLEU|nrefs:1|… = 41.34 61.0/48.0/44.6/42.9 (BP = …)", without the version.
std::string printed(const Metric& metric, const Counts& sums, std::span<const std::vector<std::string>> references) {
  std::string what = signature(metric, references);
  const std::string ours = cat("|version:dhyan-", version());
  EXPECT_TRUE(what.ends_with(ours)) << what;
  what.resize(what.size() - ours.size());
  std::array<char, 32> score;
  std::snprintf(score.data(), score.size(), "%.2f", metric.score(sums));
  const std::string details = metric.details(sums);
  return cat(metric.name(), "|", what, " = ", score.data(), details.empty() ? "" : " ", details);
}

TEST_F(BleuGolden, CorporaAreReportedAsBySacreBleu) {
  ASSERT_GE(golden_.at("corpora").size(), 10u);
  for (const Json& corpus : golden_.at("corpora")) {
    std::vector<std::string> hypotheses;
    std::vector<std::vector<std::string>> references;
    for (const Json& number : corpus.at("pairs")) {
      Pair pair = pair_of(golden_["pairs"].at(number.get<std::size_t>()));
      pair.references.resize(corpus.at("references"));
      hypotheses.push_back(pair.hypothesis);
      references.push_back(pair.references);
    }
    ASSERT_EQ(corpus.at("results").size(), metrics_.size());
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      const Counts sums = sum_of(sentence_counts(*metrics_[i], {hypotheses, references}));
      const Json& expected = corpus["results"][i];
      EXPECT_NEAR(metrics_[i]->score(sums), expected.at(0).get<double>(), 1e-9);
      EXPECT_EQ(printed(*metrics_[i], sums, references), expected.at(1).get<std::string>());
    }
  }
}

}  // namespace
}  // namespace dhyan
