#pragma once

#include <string>
#include <vector>

#include "phrasebook/scene_words.h"

namespace dhyan::picturebook {

// A set of a scene's objects: bit i is object i.
using ObjectSet = std::uint8_t;

// A caption's words and the objects each refers to: adjectives and nouns to their object, the content word of a
// relation ("left" in "to the left of", "बाईं" in "के बाईं ओर") to both of its objects, function words to none.
struct Caption {
  std::string text;                // words between single spaces
  std::vector<ObjectSet> objects;  // of each word

  bool operator==(const Caption&) const = default;
};

// The caption for training. It names the first object in reading order and its main relation to the others, in reading
// order, all with sizes: "a small red circle above a large blue square and to the left of a small green star";
// "बड़े नीले वर्ग के ऊपर और छोटे हरे तारे के बाईं ओर एक छोटा लाल वृत्त". So it says "above" and "left", and no "below".
Caption caption(const Scene& scene, Language language);

// Several different true captions. The first is caption(); others begin with another object, change the order, use the
// second relation where two hold, or leave out sizes.
std::vector<Caption> references(const Scene& scene, Language language);

}  // namespace dhyan::picturebook
