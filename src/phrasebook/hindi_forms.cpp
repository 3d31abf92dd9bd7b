#include "phrasebook/hindi_forms.h"

#include <algorithm>
#include <array>

namespace dhyan::phrases::hindi {

namespace {

// Perfective m.sg., m.pl., f.; stem of the future for मैं, तुम, singular, plural; polite command.
struct Irregular {
  std::string_view stem;
  std::array<std::string_view, 3> perfective;
  std::array<std::string_view, 4> future;
  std::string_view polite;
};

constexpr auto kIrregular = std::to_array<Irregular>({
    {"कर", {"किया", "किए", "की"}, {"करूँ", "करो", "करे", "करें"}, "कीजिए"},
    {"जा", {"गया", "गए", "गई"}, {"जाऊँ", "जाओ", "जाए", "जाएँ"}, "जाइए"},
    {"दे", {"दिया", "दिए", "दी"}, {"दूँ", "दो", "दे", "दें"}, "दीजिए"},
    {"पी", {"पिया", "पिए", "पी"}, {"पिऊँ", "पियो", "पिए", "पिएँ"}, "पीजिए"},
});

const Irregular* irregular(std::string_view stem) {
  const auto found = std::ranges::find(kIrregular, stem, &Irregular::stem);
  return found == kIrregular.end() ? nullptr : &*found;
}

bool ends_in_vowel(std::string_view stem) { return stem.ends_with("ा") || stem.ends_with("ो") || stem.ends_with("आ"); }

std::string without(std::string_view word, std::string_view ending) {
  return std::string(word.substr(0, word.size() - ending.size()));
}

std::string joined(std::string_view a, std::string_view b) { return std::string(a).append(b); }

// One of three endings: m.sg., m.pl., f.
template <class Endings>
std::string_view agreeing(const Endings& endings, const Agreement& agreement) {
  if (agreement.gender == Gender::kFeminine) return endings[2];
  return endings[number_of(agreement) == Number::kPlural ? 1 : 0];
}

// The subjunctive for मैं, तुम, singular and plural: खाऊँ, खाओ, खाए, खाएँ.
std::string subjunctive(std::string_view stem, Who who) {
  const auto row = static_cast<std::size_t>(who);
  if (const Irregular* verb = irregular(stem)) return std::string(verb->future[row]);
  static constexpr std::array<std::string_view, 4> kVowel = {"ऊँ", "ओ", "ए", "एँ"};
  static constexpr std::array<std::string_view, 4> kConsonant = {"ूँ", "ो", "े", "ें"};
  return joined(stem, ends_in_vowel(stem) ? kVowel[row] : kConsonant[row]);
}

}  // namespace

std::string adjective(std::string_view word, Gender gender, Number number, Case in) {
  if (!word.ends_with("ा")) return std::string(word);
  const bool direct_singular = number == Number::kSingular && in == Case::kDirect;
  if (gender == Gender::kMasculine && direct_singular) return std::string(word);
  if (word.ends_with("या")) return without(word, "या") + (gender == Gender::kFeminine ? "ई" : "ए");  // नया
  return without(word, "ा") + (gender == Gender::kFeminine ? "ी" : "े");
}

std::string noun(std::string_view word, Gender gender, Number number, Case in) {
  const bool plural = number == Number::kPlural, oblique = in == Case::kOblique;
  if (gender == Gender::kMasculine) {
    if (word.ends_with("ा")) {  // लड़का, लड़के, लड़कों
      if (!plural && !oblique) return std::string(word);
      return without(word, "ा") + (plural && oblique ? "ों" : "े");
    }
    return plural && oblique ? joined(word, "ों") : std::string(word);
  }
  if (!plural) return std::string(word);
  if (word.ends_with("ी")) return without(word, "ी") + (oblique ? "ियों" : "ियाँ");
  if (word.ends_with("ा")) return joined(word, oblique ? "ओं" : "एँ");
  return joined(word, oblique ? "ों" : "ें");
}

std::string habitual(std::string_view stem, const Agreement& agreement) {
  static constexpr std::array<std::string_view, 3> kEndings = {"ता", "ते", "ती"};
  return joined(stem, agreeing(kEndings, agreement));
}

std::string future(std::string_view stem, const Agreement& agreement) {
  static constexpr std::array<std::string_view, 3> kEndings = {"गा", "गे", "गी"};
  return subjunctive(stem, agreement.who).append(agreeing(kEndings, agreement));
}

std::string infinitive(std::string_view stem, Gender gender, Number number) {
  return joined(stem, adjective("ना", gender, number));
}

std::string perfective(std::string_view stem, const Agreement& agreement, Alone alone) {
  static constexpr std::array<std::string_view, 3> kVowel = {"या", "ए", "ई"};
  static constexpr std::array<std::string_view, 3> kConsonant = {"ा", "े", "ी"};
  std::string form;
  if (const Irregular* verb = irregular(stem)) {
    form = agreeing(verb->perfective, agreement);
  } else {
    form = joined(stem, agreeing(ends_in_vowel(stem) ? kVowel : kConsonant, agreement));
  }
  const bool many_women = agreement.gender == Gender::kFeminine && number_of(agreement) == Number::kPlural;
  return many_women && alone == Alone::kYes ? form + "ं" : form;
}

std::string familiar_command(std::string_view stem) { return subjunctive(stem, Who::kTum); }

std::string polite_command(std::string_view stem) {
  if (const Irregular* verb = irregular(stem)) return std::string(verb->polite);
  return joined(stem, ends_in_vowel(stem) ? "इए" : "िए");
}

std::string_view is(const Agreement& agreement) {
  static constexpr std::array<std::string_view, 4> kForms = {"हूँ", "हो", "है", "हैं"};
  return kForms[static_cast<std::size_t>(agreement.who)];
}

std::string_view was_form(const Agreement& agreement) {
  const bool plural = number_of(agreement) == Number::kPlural;
  if (agreement.gender == Gender::kFeminine) return plural ? "थीं" : "थी";
  return plural ? "थे" : "था";
}

std::string_view continuing(const Agreement& agreement) {
  static constexpr std::array<std::string_view, 3> kForms = {"रहा", "रहे", "रही"};
  return agreeing(kForms, agreement);
}

}  // namespace dhyan::phrases::hindi
