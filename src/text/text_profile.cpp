#include "text/text_profile.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/error.h"
#include "text/nfc.h"
#include "text/scripts.h"
#include "text/unicode.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::array kUnspacedScripts = {Script::kThai,  Script::kLao,  Script::kTibetan, Script::kMyanmar,
                                         Script::kKhmer, Script::kKana, Script::kHan};

void count_line(std::string_view line, TextProfile& profile) {
  for (const ByteRange& range : word_ranges(line)) {
    const std::string_view word = part(line, range);
    ++profile.words;
    if (const auto known = profile.types.find(word); known != profile.types.end()) {
      ++known->second;
    } else {
      profile.types.emplace(word, 1);
    }
  }
}

template <class Counts>
std::vector<std::uint64_t> values_of(const Counts& counts) {
  std::vector<std::uint64_t> values;
  values.reserve(counts.size());
  for (const auto& [entry, count] : counts) values.push_back(count);
  return values;
}

}  // namespace

TextProfile profile_of(const LineSource& lines, Index most_lines) {
  TextProfile profile;
  for (std::string line; (most_lines == 0 || profile.lines < most_lines) && lines(line);) {
    ++profile.lines;
    require_utf8(line, cat("training line ", profile.lines));
    count_line(nfc(line), profile);
  }
  for (const auto& [word, count] : profile.types) {
    for (const Character& character : Characters(word)) profile.characters[character.code] += count;
  }
  return profile;
}

UnspacedLetters unspaced_letters(const TextProfile& profile) {
  UnspacedLetters found;
  for (const auto& [code, count] : profile.characters) {
    const Script script = script_of(code);
    if (script == Script::kNone) continue;
    found.letters += count;
    if (std::ranges::find(kUnspacedScripts, script) != kUnspacedScripts.end()) found.unspaced += count;
  }
  return found;
}

std::vector<std::uint64_t> counts_of(const TokenCounts& counts) { return values_of(counts); }
std::vector<std::uint64_t> counts_of(const std::map<char32_t, std::uint64_t>& counts) { return values_of(counts); }

Index entries_for_share(std::vector<std::uint64_t> counts, double share) {
  std::ranges::sort(counts, std::ranges::greater());
  const double wanted = share * static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double sum = 0;
  Index entries = 0;
  for (; entries < std::ssize(counts) && sum < wanted; ++entries) {
    sum += static_cast<double>(counts[static_cast<std::size_t>(entries)]);
  }
  return entries;
}

}  // namespace dhyan
