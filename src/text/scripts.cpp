#include "text/scripts.h"

#include <algorithm>
#include <array>

#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::array<ScriptEntry, 28> kScripts = {{
    {Script::kNone, "none"},         {Script::kLatin, "Latin"},
    {Script::kGreek, "Greek"},       {Script::kCyrillic, "Cyrillic"},
    {Script::kArmenian, "Armenian"}, {Script::kHebrew, "Hebrew"},
    {Script::kArabic, "Arabic"},     {Script::kDevanagari, "Devanagari"},
    {Script::kBengali, "Bengali"},   {Script::kGurmukhi, "Gurmukhi"},
    {Script::kGujarati, "Gujarati"}, {Script::kOriya, "Oriya"},
    {Script::kTamil, "Tamil"},       {Script::kTelugu, "Telugu"},
    {Script::kKannada, "Kannada"},   {Script::kMalayalam, "Malayalam"},
    {Script::kSinhala, "Sinhala"},   {Script::kThai, "Thai"},
    {Script::kLao, "Lao"},           {Script::kTibetan, "Tibetan"},
    {Script::kMyanmar, "Myanmar"},   {Script::kGeorgian, "Georgian"},
    {Script::kEthiopic, "Ethiopic"}, {Script::kKhmer, "Khmer"},
    {Script::kHangul, "Hangul"},     {Script::kKana, "Kana"},
    {Script::kHan, "Han"},           {Script::kOther, "other"},
}};

struct ScriptRange {
  char32_t first, last;
  Script script;
};

// Ascending. Blocks, not the finer Script property: enough to tell Hindi from English. The danda, U+0964 and U+0965,
// belongs to many scripts and is not a letter.
constexpr std::array kRanges = std::to_array<ScriptRange>({
    {0x0041, 0x005A, Script::kLatin},      {0x0061, 0x007A, Script::kLatin},    {0x00AA, 0x00AA, Script::kLatin},
    {0x00BA, 0x00BA, Script::kLatin},      {0x00C0, 0x00D6, Script::kLatin},    {0x00D8, 0x00F6, Script::kLatin},
    {0x00F8, 0x02B8, Script::kLatin},      {0x0370, 0x03FF, Script::kGreek},    {0x0400, 0x052F, Script::kCyrillic},
    {0x0531, 0x058F, Script::kArmenian},   {0x0590, 0x05FF, Script::kHebrew},   {0x0600, 0x06FF, Script::kArabic},
    {0x0750, 0x077F, Script::kArabic},     {0x0870, 0x08FF, Script::kArabic},   {0x0900, 0x0963, Script::kDevanagari},
    {0x0966, 0x097F, Script::kDevanagari}, {0x0980, 0x09FF, Script::kBengali},  {0x0A00, 0x0A7F, Script::kGurmukhi},
    {0x0A80, 0x0AFF, Script::kGujarati},   {0x0B00, 0x0B7F, Script::kOriya},    {0x0B80, 0x0BFF, Script::kTamil},
    {0x0C00, 0x0C7F, Script::kTelugu},     {0x0C80, 0x0CFF, Script::kKannada},  {0x0D00, 0x0D7F, Script::kMalayalam},
    {0x0D80, 0x0DFF, Script::kSinhala},    {0x0E00, 0x0E7F, Script::kThai},     {0x0E80, 0x0EFF, Script::kLao},
    {0x0F00, 0x0FFF, Script::kTibetan},    {0x1000, 0x109F, Script::kMyanmar},  {0x10A0, 0x10FF, Script::kGeorgian},
    {0x1100, 0x11FF, Script::kHangul},     {0x1200, 0x139F, Script::kEthiopic}, {0x1780, 0x17FF, Script::kKhmer},
    {0x1C80, 0x1C8F, Script::kCyrillic},   {0x1C90, 0x1CBF, Script::kGeorgian}, {0x1CD0, 0x1CFF, Script::kDevanagari},
    {0x1D00, 0x1D25, Script::kLatin},      {0x1E00, 0x1EFF, Script::kLatin},    {0x1F00, 0x1FFF, Script::kGreek},
    {0x2C60, 0x2C7F, Script::kLatin},      {0x2DE0, 0x2DFF, Script::kCyrillic}, {0x2E80, 0x2FDF, Script::kHan},
    {0x3005, 0x3007, Script::kHan},        {0x3041, 0x30FF, Script::kKana},     {0x3131, 0x318E, Script::kHangul},
    {0x31F0, 0x31FF, Script::kKana},       {0x3400, 0x4DBF, Script::kHan},      {0x4E00, 0x9FFF, Script::kHan},
    {0xA640, 0xA69F, Script::kCyrillic},   {0xA720, 0xA7FF, Script::kLatin},    {0xA8E0, 0xA8FF, Script::kDevanagari},
    {0xA960, 0xA97F, Script::kHangul},     {0xAB30, 0xAB6F, Script::kLatin},    {0xAC00, 0xD7FF, Script::kHangul},
    {0xF900, 0xFAFF, Script::kHan},        {0xFB00, 0xFB06, Script::kLatin},    {0xFB13, 0xFB17, Script::kArmenian},
    {0xFB1D, 0xFB4F, Script::kHebrew},     {0xFB50, 0xFDFF, Script::kArabic},   {0xFE70, 0xFEFC, Script::kArabic},
    {0xFF21, 0xFF3A, Script::kLatin},      {0xFF41, 0xFF5A, Script::kLatin},    {0xFF66, 0xFF9F, Script::kKana},
    {0xFFA0, 0xFFDC, Script::kHangul},     {0x1B000, 0x1B16F, Script::kKana},   {0x20000, 0x323AF, Script::kHan},
});

bool is_letter(char32_t code) { return major_category(code) == 'L'; }

}  // namespace

std::span<const ScriptEntry> scripts() { return kScripts; }

std::string_view script_name(Script script) { return kScripts[static_cast<std::size_t>(script)].name; }

Script script_of(char32_t code) {
  const auto range =
      std::partition_point(kRanges.begin(), kRanges.end(), [&](const ScriptRange& r) { return r.last < code; });
  if (range != kRanges.end() && range->first <= code) return range->script;
  return is_letter(code) ? Script::kOther : Script::kNone;
}

ScriptShare dominant_script(std::string_view line) {
  std::array<Index, kScripts.size()> letters{};
  Index all = 0;
  for (const Character& character : Characters(line)) {
    if (!is_letter(character.code)) continue;
    ++letters[static_cast<std::size_t>(script_of(character.code))];
    ++all;
  }
  if (all == 0) return {};
  const auto most = std::max_element(letters.begin(), letters.end());
  return {static_cast<Script>(most - letters.begin()), *most, all};
}

}  // namespace dhyan
