#include <algorithm>
#include <array>

#include "phrasebook/hindi_lexicon.h"

namespace dhyan::phrases::hindi {

namespace {

using Standing = Human::Standing;

constexpr auto kPronouns = std::to_array<Pronoun>({
    {"मैं", "मैंने", "मुझे", "मुझसे", "मेरा", Who::kMain, Person::kI},
    {"तुम", "तुमने", "तुम्हें", "तुमसे", "तुम्हारा", Who::kTum, Person::kYou},
    {"आप", "आपने", "आपको", "आपसे", "आपका", Who::kMany, Person::kYou},
    {"हम", "हमने", "हमें", "हमसे", "हमारा", Who::kMany, Person::kWe},
    {"वे", "उन्होंने", "उन्हें", "उनसे", "उनका", Who::kMany, Person::kThey},
    {"वह", "उसने", "उसे", "उससे", "उसका", Who::kOne, Person::kHe},
    {"वह", "उसने", "उसे", "उससे", "उसका", Who::kOne, Person::kShe},
});

constexpr auto kPeople = std::to_array<Human>({
    {"लड़का", kM, "boy", "boys", Standing::kYoung},
    {"लड़की", kF, "girl", "girls", Standing::kYoung},
    {"बच्चा", kM, "child", "children", Standing::kYoung},
    {"आदमी", kM, "man", "", Standing::kAdult},
    {"औरत", kF, "woman", "women", Standing::kAdult},
    {"किसान", kM, "farmer", "", Standing::kAdult},
    {"डॉक्टर", kM, "doctor", "", Standing::kAdult},
    {"छात्र", kM, "student", "", Standing::kYoung},
});

constexpr auto kRelatives = std::to_array<Human>({
    {"भाई", kM, "brother", "brothers", Standing::kAdult},
    {"बहन", kF, "sister", "sisters", Standing::kAdult},
    {"पिता", kM, "father", "", Standing::kHonoured},
    {"माँ", kF, "mother", "", Standing::kHonoured},
    {"दादा", kM, "grandfather", "", Standing::kHonoured},
    {"दादी", kF, "grandmother", "", Standing::kHonoured},
    {"चाचा", kM, "uncle", "", Standing::kHonoured},
    {"बेटा", kM, "son", "sons", Standing::kYoung},
    {"बेटी", kF, "daughter", "daughters", Standing::kYoung},
    {"दोस्त", kM, "friend", "friends", Standing::kAdult},
    {"पड़ोसी", kM, "neighbour", "", Standing::kAdult},
});

constexpr auto kNames = std::to_array<Name>({
    {"राम", kM, "Ram"},
    {"मोहन", kM, "Mohan"},
    {"रवि", kM, "Ravi"},
    {"राहुल", kM, "Rahul"},
    {"अमित", kM, "Amit"},
    {"अर्जुन", kM, "Arjun"},
    {"सीता", kF, "Sita"},
    {"गीता", kF, "Gita"},
    {"मीरा", kF, "Meera"},
    {"प्रिया", kF, "Priya"},
    {"अनीता", kF, "Anita"},
    {"राधा", kF, "Radha"},
});

}  // namespace

std::span<const Pronoun> pronouns() { return kPronouns; }
std::span<const Human> people() { return kPeople; }
std::span<const Human> relatives() { return kRelatives; }
std::span<const Name> names() { return kNames; }

const Pronoun& pronoun_for(Person person) { return *std::ranges::find(kPronouns, person, &Pronoun::person); }

}  // namespace dhyan::phrases::hindi
