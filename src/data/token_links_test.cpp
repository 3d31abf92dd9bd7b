#include "data/token_links.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

using Pieces = std::vector<ByteRange>;

TEST(TokenLinks, LinkEveryTokenOfAWordToEveryTokenOfTheOther) {
  const std::string source = "ab c", target = "x  yz";
  const Pieces cut_source{{0, 1}, {1, 2}, {2, 4}}, cut_target{{0, 1}, {3, 3}, {3, 4}, {4, 5}};
  const std::vector<WordLink> links{{0, 1}, {1, 0}, {0, 1}};
  EXPECT_EQ(token_links(links, {source, cut_source}, {target, cut_target}),
            (std::vector<TokenLink>{{2, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}}))
      << "the mark of a word's beginning belongs to the word";
}

TEST(TokenLinks, SkipWordsOutOfRange) {
  const std::string line = "a b";
  const Pieces whole{{0, 1}, {1, 3}}, cut{{0, 1}};
  EXPECT_EQ(token_links(std::vector<WordLink>{{1, 1}, {0, 0}}, {line, cut}, {line, whole}),
            (std::vector<TokenLink>{{0, 0}}))
      << "the second word was cut off";
  EXPECT_TRUE(token_links(std::vector<WordLink>{{2, 0}, {-1, 0}}, {line, whole}, {line, whole}).empty());
  EXPECT_TRUE(token_links({}, {line, whole}, {line, whole}).empty());
}

}  // namespace
}  // namespace dhyan
