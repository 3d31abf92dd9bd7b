#include "phrasebook/phrase.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace dhyan::phrases {

namespace {

struct Written {
  std::string text;
  std::vector<Links> links;  // one entry per written word
};

Written write(const Words& words) {
  Written written;
  bool glued = false;
  for (const Word& word : words) {
    if (glued) {
      written.links.back() |= word.links;
    } else {
      if (!written.text.empty()) written.text += ' ';
      written.links.push_back(word.links);
    }
    written.text += word.text;
    glued = word.text.ends_with('\'');
  }
  return written;
}

// The source has no words that are written together.
int last_word(const Words& source, const Links& links) {
  for (std::size_t i = source.size(); i-- > 0;) {
    if ((source[i].links & links).any()) return static_cast<int>(i);
  }
  throw UsageError("phrasebook: a word that 'it' refers to is missing");
}

}  // namespace

Words words(std::string_view text, Links links) {
  Words result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) result.push_back({std::string(text.substr(0, end)), links});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Part in_turn(std::initializer_list<Part> parts) {
  Part whole;
  for (const Part& part : parts) {
    whole.source = std::move(whole.source) + part.source;
    whole.target = std::move(whole.target) + part.target;
  }
  return whole;
}

Coreference coreference(const Part& part, const PhrasePair& pair, const Referring& links) {
  const int it = last_word(part.source, links.it);
  const auto linked = std::ranges::find(pair.alignment, it, [](const auto& link) { return link.first; });
  if (linked == pair.alignment.end()) throw UsageError("phrasebook: 'it' has no translation");
  return {it, last_word(part.source, links.antecedent), last_word(part.source, links.rival), linked->second,
          links.decisive};
}

PhrasePair to_pair(const Part& part) {
  Written source = write(part.source), target = write(part.target);
  PhrasePair pair{std::move(source.text), std::move(target.text), {}};
  for (std::size_t i = 0; i < source.links.size(); ++i) {
    for (std::size_t j = 0; j < target.links.size(); ++j) {
      if ((source.links[i] & target.links[j]).any()) {
        pair.alignment.emplace_back(static_cast<int>(i), static_cast<int>(j));
      }
    }
  }
  return pair;
}

}  // namespace dhyan::phrases
