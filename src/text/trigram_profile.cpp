#include "text/trigram_profile.h"

#include <algorithm>

#include "text/lowercase.h"
#include "text/nfc.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

bool is_letter_or_mark(char32_t code) {
  const char category = major_category(code);
  return category == 'L' || category == 'M';
}

bool is_joiner(char32_t code) { return code == 0x200C || code == 0x200D; }

}  // namespace

std::size_t TrigramHash::operator()(const Trigram& trigram) const {
  constexpr int kBits = 21;  // of a code point
  const std::uint64_t packed =
      (std::uint64_t{trigram[0]} << (2 * kBits)) ^ (std::uint64_t{trigram[1]} << kBits) ^ trigram[2];
  return static_cast<std::size_t>((packed * 0x9E3779B97F4A7C15) >> 16);  // Fibonacci hashing
}

void for_each_trigram(std::string_view text, FunctionRef<void(const Trigram&)> take) {
  Trigram last{kWordEdge, kWordEdge, kWordEdge};
  const auto shift = [&](char32_t code) {
    last = {last[1], last[2], code};
    if (last[1] != kWordEdge) take(last);
  };
  for (const char32_t code : lowercase(to_utf32(is_ascii(text) ? std::string(text) : nfc(text)))) {
    if (is_letter_or_mark(code)) {
      shift(code);
    } else if (!is_joiner(code)) {
      shift(kWordEdge);
    }
  }
  shift(kWordEdge);
}

bool is_trigram(const Trigram& trigram) {
  return is_letter_or_mark(trigram[1]) &&
         std::ranges::all_of(trigram, [](char32_t code) { return code == kWordEdge || is_letter_or_mark(code); });
}

bool commoner(const TrigramCount& a, const TrigramCount& b) {
  return a.count != b.count ? a.count > b.count : a.trigram < b.trigram;
}

TrigramProfile profile_of(const TrigramCounts& counts) {
  TrigramProfile profile;
  for (const auto& [trigram, count] : counts) {
    profile.total += count;
    profile.commonest.push_back({trigram, count});
  }
  std::ranges::sort(profile.commonest, commoner);
  if (profile.commonest.size() > TrigramProfile::kMost) profile.commonest.resize(TrigramProfile::kMost);
  return profile;
}

void TrigramCounter::add(std::string_view line) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    if (const auto known = words_.find(word); known != words_.end()) {
      ++known->second;
    } else {
      words_.emplace(word, 1);
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

TrigramCounts TrigramCounter::counts() const {
  TrigramCounts counts;
  for (const auto& [word, times] : words_) {
    for_each_trigram(word, [&, times = times](const Trigram& trigram) { counts[trigram] += times; });
  }
  return counts;
}

}  // namespace dhyan
