#include "attention/attention_config.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

std::string complaint(const AttentionConfig& config) {
  return thrown<ConfigError>([&] { check(config); });
}

TEST(AttentionConfig, AsItBeginsIsFine) { EXPECT_NO_THROW(check(AttentionConfig())); }

TEST(AttentionConfig, KnowsEveryNameOfTheTables) {
  for (const ScoreEntry& score : scores()) EXPECT_NO_THROW(check({.score = std::string(score.name)}));
  for (const WindowEntry& window : windows()) EXPECT_NO_THROW(check({.window = std::string(window.name)}));
}

TEST(AttentionConfig, NamesTheWrongSetting) {
  EXPECT_EQ(complaint({.score = "addtive"}),
            "score: 'addtive' is none of dot, scaled_dot, general, additive, concat, location, cosine");
  EXPECT_EQ(complaint({.window = "soft"}), "window: 'soft' is none of global, local-m, local-p, hard, causal, no-end");
  EXPECT_EQ(complaint({.heads = 0}), "attention: number of heads is 0, expected 1 or more");
  EXPECT_EQ(complaint({.hidden = -1}), "attention: width of the hidden layer is -1, expected 0 or more");
  EXPECT_EQ(complaint({.radius = 0}), "attention: radius of the window is 0, expected 1 or more");
  EXPECT_EQ(complaint({.longest = 0}), "attention: longest sentence is 0, expected 1 or more");
}

}  // namespace
}  // namespace dhyan
