#include "text/nfc.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>

#include "text/graphemes.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::uint16_t kNone = UINT16_MAX;  // utf8proc's "no such sequence"

// A quick check, character by character: nothing decomposes, nothing can be the second half of a composition, and marks
// are in canonical order. Most lines pass, also Devanagari without nukta. Characters below U+0300 always pass.
bool is_plainly_nfc(std::string_view text) {
  if (is_ascii(text)) return true;
  int last_class = 0;
  for (const Character& character : Characters(text)) {
    if (character.code < 0x300) {
      last_class = 0;
      continue;
    }
    const bool jamo = character.code >= 0x1100 && character.code < 0x1200;  // composed by rule, not by table
    const utf8proc_property_t& property = *utf8proc_get_property(static_cast<utf8proc_int32_t>(character.code));
    const int combining_class = property.combining_class;
    if (jamo || property.decomp_seqindex != kNone || property.comb_index != kNone) return false;
    if (combining_class != 0 && combining_class < last_class) return false;
    last_class = combining_class;
  }
  return true;
}

// Real clusters have a handful of characters. Longer ones are not normalised: sorting n marks takes n² steps, and lines
// are untrusted.
constexpr std::size_t kLongestCluster = 64;
constexpr std::size_t kMostPerCharacter = 4;  // code points that one character decomposes to

}  // namespace

// Clusters can be normalised one by one: characters that combine are in the same cluster.
NfcLine::NfcLine(std::string_view original) {
  if (is_plainly_nfc(original)) {
    text_ = original;
    return;
  }
  text_.reserve(original.size());
  for (const ByteRange& cluster : clusters(original)) {
    append_cluster(part(original, cluster), cluster.begin);
  }
}

void NfcLine::append_cluster(std::string_view cluster, Index begin) {
  std::array<utf8proc_int32_t, kLongestCluster * kMostPerCharacter> buffer;
  utf8proc_ssize_t length = -1;
  if (cluster.size() <= kLongestCluster) {
    length = utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(cluster.data()),
                                static_cast<utf8proc_ssize_t>(cluster.size()), buffer.data(), buffer.size(),
                                static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  }
  const std::size_t from = text_.size();
  if (length < 0 || static_cast<std::size_t>(length) > buffer.size()) {  // too long, or not UTF-8
    text_.append(cluster);
    return;
  }
  length = utf8proc_normalize_utf32(buffer.data(), length,
                                    static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  for (utf8proc_ssize_t i = 0; i < length; ++i) {
    append_utf8(text_, static_cast<char32_t>(buffer[static_cast<std::size_t>(i)]));
  }
  if (std::string_view(text_).substr(from) == cluster) return;
  changes_.push_back({{static_cast<Index>(from), static_cast<Index>(text_.size())},
                      {begin, begin + static_cast<Index>(cluster.size())}});
}

Index NfcLine::original(Index position) const {
  // The last change that begins before the position.
  const auto after = std::partition_point(changes_.begin(), changes_.end(),
                                          [&](const Change& change) { return change.text.begin < position; });
  if (after == changes_.begin()) return position;
  const Change& change = *std::prev(after);
  if (position < change.text.end) return change.original.begin;
  return position - change.text.end + change.original.end;
}

std::string nfc(std::string_view text) { return std::string(NfcLine(text).text()); }

bool is_nfc(std::string_view text) { return !NfcLine(text).changed(); }

}  // namespace dhyan
