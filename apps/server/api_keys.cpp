#include "server/api_keys.h"

#include <set>
#include <sstream>

#include "core/error.h"
#include "core/number_text.h"
#include "data/lines.h"

namespace dhyan::server {

namespace {

struct KeyLine {
  std::string key;  // empty: the line has none
  KeyLimits limits = {};
};

long limit_of(const std::string& text, const char* what, const LineReader& reader) {
  const auto limit = parse_number<long>(text);
  if (!limit || *limit < 0) reader.fail(cat(what, " is not a whole number from 0"));
  return *limit;
}

KeyLine parse_key_line(std::string_view line, const LineReader& reader) {
  std::istringstream words{std::string(line)};
  std::string key, requests, characters, rest;
  words >> key;
  if (key.empty() || key.front() == '#') return {};
  words >> requests >> characters >> rest;
  if (characters.empty() || (!rest.empty() && rest.front() != '#')) {
    reader.fail("expected three words: key requests-per-minute characters");
  }
  if (key.size() > ApiKeys::kMaxKeyBytes) {
    reader.fail(cat("the key has ", key.size(), " bytes, at most ", ApiKeys::kMaxKeyBytes));
  }
  return {key, {limit_of(requests, "requests-per-minute", reader), limit_of(characters, "characters", reader)}};
}

}  // namespace

ApiKeys::ApiKeys(const std::string& file) {
  LineReader reader(file, ReadOptions{});
  std::set<std::string> seen;
  for (std::string_view text; reader.next(text);) {
    const KeyLine line = parse_key_line(text, reader);
    if (line.key.empty()) continue;
    if (!seen.insert(line.key).second) reader.fail("the key is in the file already");
    if (entries_.size() == kMaxKeys) reader.fail(cat("the file has more than ", kMaxKeys, " keys"));
    entries_.push_back({padded(line.key), line.limits});
  }
}

ApiKeys::PaddedKey ApiKeys::padded(std::string_view key) {
  PaddedKey words{};
  key.copy(reinterpret_cast<char*>(words.data()), kMaxKeyBytes);
  return words;
}

// Compares all bytes with those of all keys, so that the time does not tell where they differ.
std::optional<KeyLimits> ApiKeys::find(std::string_view key) const {
  const PaddedKey given = padded(key);
  std::size_t found = entries_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::uint64_t difference = 0;
    for (std::size_t word = 0; word < given.size(); ++word) difference |= given[word] ^ entries_[i].key[word];
    const std::size_t differs = (difference | (0 - difference)) >> 63;  // 1 or 0
    found = i + differs * (found - i);
  }
  const bool well_formed = !key.empty() && key.size() <= kMaxKeyBytes && key.find('\0') == key.npos;
  if (!well_formed || found == entries_.size()) return std::nullopt;
  return entries_[found].limits;
}

}  // namespace dhyan::server
