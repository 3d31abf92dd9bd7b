#pragma once

#include <span>
#include <string_view>

#include "phrasebook/french_lexicon.h"

namespace dhyan::phrases::reference {

// A noun that "it" can stand for.
struct Noun {
  std::string_view english;  // "ham sandwich"
  std::string_view french;   // "sandwich au jambon"
  french::Gender gender;
};

// Two kinds of things that meet, and reasons about each. Half of the nouns of a kind are feminine, and every
// clause goes with every noun of its kind: the clause decides which kind "it" is, the noun whether that is il or elle.
struct Scene {
  std::span<const Noun> first, second;
  // Glosses (Draw::gloss) in which A is a first noun and B a second one.
  std::span<const std::string_view> frames;
  // Glosses of reasons about A or B, because … A French word "salé/salée" agrees with it.
  std::span<const std::string_view> of_first, of_second;
};

std::span<const Scene> scenes();

}  // namespace dhyan::phrases::reference
