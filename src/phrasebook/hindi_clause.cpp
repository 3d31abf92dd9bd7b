#include "phrasebook/hindi_clause.h"

#include "core/error.h"

namespace dhyan::phrases::hindi {

namespace {

// The word that the verb agrees with instead of the subject: its own noun, the object, or none.
Agreement object_agreement(const Clause& clause) {
  if (clause.verb->has(kFeminineNoun)) return {Who::kOne, Gender::kFeminine};
  if (!clause.verb->has(kMasculineNoun) && clause.thing) return agreement_with(*clause.thing);
  return {Who::kOne, Gender::kMasculine};
}

// The words of a Hindi verb group, each linked to its English counterpart.
struct Linked {
  VerbLinks links;
  Links helping;  // of "do", if English needs it

  Words main(std::string_view form) const { return words(form, links.main); }
  Words auxiliary(std::string_view form) const { return words(form, links.auxiliary); }
  Words extra(std::string_view form) const { return words(form, links.extra); }
  // हूँ is "do" if there is one, else part of its verb.
  Words finite(std::string_view form, const Links& verb) const { return words(form, helping.any() ? helping : verb); }
};

// The verb governs an infinitive: खाना चाहता हूँ, खाना पसंद है, खाने जा रहा हूँ.
Words led_group(const Clause& clause, const Linked& linked, const Words& negation) {
  const Verb& verb = *clause.verb;
  const Agreement& subject = clause.subject.agreement;
  const Agreement object = object_agreement(clause);
  const Words noun_part = linked.main(verb.preverb);
  const Words plain = noun_part + linked.main(infinitive(verb.stem, Gender::kMasculine, Number::kSingular));
  const Words agreed = linked.main(infinitive(verb.stem, object.gender, number_of(object)));
  const Links& extra = linked.links.extra;
  switch (clause.tense) {
    case Tense::kShould:
      return noun_part + negation + agreed + linked.auxiliary("चाहिए");
    case Tense::kHaveTo:
      return noun_part + negation + agreed + words(is(object), extra | linked.helping);
    case Tense::kWantTo:
      return plain + negation + linked.extra(habitual("चाह", subject)) + linked.finite(is(subject), extra);
    case Tense::kLikeTo:
      return plain + linked.extra("पसंद") + negation + linked.finite("है", extra);
    case Tense::kLoveTo:
      return plain + linked.extra("बहुत पसंद है");
    case Tense::kGoingTo:
      return noun_part + linked.main(oblique_infinitive(verb)) + negation + linked.extra("जा") +
             linked.auxiliary(continuing(subject)) + linked.auxiliary(is(subject));
    default:
      throw UsageError(cat("phrasebook: ", name(clause.tense), " leads no infinitive"));
  }
}

// खा रहा हूँ; [साफ़] [नहीं] कर रहा हूँ
Words verb_group(const Clause& clause, const Linked& linked, const Words& negation) {
  const Verb& verb = *clause.verb;
  const std::string_view stem = verb.stem;
  const Agreement& subject = clause.subject.agreement;
  const Agreement done = takes_ergative(verb, clause.tense) ? object_agreement(clause) : subject;
  const Links& main = linked.links.main;
  const Words start = linked.main(verb.preverb) + negation;
  switch (clause.tense) {
    case Tense::kHabitual:
      return start + linked.main(habitual(stem, subject)) + linked.finite(is(subject), main);
    case Tense::kContinuous:
      return start + linked.main(stem) + linked.auxiliary(continuing(subject)) + linked.auxiliary(is(subject));
    case Tense::kPastContinuous:
      return start + linked.main(stem) + linked.auxiliary(continuing(subject)) + linked.auxiliary(was_form(subject));
    case Tense::kUsedTo:
      return start + linked.main(habitual(stem, subject)) + linked.auxiliary(was_form(subject));
    case Tense::kFuture:
      return start + words(future(stem, subject), main | linked.links.auxiliary);
    case Tense::kPast:
      return start + words(perfective(stem, done, Alone::kYes), main | linked.helping);
    case Tense::kPerfect:
      return start + linked.main(perfective(stem, done, Alone::kNo)) + linked.auxiliary(is(done));
    case Tense::kAlready:
      return start + linked.main(stem) + linked.extra(perfective("चुक", subject, Alone::kNo)) +
             linked.auxiliary(is(subject));
    case Tense::kCan:
      return start + linked.main(stem) + linked.auxiliary(habitual("सक", subject)) + linked.auxiliary(is(subject));
    default:
      return led_group(clause, linked, negation);
  }
}

Words subject_words(const Clause& clause) {
  if (takes_ergative(*clause.verb, clause.tense)) return ergative(clause.subject);
  if (takes_dative(clause.tense)) return marked(clause.subject, Marker::kKo, clause.subject.link);
  return clause.subject.direct;
}

// The object of both sides; a marker with no English particle belongs to its noun.
Part object_words(Draw& draw, const Clause& clause, Links verb_link) {
  const std::string_view particle = clause.verb->english.particle;
  if (clause.thing) return {clause.thing->source, words(particle, verb_link) + clause.thing->target};
  if (!clause.person) return {{}, words(particle, verb_link)};
  const Links link = particle.empty() ? clause.person->link : draw.link();
  return {marked(*clause.person, clause.verb->marker, link), words(particle, link) + as_object(*clause.person)};
}

void note_combinations(Draw& draw, const Clause& clause) {
  draw.combine(clause.subject.name, clause.verb->english.base, name(clause.tense));
  if (!clause.goal.source.empty()) draw.combine(clause.verb->english.base, clause.goal.source.front().text);
  if (clause.thing) {
    draw.combine(clause.verb->english.base, clause.thing->name);
    note(draw, *clause.thing);
  }
  if (clause.person) draw.combine(clause.verb->english.base, clause.person->name, clause.subject.name);
}

}  // namespace

bool takes_ergative(const Verb& verb, Tense tense) {
  return verb.perfective == Perfective::kNe && (tense == Tense::kPast || tense == Tense::kPerfect);
}

bool takes_dative(Tense tense) {
  return tense == Tense::kHaveTo || tense == Tense::kShould || tense == Tense::kLikeTo || tense == Tense::kLoveTo;
}

Pieces realise(Draw& draw, const Clause& clause, Support support) {
  note_combinations(draw, clause);
  const bool negative = clause.polarity == Polarity::kNegative;
  if (negative) support = Support::kDo;
  const VerbLinks links{draw.link(), draw.link(), draw.link()};
  const Links not_link = negative ? draw.link() : Links();
  const Linked linked{links, support == Support::kDo ? links.auxiliary : Links()};

  EnglishGroup group = english_group(clause.verb->english, clause.english_tense.value_or(clause.tense),
                                     clause.subject.person, support, links);
  const Part object = object_words(draw, clause, links.main);
  const Part time = clause.time_first ? Part{} : clause.time;
  Pieces pieces;
  if (clause.time_first) pieces.opening = clause.time;
  pieces.subject = subject_words(clause);
  pieces.before = time.source + clause.frequency.source + clause.around.source + object.source + clause.goal.source;
  pieces.verb = verb_group(clause, linked, negative ? words("नहीं", not_link) : Words{});
  pieces.agent = clause.subject.target;
  pieces.auxiliary = group.auxiliary;
  pieces.middle = clause.frequency.target;
  if (negative && group.auxiliary.back().text == "can") {
    pieces.auxiliary = negated(group.auxiliary, not_link);
  } else if (negative) {
    pieces.middle = words("not", not_link) + pieces.middle;
  }
  pieces.main = group.main;
  pieces.after = object.target + clause.goal.target + clause.around.target + time.target;
  pieces.auxiliary_link = links.auxiliary;
  return pieces;
}

Part statement(Draw& draw, const Clause& clause) {
  const Pieces p = realise(draw, clause, Support::kNone);
  return {p.opening.source + p.subject + p.before + p.verb,
          p.opening.target + p.agent + p.auxiliary + p.middle + p.main + p.after};
}

Part question(Draw& draw, const Clause& clause) {
  const Pieces p = realise(draw, clause, Support::kDo);
  return {words("क्या", p.auxiliary_link) + p.opening.source + p.subject + p.before + p.verb,
          p.opening.target + p.auxiliary + p.agent + p.middle + p.main + p.after};
}

Part question(Draw& draw, const Clause& clause, std::string_view asked) {
  const Part word = draw.gloss(asked);
  const Pieces p = realise(draw, clause, Support::kDo);
  return {p.opening.source + p.subject + p.before + word.source + p.verb,
          p.opening.target + word.target + p.auxiliary + p.agent + p.middle + p.main + p.after};
}

Part action(Draw& draw, const Clause& clause, const Form& form) {
  draw.combine(clause.verb->english.base, clause.thing ? clause.thing->name : "", "action");
  if (clause.thing) note(draw, *clause.thing);
  const Links link = draw.link();
  const Part object = object_words(draw, clause, link);
  return {clause.around.source + object.source + clause.goal.source + words(clause.verb->preverb, link) +
              form.negation.source + words(form.hindi, link),
          form.negation.target + words(form.english, link) + object.target + clause.goal.target + clause.around.target};
}

std::string oblique_infinitive(const Verb& verb) { return infinitive(verb.stem, Gender::kMasculine, Number::kPlural); }

}  // namespace dhyan::phrases::hindi
