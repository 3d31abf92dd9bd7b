#include "phrasebook/scene_claims.h"

#include <gtest/gtest.h>

namespace dhyan::picturebook {
namespace {

std::string problem_of(std::string_view text) {
  const ParsedCaption parsed = parse_caption(text);
  EXPECT_FALSE(parsed.claims.has_value()) << text;
  return parsed.problem;
}

void expect_same_claims(std::string_view english, std::string_view hindi) {
  const ParsedCaption a = parse_caption(english), b = parse_caption(hindi);
  ASSERT_TRUE(a.claims.has_value()) << a.problem;
  ASSERT_TRUE(b.claims.has_value()) << b.problem;
  ASSERT_EQ(a.claims->objects.size(), b.claims->objects.size());
  ASSERT_EQ(a.claims->relations.size(), b.claims->relations.size());
  for (std::size_t i = 0; i < a.claims->objects.size(); ++i) {
    EXPECT_EQ(a.claims->objects[i].size, b.claims->objects[i].size);
    EXPECT_EQ(a.claims->objects[i].colour, b.claims->objects[i].colour);
    EXPECT_EQ(a.claims->objects[i].figure, b.claims->objects[i].figure);
  }
  for (std::size_t i = 0; i < a.claims->relations.size(); ++i) {
    EXPECT_EQ(a.claims->relations[i].relation, b.claims->relations[i].relation);
  }
}

TEST(ParseCaption, GivesObjectsRelationsAndTheirWords) {
  const ParsedCaption parsed =
      parse_caption("a small red circle to the left of an orange square and below a large white moon");
  ASSERT_TRUE(parsed.claims.has_value()) << parsed.problem;
  const Claims& claims = *parsed.claims;
  EXPECT_EQ(claims.words, 17u);
  ASSERT_EQ(claims.objects.size(), 3u);
  EXPECT_EQ(claims.objects[0].size, Size::kSmall);
  EXPECT_EQ(claims.objects[0].colour, Colour::kRed);
  EXPECT_EQ(claims.objects[0].figure, Figure::kCircle);
  EXPECT_EQ(claims.objects[0].words, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(claims.objects[1].size, std::nullopt);
  EXPECT_EQ(claims.objects[1].words, (std::vector<std::size_t>{9, 10}));
  EXPECT_EQ(claims.objects[2].size, Size::kLarge);
  ASSERT_EQ(claims.relations.size(), 2u);
  EXPECT_EQ(claims.relations[0].relation, Relation::kLeftOf);
  EXPECT_EQ(claims.relations[0].word, 6u);
  EXPECT_EQ(claims.relations[1].relation, Relation::kBelow);
  EXPECT_EQ(claims.relations[1].word, 12u);
}

TEST(ParseCaption, GivesTheSameClaimsInHindi) {
  expect_same_claims("a small red circle", "एक छोटा लाल वृत्त");
  expect_same_claims("a red circle", "लाल वृत्त");
  expect_same_claims("a small red circle above a large blue square", "बड़े नीले वर्ग के ऊपर एक छोटा लाल वृत्त");
  expect_same_claims("a small red circle above a large blue square", "एक बड़े नीले वर्ग के ऊपर एक छोटा लाल वृत्त");
  expect_same_claims("a large yellow kite to the right of a small black star and below a white drop",
                     "छोटे काले तारे के दाईं ओर और सफ़ेद बूँद के नीचे एक बड़ी पीली पतंग");
}

TEST(ParseCaption, NamesTheWordThatIsWrong) {
  EXPECT_EQ(problem_of(""), "word 1: '' is not an article");
  EXPECT_EQ(problem_of("small red circle"), "word 1: 'small' is not an article");
  EXPECT_EQ(problem_of("a orange heart"), "word 1: 'a' does not go before 'orange'");
  EXPECT_EQ(problem_of("an small orange heart"), "word 1: 'an' does not go before 'small'");
  EXPECT_EQ(problem_of("a red small circle"),
            "word 3: 'small' is none of circle, square, triangle, star, heart, moon, kite, drop");
  EXPECT_EQ(problem_of("a blu circle"),
            "word 2: 'blu' is none of small, large, red, orange, yellow, green, blue, purple, white, black");
  EXPECT_EQ(problem_of("a small circle"),
            "word 3: 'circle' is none of red, orange, yellow, green, blue, purple, white, black");
  EXPECT_EQ(problem_of("a red circle near a blue square"),
            "word 4: 'near' begins none of to the left of, to the right of, above, below");
  EXPECT_EQ(problem_of("a red circle to the left a blue square"),
            "word 4: 'to' begins none of to the left of, to the right of, above, below");
  EXPECT_EQ(problem_of("a red circle above"), "the caption ends too early; its next word is not an article");
  EXPECT_EQ(problem_of("a red circle above a blue square above a red star"), "word 8: 'above' is not 'and'");
  EXPECT_EQ(problem_of("a red circle above a blue square and above a red star and"),
            "word 13: 'and' follows the last object");
  EXPECT_EQ(problem_of("a red  circle"),
            "word 3: '' is none of circle, square, triangle, star, heart, moon, kite, drop");
  EXPECT_EQ(problem_of("a red circle "), "word 4: '' begins none of to the left of, to the right of, above, below");
  EXPECT_EQ(problem_of(std::string(1001, 'a')), "the caption has over 1000 bytes");
}

TEST(ParseCaption, RequiresAgreementInHindi) {
  EXPECT_EQ(problem_of("एक छोटी लाल वृत्त"), "word 2: 'छोटी' should be 'छोटा'");
  EXPECT_EQ(problem_of("एक छोटा पीला पतंग"), "word 2: 'छोटा' should be 'छोटी'");
  EXPECT_EQ(problem_of("एक छोटी पीले पतंग"), "word 3: 'पीले' should be 'पीली'");
  EXPECT_EQ(problem_of("बड़ा नीले वर्ग के ऊपर एक लाल वृत्त"), "word 1: 'बड़ा' should be 'बड़े'");
  EXPECT_EQ(problem_of("नीले तारा के ऊपर एक लाल वृत्त"), "word 2: 'तारा' should be 'तारे'");
  EXPECT_EQ(problem_of("एक लाल तारे"), "word 3: 'तारे' should be 'तारा'");
}

TEST(ParseCaption, RequiresTheWordOrderOfHindi) {
  EXPECT_EQ(problem_of("एक लाल वृत्त बड़े नीले वर्ग के ऊपर"), "word 4: 'बड़े' begins none of के बाईं ओर, के दाईं ओर, के ऊपर, के नीचे");
  EXPECT_EQ(problem_of("नीले वर्ग के ऊपर"), "the caption ends too early; its next word is no size and no colour");
  EXPECT_EQ(problem_of("नीले वर्ग के ऊपर हरे तारे के नीचे एक लाल वृत्त"), "word 7: 'के' follows the last object");
  EXPECT_EQ(problem_of("नीले वर्ग के ऊपर और लाल वृत्त"),
            "the caption ends too early; its next word begins none of के बाईं ओर, के दाईं ओर, के ऊपर, के नीचे");
  EXPECT_EQ(problem_of("एक बड़ा वृत्त"), "word 3: 'वृत्त' is no colour");
  EXPECT_EQ(problem_of("एक नीला घर"), "word 3: 'घर' is no figure");
}

TEST(ParseCaption, AcceptsMissingArticlesIfTheyAreOptional) {
  EXPECT_TRUE(parse_caption("small red circle above large blue square", Articles::kOptional).claims.has_value());
  EXPECT_TRUE(parse_caption("a small red circle above blue square", Articles::kOptional).claims.has_value());
  EXPECT_FALSE(parse_caption("an small red circle", Articles::kOptional).claims.has_value());
}

}  // namespace
}  // namespace dhyan::picturebook
