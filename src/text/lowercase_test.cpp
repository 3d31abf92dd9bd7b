#include "text/lowercase.h"

#include <gtest/gtest.h>

namespace dhyan {
namespace {

TEST(Lowercase, ChangesLettersOfEveryScriptThatHasCase) {
  EXPECT_EQ(lowercase("The ÉTÉ of ДЕНЬ, Ⅷ und ẞ"), "the été of день, ⅷ und ß");
  EXPECT_EQ(lowercase("𐐀"), "𐐨");  // Deseret, outside the basic plane
}

TEST(Lowercase, KeepsOtherCharacters) {
  EXPECT_EQ(lowercase("मैं खाना 42 — ß ı"), "मैं खाना 42 — ß ı");
  EXPECT_EQ(lowercase(""), "");
}

TEST(Lowercase, WritesTheTurkishCapitalIAsTwoCharacters) { EXPECT_EQ(lowercase("İI"), "i\u0307i"); }

TEST(Lowercase, WritesFinalSigma) {
  EXPECT_EQ(lowercase("ΟΔΥΣΣΕΥΣ"), "οδυσσευς");
  EXPECT_EQ(lowercase("ΟΔΟΣ ΣΑΣ."), "οδος σας.");
  EXPECT_EQ(lowercase("Σ"), "σ") << "alone it ends no word";
  EXPECT_EQ(lowercase("ΑΣ'Α"), "ασ'α") << "the apostrophe is inside of the word";
  EXPECT_EQ(lowercase("Α\u0301Σ"), "α\u0301ς") << "a mark does not part it from the letter";
  EXPECT_EQ(lowercase("1Σ"), "1σ");
  EXPECT_EQ(lowercase("ⅧΣ 🄰Σ"), "ⅷς 🄰ς");
}

}  // namespace
}  // namespace dhyan
