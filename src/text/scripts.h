#pragma once

#include <span>
#include <string_view>

#include "core/real.h"

namespace dhyan {

enum class Script {
  kNone,  // digits, punctuation, symbols: of every script
  kLatin,
  kGreek,
  kCyrillic,
  kArmenian,
  kHebrew,
  kArabic,
  kDevanagari,
  kBengali,
  kGurmukhi,
  kGujarati,
  kOriya,
  kTamil,
  kTelugu,
  kKannada,
  kMalayalam,
  kSinhala,
  kThai,
  kLao,
  kTibetan,
  kMyanmar,
  kGeorgian,
  kEthiopic,
  kKhmer,
  kHangul,
  kKana,
  kHan,
  kOther,  // letters of a script that is not listed
};

struct ScriptEntry {
  Script script;
  std::string_view name;
};
std::span<const ScriptEntry> scripts();

std::string_view script_name(Script script);

// The script of a code point; marks and digits of a script belong to it.
Script script_of(char32_t code);

struct ScriptShare {
  Script script = Script::kNone;
  Index letters = 0;  // of that script
  Index of = 0;       // letters of any script
};

// The most frequent script of a line; the first of the table on a tie; kNone for a line without letters.
ScriptShare dominant_script(std::string_view line);

}  // namespace dhyan
