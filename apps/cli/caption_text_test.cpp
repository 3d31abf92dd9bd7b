#include "cli/caption_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"

namespace dhyan::cli {
namespace {

class CaptionText : public testing::Test {
 protected:
  CaptionText() {
    result_.picture = picture_file("a dog.jpg");
    for (const double score : {-0.25, -1.5}) {
      Translation& caption = result_.n_best.emplace_back();
      caption.text = "a dog";
      caption.source_tokens = {0};
      caption.hypothesis.tokens = tokenizers_.target->encode(caption.text).ids;
      caption.hypothesis.tokens.push_back(kEnd);
      caption.hypothesis.token_scores = {-0.5, -0.25, -0.125};
      caption.hypothesis.score = score;
      caption.hypothesis.log_probability = -0.875;
    }
  }

  std::string text(const CaptionFormat& format) const { return caption_text(result_, 3, tokenizers_, format); }

  const TokenizerPair tokenizers_ = pair_trained_on<WordTokenizer>("x", "a dog");
  CaptionedResult result_;
};

TEST_F(CaptionText, IsTheCaptionWithTheNameIfThereAreSeveral) {
  result_.n_best.pop_back();
  EXPECT_EQ(text({}), "a dog\n");
  EXPECT_EQ(text({.names = true}), "a dog.jpg\ta dog\n");
}

TEST_F(CaptionText, OfAnNBestListHasNumberAndScore) {
  EXPECT_EQ(text({.n_best = true, .names = true}), "3 ||| a dog ||| -0.25\n3 ||| a dog ||| -1.5\n");
}

TEST_F(CaptionText, AsJsonHasWordsAndTheirScores) {
  const std::string lines = text({.json = true, .n_best = true});
  const auto object = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(object, nlohmann::json::parse(R"({"picture": 3, "name": "a dog.jpg", "rank": 0, "caption": "a dog",
      "score": -0.25, "log_probability": -0.875, "finished": true, "words": ["a", "dog"],
      "word_scores": [-0.5, -0.25]})"));
}

TEST_F(CaptionText, OfAPictureThatCannotBeReadIsAnErrorInJson) {
  result_.n_best.clear();
  result_.failure = "a dog.jpg: cut short";
  EXPECT_EQ(text({.names = true}), "");
  EXPECT_EQ(text({.json = true}), "{\"picture\":3,\"name\":\"a dog.jpg\",\"error\":\"a dog.jpg: cut short\"}\n");
}

}  // namespace
}  // namespace dhyan::cli
