#include <algorithm>
#include <array>

#include "phrasebook/grammar.h"
#include "phrasebook/reference_lexicon.h"

namespace dhyan::phrases {

namespace reference {

namespace {

enum class Determiner { kThe, kThis, kA };

struct Named {
  const Noun* noun;
  Part phrase;
  Links link;  // of the noun without its determiner
};

bool is_feminine(const Noun& noun) { return noun.gender == french::Gender::kFeminine; }

Named named(Draw& draw, const Noun& noun, Determiner determiner) {
  static constexpr std::array<std::array<std::string_view, 2>, 3> kFrench = {
      {{"le", "la"}, {"ce", "cette"}, {"un", "une"}}};
  const std::array<std::string_view, 3> english = {"the", "this", article_before(noun.english)};
  const auto kind = static_cast<std::size_t>(determiner);
  const Links own = draw.link(), link = draw.link();
  return {&noun,
          {words(english[kind], own) + words(noun.english, link),
           words(kFrench[kind][is_feminine(noun) ? 1 : 0], own) + words(noun.french, link)},
          link};
}

Determiner any_determiner(Draw& draw, bool may_be_new) {
  static constexpr Determiner kUsual[] = {Determiner::kThe, Determiner::kThe, Determiner::kThis};
  return may_be_new && draw.chance(35) ? Determiner::kA : draw.one_of(kUsual);
}

// The words of a frame with the phrases in place of A and B.
Words filled(const Words& frame, const Words& a, const Words& b) {
  Words whole;
  for (const Word& word : frame) {
    whole = std::move(whole) + (word.text == "A" ? a : word.text == "B" ? b : Words{word});
  }
  return whole;
}

// "il/elle" and "salé/salée" as they agree with the noun
Words agreeing(Words words, const Noun& noun) {
  for (Word& word : words) {
    const std::size_t slash = word.text.find('/');
    if (slash == std::string::npos) continue;
    word.text = is_feminine(noun) ? word.text.substr(slash + 1) : word.text.substr(0, slash);
  }
  return words;
}

std::string text_of(const Words& words) {
  std::string text;
  for (const Word& word : words) text.append(text.empty() ? "" : " ").append(word.text);
  return text;
}

// The choices of a sentence: its nouns, its frame, and the reason that describes the first or the second noun.
struct Choice {
  const Scene* scene;
  std::string_view frame;
  Named first, second;
  bool of_first;
  std::string_view clause;
};

Part sentence(Draw& draw, const Choice& choice) {
  const Named& antecedent = choice.of_first ? choice.first : choice.second;
  const Named& rival = choice.of_first ? choice.second : choice.first;
  const Part frame = draw.gloss(choice.frame), because = draw.gloss("because = parce que");
  Part clause = draw.gloss(choice.clause);
  draw.combine(choice.first.noun->english, choice.second.noun->english);
  draw.combine(antecedent.noun->english, text_of(clause.source));
  draw.refer({std::ranges::find(clause.source, "it", &Word::text)->links, antecedent.link, rival.link,
              antecedent.noun->gender != rival.noun->gender});
  clause.target = agreeing(std::move(clause.target), *antecedent.noun);
  const Part& a = choice.first.phrase;
  const Part& b = choice.second.phrase;
  const Part main{filled(frame.source, a.source, b.source), filled(frame.target, a.target, b.target)};
  Part whole = in_turn({main, because, clause});
  whole.target = french::smooth(std::move(whole.target));
  return whole;
}

// Mostly the genders differ, so that il and elle stand for different things.
const Noun& other_noun(Draw& draw, std::span<const Noun> nouns, const Noun& first) {
  if (draw.chance(40)) return draw.one_of(nouns);
  return *draw.one_where(nouns, [&](const Noun& noun) { return noun.gender != first.gender; });
}

Part any_reference(Draw& draw) {
  const Scene& scene = draw.one_of(scenes());
  const std::string_view frame = draw.one_of(scene.frames);
  const Noun& a = draw.one_of(scene.first);
  const Noun& b = other_noun(draw, scene.second, a);
  const Named first = named(draw, a, any_determiner(draw, false));
  // A new thing may follow; a denied one would be "pas de soupe".
  const bool may_be_new = frame.starts_with("A ") && frame.find(" not") == std::string_view::npos;
  const Named second = named(draw, b, any_determiner(draw, may_be_new));
  const bool of_first = draw.chance(50);
  return sentence(draw,
                  {&scene, frame, first, second, of_first, draw.one_of(of_first ? scene.of_first : scene.of_second)});
}

// "the restaurant refused to serve me a ham sandwich because it only cooks vegetarian food"
Part vegetarian_restaurant(Draw& draw) {
  const Scene& scene = scenes().front();
  const Named first = named(draw, scene.first.front(), Determiner::kThe);
  const Named second = named(draw, scene.second.front(), Determiner::kA);
  return sentence(draw, {&scene, scene.frames.front(), first, second, true, scene.of_first.front()});
}

constexpr auto kReferences = std::to_array<Family>({{1, any_reference}});

constexpr Part (*kShownReferences[])(Draw&) = {vegetarian_restaurant};

constexpr std::string_view kHeldOutReferences[] = {"restaurant+it only cooks vegetarian food"};

constexpr Grammar kReferenceGrammar{.pair = "en-fr",
                                    .families = kReferences,
                                    .longer = {},
                                    .shown = kShownReferences,
                                    .held_out = kHeldOutReferences,
                                    .train_pairs = 12000,
                                    .held_out_percent = 6};

}  // namespace

}  // namespace reference

const Grammar& reference_grammar() { return reference::kReferenceGrammar; }

}  // namespace dhyan::phrases
