#pragma once

#include <array>
#include <string_view>

#include "core/choice.h"
#include "phrasebook/hindi_forms.h"
#include "phrasebook/scene.h"

namespace dhyan::picturebook {

enum class Language { kEnglish, kHindi };
inline constexpr std::array kLanguages{Choice{"en", Language::kEnglish}, Choice{"hi", Language::kHindi}};

// The words of a table's entry; adjectives in the masculine form.
struct Name {
  std::string_view english;
  std::string_view hindi;
};

struct FigureName {
  std::string_view english;
  std::string_view hindi;
  phrases::hindi::Gender gender;
};

// The words between the names of two objects. Only the content word has a region.
struct RelationName {
  std::string_view english;  // "to the left of"
  std::string_view english_content;
  std::string_view hindi;  // "के बाईं ओर", after the name in the oblique case
  std::string_view hindi_content;
};

const FigureName& name_of(Figure figure);
const Name& name_of(Colour colour);
const Name& name_of(Size size);
const RelationName& name_of(Relation relation);

}  // namespace dhyan::picturebook
