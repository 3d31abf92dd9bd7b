#include <algorithm>
#include <array>
#include <cstddef>

#include "phrasebook/french_lexicon.h"

namespace dhyan::phrases::french {

namespace {

std::string joined(std::string_view a, std::string_view b) { return std::string(a).append(b); }

// The h of every word here is mute.
bool starts_with_vowel(std::string_view word) {
  for (const std::string_view vowel : {"a", "e", "i", "o", "u", "h", "é", "ê", "â", "î", "œ"}) {
    if (word.starts_with(vowel)) return true;
  }
  return false;
}

// je -> j', before a vowel; empty if the word does not change
std::string_view elided(std::string_view word, std::string_view next) {
  if (word == "si") return next == "il" || next == "ils" ? "s'" : "";
  static constexpr std::array<std::array<std::string_view, 2>, 6> kElided = {
      {{"je", "j'"}, {"ne", "n'"}, {"le", "l'"}, {"la", "l'"}, {"de", "d'"}, {"que", "qu'"}}};
  for (const auto& [whole, cut] : kElided) {
    if (word == whole && starts_with_vowel(next)) return cut;
  }
  return "";
}

// ma amie -> mon amie; ce homme -> cet homme
std::string_view before_vowel(std::string_view word) {
  static constexpr std::array<std::array<std::string_view, 2>, 4> kChanged = {
      {{"ma", "mon"}, {"ta", "ton"}, {"sa", "son"}, {"ce", "cet"}}};
  for (const auto& [plain, changed] : kChanged) {
    if (word == plain) return changed;
  }
  return "";
}

std::string_view contracted(std::string_view first, std::string_view second) {
  if (first == "à" && second == "le") return "au";
  if (first == "à" && second == "les") return "aux";
  if (first == "de" && second == "le") return "du";
  if (first == "de" && second == "les") return "des";
  return "";
}

}  // namespace

std::string plural(std::string_view word) {
  if (word.ends_with('s') || word.ends_with('x')) return std::string(word);
  if (word.ends_with("eau")) return joined(word, "x");
  if (word.ends_with("al")) return joined(word.substr(0, word.size() - 1), "ux");
  return joined(word, "s");
}

std::string present(const Verb& verb, std::size_t row) {
  if (!verb.present[row].empty()) return std::string(verb.present[row]);
  static constexpr std::array<std::string_view, 6> kEndings = {"e", "es", "e", "ons", "ez", "ent"};
  const std::string_view stem = verb.infinitive.substr(0, verb.infinitive.size() - 2);
  const bool soft = stem.ends_with('g') && kEndings[row] == "ons";  // mangeons
  return joined(stem, soft ? "eons" : kEndings[row]);
}

std::string imperfect(const Verb& verb, std::size_t row) {
  static constexpr std::array<std::string_view, 6> kEndings = {"ais", "ais", "ait", "ions", "iez", "aient"};
  std::string stem = present(verb, 3);
  stem.resize(stem.size() - 3);  // nous mange-ons
  if (stem.ends_with("ge") && kEndings[row].starts_with('i')) stem.pop_back();
  return stem.append(kEndings[row]);
}

Words smooth(Words words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view next = words[i + 1].text;
    if (const std::string_view cut = elided(words[i].text, next); !cut.empty()) words[i].text = cut;
    const std::string_view changed = before_vowel(words[i].text);
    if (!changed.empty() && starts_with_vowel(next)) words[i].text = changed;
  }
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view both = contracted(words[i].text, words[i + 1].text);
    if (both.empty()) continue;
    words[i].text = both;
    words[i].links |= words[i + 1].links;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return words;
}

}  // namespace dhyan::phrases::french
