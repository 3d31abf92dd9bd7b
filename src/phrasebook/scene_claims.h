#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phrasebook/scene_words.h"

namespace dhyan::picturebook {

// An object as a caption names it, and the numbers of the words that name it.
struct ObjectClaim {
  std::optional<Size> size = {};
  Colour colour = Colour::kRed;
  Figure figure = Figure::kCircle;
  std::vector<std::size_t> words = {};
};

struct RelationClaim {
  Relation relation = Relation::kLeftOf;
  std::size_t word = 0;  // the content word
};

// The statements of a caption. relations[i] is the relation of the first object to object i + 1.
struct Claims {
  std::vector<ObjectClaim> objects;  // one to three
  std::vector<RelationClaim> relations;
  std::size_t words = 0;  // of the caption
};

// Claims, or the problem of the text: "word 3: 'blu' is none of red, orange, …".
struct ParsedCaption {
  std::optional<Claims> claims = {};
  std::string problem = {};
};

enum class Articles { kRequired, kOptional };

// Parses a caption; text with a letter that is not ASCII is Hindi. Words are separated by single spaces.
//   English:  OBJECT [RELATION OBJECT [and RELATION OBJECT]],  OBJECT = a|an [SIZE] COLOUR FIGURE
//   Hindi:    [OBJECT के RELATION [और OBJECT के RELATION]] OBJECT,  OBJECT = [एक] [SIZE] COLOUR FIGURE
// Articles and, in Hindi, gender and case must be right. Articles::kOptional accepts English without articles.
ParsedCaption parse_caption(std::string_view text, Articles articles = Articles::kRequired);

}  // namespace dhyan::picturebook
