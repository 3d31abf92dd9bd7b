#include <algorithm>
#include <array>

#include "core/error.h"
#include "phrasebook/hindi_lexicon.h"

namespace dhyan::phrases::hindi {

namespace {

constexpr Count kOne = Count::kOne, kMass = Count::kMass, kPlural = Count::kPlural, kThe = Count::kThe;

constexpr Kinds kFruit = kFood | kGrocery | kCut | kSweet | kFresh | kSmall;
constexpr Kinds kThing = kGoods | kGift | kOwned | kSmall;
constexpr Kinds kBook = kText | kWritten | kArt | kInteresting;

constexpr auto kNouns = std::to_array<Noun>({
    {"खाना", kM, "food", "", kMass, kFood | kMade | kCooked | kHot},
    {"रोटी", kF, "bread", "", kMass, kFood | kMade | kHot | kFresh},
    {"चावल", kM, "rice", "", kMass, kFood | kCooked | kGrocery | kHot},
    {"दाल", kF, "dal", "", kMass, kFood | kCooked | kGrocery | kHot},
    {"सब्ज़ियाँ", kF, "vegetables", "", kPlural, kFood | kCooked | kGrocery | kCut | kSold | kFresh},
    {"फल", kM, "fruit", "", kMass, kFood | kGrocery | kCut | kSold | kFresh},
    {"सेब", kM, "apple", "apples", kOne, kFruit},
    {"केला", kM, "banana", "bananas", kOne, kFruit},
    {"आम", kM, "mango", "mangoes", kOne, kFruit},
    {"संतरा", kM, "orange", "oranges", kOne, kFruit},
    {"अंगूर", kM, "grapes", "", kPlural, kFood | kGrocery | kSweet | kFresh},
    {"अंडा", kM, "egg", "eggs", kOne, kFood | kGrocery | kCooked | kFresh},
    {"मछली", kF, "fish", "", kMass, kFood | kCooked | kFresh},
    {"मिठाई", kF, "sweets", "", kMass, kFood | kGrocery | kSold | kFresh},
    {"समोसा", kM, "samosa", "samosas", kOne, kFood | kMade | kHot},
    {"केक", kM, "cake", "cakes", kOne, kFood | kMade | kFresh},
    {"पनीर", kM, "paneer", "", kMass, kFood | kGrocery | kFresh},
    {"दही", kM, "yogurt", "", kMass, kFood | kGrocery | kFresh | kCold},
    {"आलू", kM, "potatoes", "", kPlural, kFood | kCooked | kGrocery | kCut | kSold},
    {"टमाटर", kM, "tomatoes", "", kPlural, kGrocery | kCut | kSold | kFresh},
    {"पानी", kM, "water", "", kMass, kDrink | kCold},
    {"दूध", kM, "milk", "", kMass, kDrink | kGrocery | kSold | kHot | kCold | kFresh},
    {"चाय", kF, "tea", "", kMass, kDrink | kMade | kHot},
    {"कॉफ़ी", kF, "coffee", "", kMass, kDrink | kMade | kHot},
    {"रस", kM, "juice", "", kMass, kDrink | kCold | kFresh},
    {"लस्सी", kF, "lassi", "", kMass, kDrink | kMade | kCold},
    {"किताब", kF, "book", "books", kOne, kBook | kThing},
    {"अख़बार", kM, "newspaper", "", kThe, kText},
    {"कहानी", kF, "story", "stories", kOne, kBook | kSound | kLong},
    {"कविता", kF, "poem", "poems", kOne, kBook | kLong},
    {"चिट्ठी", kF, "letter", "letters", kOne, kText | kWritten | kInteresting | kLong | kSent},
    {"पत्रिका", kF, "magazine", "magazines", kOne, kText | kGoods | kSmall | kInteresting},
    {"उपन्यास", kM, "novel", "novels", kOne, kBook},
    {"फ़िल्म", kF, "film", "films", kOne, kShow | kArt | kInteresting | kLong},
    {"टीवी", kM, "television", "", kMass, kShow},
    {"मैच", kM, "match", "matches", kOne, kShow | kInteresting | kLong},
    {"गाना", kM, "song", "songs", kOne, kSound | kSong | kArt},
    {"संगीत", kM, "music", "", kMass, kSound | kLearnt | kTaught},
    {"रेडियो", kM, "radio", "", kThe, kSound},
    {"समाचार", kM, "news", "", kThe, kSound},
    {"क्रिकेट", kM, "cricket", "", kMass, kGame},
    {"फ़ुटबॉल", kM, "football", "", kMass, kGame},
    {"हॉकी", kF, "hockey", "", kMass, kGame},
    {"टेनिस", kM, "tennis", "", kMass, kGame},
    {"बैडमिंटन", kM, "badminton", "", kMass, kGame},
    {"कबड्डी", kF, "kabaddi", "", kMass, kGame},
    {"हिंदी", kF, "Hindi", "", kMass, kLanguage | kLearnt | kTaught},
    {"अंग्रेज़ी", kF, "English", "", kMass, kLanguage | kLearnt | kTaught},
    {"फ़्रेंच", kF, "French", "", kMass, kLanguage | kLearnt | kTaught},
    {"तमिल", kF, "Tamil", "", kMass, kLanguage | kLearnt},
    {"मराठी", kF, "Marathi", "", kMass, kLanguage | kLearnt},
    {"संस्कृत", kF, "Sanskrit", "", kMass, kLearnt | kTaught},
    {"गणित", kM, "mathematics", "", kMass, kTaught},
    {"विज्ञान", kM, "science", "", kMass, kTaught},
    {"इतिहास", kM, "history", "", kMass, kTaught},
    {"गाड़ी", kF, "car", "cars", kOne, kVehicle | kGoods | kOwned | kWashed | kRoom | kColoured | kSized},
    {"ट्रक", kM, "truck", "trucks", kOne, kVehicle | kColoured | kSized},
    {"साइकिल", kF, "bicycle", "bicycles", kOne, kCycle | kGoods | kOwned | kWashed | kColoured},
    {"साड़ी", kF, "sari", "saris", kOne, kThing | kColoured | kPretty},
    {"कमीज़", kF, "shirt", "shirts", kOne, kThing | kColoured | kWorn | kWashed},
    {"कुर्ता", kM, "kurta", "kurtas", kOne, kThing | kColoured | kWorn | kWashed},
    {"टोपी", kF, "cap", "caps", kOne, kThing | kColoured | kWorn},
    {"जूते", kM, "shoes", "", kPlural, kGoods | kOwned | kColoured | kWorn},
    {"कपड़े", kM, "clothes", "", kPlural, kGoods | kOwned | kWorn | kWashed | kColoured},
    {"घड़ी", kF, "watch", "watches", kOne, kThing | kPretty},
    {"फ़ोन", kM, "phone", "phones", kOne, kThing | kColoured},
    {"कंप्यूटर", kM, "computer", "computers", kOne, kGoods | kOwned | kGift},
    {"कुर्सी", kF, "chair", "chairs", kOne, kGoods | kColoured | kSized},
    {"मेज़", kF, "table", "tables", kOne, kGoods | kRoom | kSized},
    {"फूल", kM, "flower", "flowers", kOne, kGoods | kGift | kSmall | kColoured | kPretty},
    {"खिलौना", kM, "toy", "toys", kOne, kThing | kColoured},
    {"छाता", kM, "umbrella", "umbrellas", kOne, kThing | kColoured},
    {"थैला", kM, "bag", "bags", kOne, kGoods | kOwned | kColoured | kSized},
    {"तोहफ़ा", kM, "gift", "gifts", kOne, kGoods | kGift | kSent | kSmall | kPretty},
    {"पेन", kM, "pen", "pens", kOne, kThing | kColoured},
    {"कॉपी", kF, "notebook", "notebooks", kOne, kThing},
    {"चाबी", kF, "key", "keys", kOne, kGift | kOwned | kSmall},
    {"तस्वीर", kF, "picture", "pictures", kOne, kThing | kPretty | kSent},
    {"पैसे", kM, "money", "", kPlural, kSent},
    {"घर", kM, "house", "houses", kOne, kRoom | kSized | kPretty},
    {"कमरा", kM, "room", "rooms", kOne, kRoom | kSized},
    {"रसोई", kF, "kitchen", "", kThe, kRoom},
    {"दरवाज़ा", kM, "door", "doors", kOne, kDoor},
    {"खिड़की", kF, "window", "windows", kOne, kDoor},
    {"डिब्बा", kM, "box", "boxes", kOne, kDoor},
    {"दुकान", kF, "shop", "shops", kOne, kDoor},
    {"बर्तन", kM, "dishes", "", kPlural, kWashed},
});

constexpr auto kAdjectives = std::to_array<Adjective>({
    {"अच्छा", "good", "better", kArt | kInteresting | kGoods | kVehicle},
    {"नया", "new", "newer", kArt | kGoods | kVehicle},
    {"पुराना", "old", "older", kArt | kGoods | kVehicle | kSized},
    {"बड़ा", "big", "bigger", kSized},
    {"छोटा", "small", "smaller", kSized},
    {"लंबा", "long", "longer", kLong},
    {"दिलचस्प", "interesting", "more interesting", kInteresting},
    {"सुंदर", "beautiful", "more beautiful", kPretty},
    {"महँगा", "expensive", "more expensive", kGoods},
    {"सस्ता", "cheap", "cheaper", kGoods},
    {"लाल", "red", "", kColoured},
    {"नीला", "blue", "", kColoured},
    {"काला", "black", "", kColoured},
    {"सफ़ेद", "white", "", kColoured},
    {"हरा", "green", "", kColoured},
    {"पीला", "yellow", "", kColoured},
    {"मीठा", "sweet", "sweeter", kSweet},
    {"ताज़ा", "fresh", "fresher", kFresh},
    {"ठंडा", "cold", "colder", kCold},
    {"गरम", "hot", "hotter", kHot},
});

constexpr auto kNumerals = std::to_array<Numeral>({{"दो", "two"},
                                                   {"तीन", "three"},
                                                   {"चार", "four"},
                                                   {"पाँच", "five"},
                                                   {"छह", "six"},
                                                   {"सात", "seven"},
                                                   {"आठ", "eight"},
                                                   {"नौ", "nine"},
                                                   {"दस", "ten"}});

}  // namespace

std::span<const Noun> nouns() { return kNouns; }
std::span<const Adjective> adjectives() { return kAdjectives; }
std::span<const Numeral> numerals() { return kNumerals; }

const Noun& noun_named(std::string_view hindi) {
  const auto found = std::ranges::find(kNouns, hindi, &Noun::hindi);
  if (found == kNouns.end()) throw UsageError(cat("phrasebook: no noun '", hindi, "'"));
  return *found;
}

}  // namespace dhyan::phrases::hindi
