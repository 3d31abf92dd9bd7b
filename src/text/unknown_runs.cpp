#include "text/unknown_runs.h"

#include <algorithm>
#include <map>

#include "text/unicode.h"

namespace dhyan {

SingleCharacters::SingleCharacters(const SubwordModel& model) {
  for (const SubwordPiece& piece : model.pieces) {
    if (piece.kind != PieceKind::kNormal && piece.kind != PieceKind::kUserDefined) continue;
    if (piece.text.empty()) continue;
    const Character first = *Characters(piece.text).begin();
    if (first.end != std::ssize(piece.text)) continue;
    if (first.code >= known_.size()) known_.resize(first.code + 1);
    known_[first.code] = true;
  }
  if (known_.size() <= ' ') known_.resize(' ' + 1);
  known_[' '] = true;  // written as a mark
}

ShortenedRuns::ShortenedRuns(std::string_view text, const SingleCharacters& known, const IsUnknown& is_unknown) {
  if (std::ssize(text) <= kLongestRun) return;
  std::map<char32_t, bool> asked;
  const auto unknown = [&](const Character& character) {
    if (known.contains(character.code)) return false;
    const auto [entry, is_new] = asked.emplace(character.code, false);
    if (is_new) entry->second = is_unknown(part(text, {character.begin, character.end}));
    return entry->second;
  };
  Index length = 0;    // of the run so far, in characters
  Index keep_end = 0;  // of its first kLongestRun characters
  const auto end_run = [&](Index end) {
    if (length > kLongestRun) shorten(text, {keep_end, end});
    length = 0;
  };
  for (const Character& character : Characters(text)) {
    if (!unknown(character)) {
      end_run(character.begin);
    } else if (++length == kLongestRun) {
      keep_end = character.end;
    }
  }
  end_run(std::ssize(text));
  if (shortened_) shortened_->append(text.substr(static_cast<std::size_t>(copied_)));
}

void ShortenedRuns::shorten(std::string_view text, ByteRange rest) {
  if (!shortened_) shortened_.emplace();
  shortened_->append(part(text, {copied_, rest.begin}));
  copied_ = rest.end;
  const Index before = removed_.empty() ? 0 : removed_.back().bytes;
  removed_.push_back({std::ssize(*shortened_), before + rest.end - rest.begin});
}

Index ShortenedRuns::original(Index position) const {
  const auto after = std::ranges::upper_bound(removed_, position, {}, &Removed::at);
  return after == removed_.begin() ? position : position + std::prev(after)->bytes;
}

ByteRange ShortenedRuns::original(ByteRange range) const { return {original(range.begin), original(range.end)}; }

}  // namespace dhyan
