#pragma once

#include <string>
#include <string_view>

#include "phrasebook/english.h"

namespace dhyan::phrases::hindi {

// How Hindi words change. Every form is made by rule from the dictionary form, with the irregular verbs in one table.

enum class Gender { kMasculine, kFeminine };
inline constexpr Gender kM = Gender::kMasculine, kF = Gender::kFeminine;  // for tables

enum class Case { kDirect, kOblique };

// The agreement of a finite verb: मैं; तुम; singular; plural or an honoured person (हम, आप, वे, मेरे पिता).
enum class Who { kMain, kTum, kOne, kMany };

struct Agreement {
  Who who;
  Gender gender;
};

constexpr Number number_of(const Agreement& agreement) {
  return agreement.who == Who::kTum || agreement.who == Who::kMany ? Number::kPlural : Number::kSingular;
}

// अच्छा, अच्छे, अच्छी; adjectives without -ा never change.
std::string adjective(std::string_view word, Gender gender, Number number, Case in = Case::kDirect);

// लड़का, लड़के, लड़कों; किताब, किताबें, किताबों.
std::string noun(std::string_view word, Gender gender, Number number, Case in);

std::string habitual(std::string_view stem, const Agreement& agreement);  // खाता
std::string future(std::string_view stem, const Agreement& agreement);    // खाऊँगा
std::string infinitive(std::string_view stem, Gender gender, Number number);

// खाया, खाए, खाई, खाईं: the nasal of the last goes to the auxiliary when there is one (खाई हैं).
enum class Alone { kNo, kYes };
std::string perfective(std::string_view stem, const Agreement& agreement, Alone alone);

std::string familiar_command(std::string_view stem);  // खाओ
std::string polite_command(std::string_view stem);    // खाइए

std::string_view is(const Agreement& agreement);          // हूँ, हो, है, हैं
std::string_view was_form(const Agreement& agreement);    // था, थे, थी, थीं
std::string_view continuing(const Agreement& agreement);  // रहा, रहे, रही

}  // namespace dhyan::phrases::hindi
