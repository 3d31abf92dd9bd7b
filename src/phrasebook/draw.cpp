#include "phrasebook/draw.h"

#include <array>

#include "core/error.h"

namespace dhyan::phrases {

Links Draw::link() {
  if (used_links_ == kMostLinks) throw UsageError(cat("phrasebook: a sentence needs over ", kMostLinks, " links"));
  return Links().set(static_cast<std::size_t>(used_links_++));
}

Part Draw::gloss(std::string_view text) {
  std::array<Links, 10> groups{};  // 0 for words without a digit
  const auto linked = [&](Word& word) {
    std::size_t group = 0;
    const char last = word.text.back();
    if (last == '-' || (last >= '1' && last <= '9')) {
      word.text.pop_back();
      if (last == '-') return;
      group = static_cast<std::size_t>(last - '0');
    }
    if (groups[group].none()) groups[group] = link();
    word.links = groups[group];
  };
  const std::size_t middle = text.find(" = ");
  if (middle == std::string_view::npos) throw UsageError(cat("phrasebook: '", text, "' has no ' = '"));
  Part part{words(text.substr(0, middle), {}), words(text.substr(middle + 3), {})};
  for (Word& word : part.source) linked(word);
  for (Word& word : part.target) linked(word);
  return part;
}

void Draw::combine(std::string_view a, std::string_view b, std::string_view c) {
  std::string& combination = combinations_.emplace_back(a);
  combination.append("+").append(b);
  if (!c.empty()) combination.append("+").append(c);
}

}  // namespace dhyan::phrases
