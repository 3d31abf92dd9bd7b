#include <algorithm>
#include <array>

#include "core/error.h"
#include "phrasebook/hindi_lexicon.h"

namespace dhyan::phrases::hindi {

namespace {

constexpr Marker kNone = Marker::kNone, kKo = Marker::kKo, kSe = Marker::kSe, kKa = Marker::kKa, kKi = Marker::kKi;
constexpr Perfective kNe = Perfective::kNe, kSubject = Perfective::kSubject;

constexpr Tenses kContinuous = only(Tense::kContinuous), kFuture = only(Tense::kFuture), kPast = only(Tense::kPast);
constexpr Tenses kPerfect = only(Tense::kPerfect), kAlready = only(Tense::kAlready), kCan = only(Tense::kCan);
constexpr Tenses kGoingTo = only(Tense::kGoingTo);
constexpr Tenses kContinuing = kContinuous | only(Tense::kPastContinuous);
constexpr Tenses kLiked = only(Tense::kLikeTo) | only(Tense::kLoveTo);
// kChore: not used with "like to". kEvent: happens now and then, not as a habit.
constexpr Tenses kChore = kAnyTense & ~kLiked & ~only(Tense::kUsedTo);
constexpr Tenses kEvent = kChore & ~only(Tense::kHabitual) & ~kCan;
constexpr Tenses kPastime = kAnyTense & ~kPerfect & ~kAlready;
constexpr Tenses kUnfinished = kPastime & ~kPast;
constexpr Tenses kWearing = kPastime & ~kContinuing & ~kCan;
constexpr Tenses kLiving = only(Tense::kHabitual) | only(Tense::kUsedTo) | only(Tense::kWantTo);

// clang-format off
constexpr auto kVerbs = std::to_array<Verb>({
    // with an object
    {"", "खा", {"eat", "eating", "ate", "eaten"}, kFood, kNone, kNe, kMeal, kSocial | kDaily},
    {"", "पी", {"drink", "drinking", "drank", "drunk"}, kDrink, kNone, kNe, kMeal, kSocial | kDaily},
    {"", "पढ़", {"read", "reading", "read", "read"}, kText, kNone, kNe, kStudy, kDaily},
    {"", "लिख", {"write", "writing", "wrote", "written"}, kWritten, kNone, kNe, kStudy, kDaily},
    {"", "देख", {"watch", "watching", "watched", "watched"}, kShow, kNone, kNe, kHomely, kSocial | kDaily},
    {"", "सुन", {"listen", "listening", "listened", "listened", "to"}, kSound, kNone, kNe, kHomely, kSocial | kDaily},
    {"", "ख़रीद", {"buy", "buying", "bought", "bought"}, kGrocery | kGoods, kNone, kNe, kTrade, kFromPlace | kDaily, kChore},
    {"", "बेच", {"sell", "selling", "sold", "sold"}, kSold, kNone, kNe, kTrade, kAdult, kChore},
    {"", "बना", {"make", "making", "made", "made"}, kMade, kNone, kNe, kKitchen, kDaily},
    {"", "पका", {"cook", "cooking", "cooked", "cooked"}, kCooked, kNone, kNe, kKitchen, kDaily},
    {"", "धो", {"wash", "washing", "washed", "washed"}, kWashed, kNone, kNe, 0, kDefinite | kDaily, kChore},
    {"", "ला", {"bring", "bringing", "brought", "brought"}, kGrocery | kGift, kNone, kSubject, kTrade, kFromPlace, kEvent},
    {"", "खेल", {"play", "playing", "played", "played"}, kGame, kNone, kNe, kOpen, kSocial | kDaily | kLively},
    {"", "सीख", {"learn", "learning", "learned", "learned"}, kLearnt, kNone, kNe, kSchool, 0, kChore},
    {"", "बोल", {"speak", "speaking", "spoke", "spoken"}, kLanguage, kNone, kNe, 0, 0, kUnfinished},
    {"", "पढ़ा", {"teach", "teaching", "taught", "taught"}, kTaught, kNone, kNe, kSchool, kAdult},
    {"", "चला", {"drive", "driving", "drove", "driven"}, kVehicle, kNone, kNe, 0, kAdult | kSingly},
    {"", "चला", {"ride", "riding", "rode", "ridden"}, kCycle, kNone, kNe, kOpen, kSingly | kLively},
    {"", "खोल", {"open", "opening", "opened", "opened"}, kDoor, kNone, kNe, 0, kDefinite, kEvent},
    {"बंद", "कर", {"close", "closing", "closed", "closed"}, kDoor, kNone, kNe, 0, kDefinite, kEvent},
    {"साफ़", "कर", {"clean", "cleaning", "cleaned", "cleaned"}, kRoom, kNone, kNe, 0, kDefinite | kDaily, kChore},
    {"", "काट", {"cut", "cutting", "cut", "cut"}, kCut, kNone, kNe, kKitchen, 0, kEvent},
    {"", "पहन", {"wear", "wearing", "wore", "worn"}, kWorn, kNone, kNe, 0, kSingly, kWearing},
    {"", "गा", {"sing", "singing", "sang", "sung"}, kSong, kNone, kNe, kHomely, kSocial},
    {"", "दे", {"give", "giving", "gave", "given"}, kGift, kNone, kNe, 0, kRecipient, kEvent},
    {"", "भेज", {"send", "sending", "sent", "sent"}, kSent, kNone, kNe, 0, kRecipient | kAdult, kEvent},
    {"", "दिखा", {"show", "showing", "showed", "shown"}, kGift, kNone, kNe, 0, kRecipient, kEvent},
    // with a person
    {"", "बुला", {"call", "calling", "called", "called"}, kPerson, kKo, kNe, 0, 0, kEvent},
    {"", "देख", {"see", "seeing", "saw", "seen"}, kPerson, kKo, kNe, kTrade | kOpen, 0, kPast | kPerfect},
    {"", "मिल", {"meet", "meeting", "met", "met"}, kPerson, kSe, kSubject, kTrade | kOpen, kDaily, kChore & ~kContinuous},
    {"बात", "कर", {"talk", "talking", "talked", "talked", "to"}, kPerson, kSe, kNe, kHomely, kFeminineNoun | kDaily},
    {"मदद", "कर", {"help", "helping", "helped", "helped"}, kPerson, kKi, kNe, 0, kFeminineNoun | kDaily, kChore},
    {"इंतज़ार", "कर", {"wait", "waiting", "waited", "waited", "for"}, kPerson, kKa, kNe, kTrade | kOpen, kMasculineNoun, kEvent & ~kAlready},
    // to a place
    {"", "जा", {"go", "going", "went", "gone"}, 0, kNone, kSubject, 0, kGoal | kSocial | kTravels | kDaily, kAnyTense & ~kGoingTo},
    {"", "आ", {"come", "coming", "came", "come"}, 0, kNone, kSubject, 0, kGoal | kTravels, kChore & ~kGoingTo},
    {"", "लौट", {"return", "returning", "returned", "returned"}, 0, kNone, kSubject, 0, kGoal | kDaily, kChore & ~kGoingTo & ~kCan},
    {"", "पहुँच", {"reach", "reaching", "reached", "reached"}, 0, kNone, kSubject, 0, kGoal | kNamesGoal | kDaily, kEvent & ~kContinuing & ~kGoingTo},
    // alone
    {"", "सो", {"sleep", "sleeping", "slept", "slept"}, 0, kNone, kSubject, kHomely, kDaily, kAnyTense & ~kPerfect & ~kCan},
    {"", "उठ", {"wake", "waking", "woke", "woken", "up"}, 0, kNone, kSubject, 0, 0, kChore & ~kContinuing & ~kGoingTo},
    {"", "दौड़", {"run", "running", "ran", "run"}, 0, kNone, kSubject, kOpen, kLively, kPastime},
    {"", "टहल", {"walk", "walking", "walked", "walked"}, 0, kNone, kSubject, kOpen, kSocial | kDaily, kPastime},
    {"", "हँस", {"laugh", "laughing", "laughed", "laughed"}, 0, kNone, kSubject, 0, 0, kContinuing | kPast | kFuture},
    {"", "रो", {"cry", "crying", "cried", "cried"}, 0, kNone, kSubject, 0, kLively, kContinuing | kPast},
    {"", "नाच", {"dance", "dancing", "danced", "danced"}, 0, kNone, kSubject, kHomely, kSocial | kLively, kPastime},
    {"", "तैर", {"swim", "swimming", "swam", "swum"}, 0, kNone, kSubject, kWater, kSocial | kLively, kPastime},
    {"", "खेल", {"play", "playing", "played", "played"}, 0, kNone, kSubject, kOpen, kSocial | kDaily | kLively, kAnyTense & ~kPerfect},
    {"काम", "कर", {"work", "working", "worked", "worked"}, 0, kNone, kNe, kWork, kAdult | kMasculineNoun | kDaily},
    {"आराम", "कर", {"rest", "resting", "rested", "rested"}, 0, kNone, kNe, kHomely, kMasculineNoun | kDaily},
    {"यात्रा", "कर", {"travel", "travelling", "travelled", "travelled"}, 0, kNone, kNe, 0, kFeminineNoun | kTravels | kAdult},
    {"", "पढ़", {"study", "studying", "studied", "studied"}, 0, kNone, kNe, kStudy, kSocial | kDaily, kUnfinished},
    {"", "नहा", {"bathe", "bathing", "bathed", "bathed"}, 0, kNone, kSubject, kWater, kDaily, kChore & ~kPerfect},
    {"", "रह", {"live", "living", "lived", "lived"}, 0, kNone, kSubject, kTown, kNeedsPlace, kLiving},
    {"", "खा", {"eat", "eating", "ate", "eaten"}, 0, kNone, kNe, 0, kDaily, kLiked},
});
// clang-format on

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Verb& verb_named(std::string_view stem, std::string_view english) {
  const auto found =
      std::ranges::find_if(kVerbs, [&](const Verb& verb) { return verb.stem == stem && verb.english.base == english; });
  if (found == kVerbs.end()) throw UsageError(cat("phrasebook: no verb '", stem, "' that means '", english, "'"));
  return *found;
}

}  // namespace dhyan::phrases::hindi
