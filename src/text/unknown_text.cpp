#include "text/unknown_text.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "core/error.h"
#include "core/number_text.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::size_t kMostDifferent = 10'000;  // different texts that are counted individually
constexpr std::size_t kMostNamed = 10;          // in a message

void count(TokenCounts& counts, std::string_view text, std::uint64_t times = 1) {
  if (const auto known = counts.find(text); known != counts.end()) {
    known->second += times;
  } else if (counts.size() < kMostDifferent) {
    counts.emplace(text, times);
  }
}

std::vector<UnknownText::Entry> by_frequency(const TokenCounts& counts) {
  std::vector<UnknownText::Entry> entries(counts.begin(), counts.end());
  std::ranges::sort(entries, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return entries;
}

// The text, or the code point of an invisible character.
std::string visible(const std::string& text) {
  const std::u32string characters = to_utf32(text);
  if (characters.size() != 1 || !is_invisible(characters.front())) return escape_token(text);
  std::ostringstream name;
  name << "U+" << std::hex << std::uppercase << std::setw(4) << std::setfill('0')
       << static_cast<std::uint32_t>(characters.front()) << (characters.front() == U' ' ? " SPACE" : "");
  return std::move(name).str();
}

std::string named(const std::vector<UnknownText::Entry>& entries) {
  std::string text;
  for (std::size_t i = 0; i < std::min(entries.size(), kMostNamed); ++i) {
    text += cat(i == 0 ? "" : ", ", visible(entries[i].first), " ", grouped(entries[i].second));
  }
  return entries.size() > kMostNamed ? cat(text, " and ", entries.size() - kMostNamed, " more") : text;
}

std::string share(std::uint64_t some, std::uint64_t all) {
  const double percent = 100 * static_cast<double>(some) / static_cast<double>(std::max<std::uint64_t>(all, 1));
  return percent > 0 && percent < 0.01 ? "under 0.01 %" : cat(fixed(percent, 2), " %");
}

}  // namespace

void UnknownText::add(const Tokenizer& tokenizer, std::string_view line, const Encoded& encoded) {
  tokens_ += encoded.ids.size();
  for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
    const std::string_view text = part(line, encoded.pieces[i]);
    if (encoded.ids[i] == kUnknown) {
      ++unknown_tokens_;
      if (tokenizer.cuts_at_spaces_only()) {
        count(unknown_, text);
        continue;
      }
      for (const Character& character : Characters(text)) {
        // A space mark may be part of an unknown subword; it is not unknown itself.
        if (is_space(character.code) && std::ssize(text) > character.end - character.begin) continue;
        count(unknown_, part(text, {character.begin, character.end}));
      }
    } else if (tokenizer.is_byte(encoded.ids[i])) {
      ++byte_tokens_;
      if (text.empty()) continue;  // the last byte of a character has its text
      ++spelled_characters_;
      count(spelled_, text);
    }
  }
}

void UnknownText::add(const UnknownText& other) {
  tokens_ += other.tokens_;
  unknown_tokens_ += other.unknown_tokens_;
  byte_tokens_ += other.byte_tokens_;
  spelled_characters_ += other.spelled_characters_;
  for (const auto& [text, times] : other.unknown()) count(unknown_, text, times);
  for (const auto& [text, times] : other.spelled()) count(spelled_, text, times);
}

std::vector<UnknownText::Entry> UnknownText::unknown() const { return by_frequency(unknown_); }
std::vector<UnknownText::Entry> UnknownText::spelled() const { return by_frequency(spelled_); }

std::string describe(const UnknownText& text) {
  std::string description = "no <unk>";
  if (text.unknown_tokens() > 0) {
    description = cat("<unk> ", grouped(text.unknown_tokens()), " of ", grouped(text.tokens()), " tokens (",
                      share(text.unknown_tokens(), text.tokens()), "): ", named(text.unknown()));
  }
  if (text.byte_tokens() == 0) return description;
  return cat(description, "; spelled in bytes ", grouped(text.spelled_characters()), " characters (",
             share(text.byte_tokens(), text.tokens()), " of the tokens): ", named(text.spelled()));
}

}  // namespace dhyan
