#include <array>

#include "phrasebook/hindi_lexicon.h"

namespace dhyan::phrases::hindi {

namespace {

constexpr auto kPlaces = std::to_array<Place>({
    {"घर1 पर2 = at2 home1", "घर = home", "घर1 से2 = from2 home1", kHomely | kMeal | kStudy},
    {"स्कूल1 में2 = at2 school1", "स्कूल = to school", "", kSchool | kStudy},
    {"बाज़ार1 में2 = in2 the1 market1", "बाज़ार = to the market", "बाज़ार1 से2 = from2 the1 market1", kTrade},
    {"दुकान1 में2 = in2 the1 shop1", "दुकान = to the shop", "दुकान1 से2 = from2 the1 shop1", kTrade},
    {"पार्क1 में2 = in2 the1 park1", "पार्क = to the park", "", kOpen},
    {"अस्पताल1 में2 = in2 the1 hospital1", "अस्पताल = to the hospital", "", kWork},
    {"दफ़्तर1 में2 = in2 the1 office1", "दफ़्तर = to the office", "", kWork},
    {"मंदिर1 में2 = in2 the1 temple1", "मंदिर = to the temple", "", 0},
    {"स्टेशन1 पर2 = at2 the1 station1", "स्टेशन = to the station", "", 0},
    {"पुस्तकालय1 में2 = in2 the1 library1", "पुस्तकालय = to the library", "", kStudy},
    {"दिल्ली1 में2 = in2 Delhi1", "दिल्ली = to Delhi", "दिल्ली1 से2 = from2 Delhi1", kTown},
    {"मुंबई1 में2 = in2 Mumbai1", "मुंबई = to Mumbai", "मुंबई1 से2 = from2 Mumbai1", kTown},
    {"जयपुर1 में2 = in2 Jaipur1", "जयपुर = to Jaipur", "जयपुर1 से2 = from2 Jaipur1", kTown},
    {"भारत1 में2 = in2 India1", "भारत = to India", "भारत1 से2 = from2 India1", kTown},
    {"गाँव1 में2 = in2 the1 village1", "गाँव = to the village", "", kTown},
    {"बगीचे1 में2 = in2 the1 garden1", "", "", kOpen},
    {"मैदान1 में2 = in2 the1 field1", "", "", kOpen},
    {"कमरे1 में2 = in2 the1 room1", "", "", kHomely | kStudy},
    {"रसोई1 में2 = in2 the1 kitchen1", "", "", kKitchen | kMeal},
    {"होटल1 में2 = in2 the1 hotel1", "होटल = to the hotel", "", kMeal},
    {"नदी1 में2 = in2 the1 river1", "", "", kWater},
    {"खेत1 में2 = in2 the1 fields1", "", "", kWork},
    {"बैंक1 में2 = in2 the1 bank1", "बैंक = to the bank", "", kWork},
});

constexpr auto kSpots = std::to_array<Place>({
    {"मेज़1 पर2 = on2 the1 table1", "", "", 0},
    {"कुर्सी1 पर2 = on2 the1 chair1", "", "", 0},
    {"फ़र्श1 पर2 = on2 the1 floor1", "", "", 0},
    {"डिब्बे1 में2 = in2 the1 box1", "", "", 0},
    {"थैले1 में2 = in2 the1 bag1", "", "", 0},
    {"अलमारी1 में2 = in2 the1 cupboard1", "", "", 0},
    {"कमरे1 में2 = in2 the1 room1", "", "", 0},
    {"मेज़1 के2 नीचे2 = under2 the1 table1", "", "", 0},
    {"कुर्सी1 के2 नीचे2 = under2 the1 chair1", "", "", 0},
    {"खिड़की1 के2 पास2 = near2 the1 window1", "", "", 0},
    {"दरवाज़े1 के2 पास2 = near2 the1 door1", "", "", 0},
});

constexpr Tenses kNow = only(Tense::kContinuous);
constexpr Tenses kUsual = only(Tense::kHabitual) | only(Tense::kUsedTo) | only(Tense::kLikeTo);
constexpr Tenses kAhead = only(Tense::kFuture) | only(Tense::kHaveTo) | only(Tense::kWantTo) | only(Tense::kGoingTo);
constexpr Tenses kBefore = only(Tense::kPast);
constexpr Tenses kThen = kBefore | only(Tense::kPastContinuous);
constexpr Tenses kEveryDay = only(Tense::kHabitual) | only(Tense::kUsedTo) | only(Tense::kShould);

constexpr auto kTimes = std::to_array<Time>({
    {"आज = today", kNow | kBefore | kAhead | only(Tense::kCan)},
    {"कल = yesterday", kThen},
    {"कल = tomorrow", kAhead},
    {"परसों = the day before yesterday", kThen},
    {"परसों = the day after tomorrow", only(Tense::kFuture) | only(Tense::kHaveTo)},
    {"आज1 सुबह2 = this1 morning2", kThen},
    {"आज1 शाम2 को2 = this1 evening2", kAhead},
    {"कल1 सुबह2 = yesterday1 morning2", kThen},
    {"कल1 सुबह2 = tomorrow1 morning2", kAhead},
    {"कल1 शाम2 को2 = yesterday1 evening2", kThen},
    {"कल1 शाम2 को2 = tomorrow1 evening2", kAhead},
    {"सुबह = in the morning", kUsual | only(Tense::kShould)},
    {"शाम1 को2 = in2 the1 evening1", kUsual | kAhead},
    {"रात1 को2 = at2 night1", kUsual},
    {"दोपहर1 में2 = in2 the1 afternoon1", kUsual | only(Tense::kFuture)},
    {"रोज़ = every day", kEveryDay},
    {"हर1 दिन2 = every1 day2", kEveryDay},
    {"हर1 हफ़्ते2 = every1 week2", kEveryDay},
    {"अभी = now", kNow},
    {"आजकल = these days", only(Tense::kHabitual)},
    {"बचपन1 में2 = in2 childhood1", only(Tense::kUsedTo)},
    {"अगले1 हफ़्ते2 = next1 week2", kAhead},
    {"अगले1 महीने2 = next1 month2", kAhead},
    {"पिछले1 हफ़्ते2 = last1 week2", kBefore},
    {"पिछले1 महीने2 = last1 month2", kBefore},
    {"सोमवार1 को2 = on2 Monday1", kBefore | kAhead},
    {"मंगलवार1 को2 = on2 Tuesday1", kBefore | kAhead},
    {"बुधवार1 को2 = on2 Wednesday1", kBefore | kAhead},
    {"गुरुवार1 को2 = on2 Thursday1", kBefore | kAhead},
    {"शुक्रवार1 को2 = on2 Friday1", kBefore | kAhead},
    {"शनिवार1 को2 = on2 Saturday1", kBefore | kAhead},
    {"रविवार1 को2 = on2 Sunday1", kBefore | kAhead},
    {"पाँच1 बजे2 = at2 five1 o'clock2", kBefore | kAhead | kUsual},
    {"सात1 बजे2 = at2 seven1 o'clock2", kBefore | kAhead | kUsual},
    {"आठ1 बजे2 = at2 eight1 o'clock2", kBefore | kAhead | kUsual},
    {"दस1 बजे2 = at2 ten1 o'clock2", kBefore | kAhead | kUsual},
});

constexpr auto kFrequencies = std::to_array<Time>({
    {"अक्सर = often", only(Tense::kHabitual)},
    {"हमेशा = always", only(Tense::kHabitual)},
    {"कभी-कभी = sometimes", only(Tense::kHabitual)},
});

}  // namespace

std::span<const Place> places() { return kPlaces; }
std::span<const Place> spots() { return kSpots; }
std::span<const Time> times() { return kTimes; }
std::span<const Time> frequencies() { return kFrequencies; }

}  // namespace dhyan::phrases::hindi
