#pragma once

#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace dhyan {

// User-perceived characters: extended grapheme clusters (Unicode annex 29), with conjuncts of the Indic
// scripts kept whole (rule GB9c of Unicode 15.1, which older tables lack): consonant, virama, consonant is one cluster,
// so that nothing shown to a person ever begins with a combining mark or shows a bare virama that was not written:
//   क्षि  र्क  ड़ा   are one cluster each
// A virama followed by U+200C (zero width non-joiner) does not join.
std::vector<ByteRange> clusters(std::string_view text);

}  // namespace dhyan
