#include "text/gaps.h"

#include <algorithm>

namespace dhyan {

namespace {

constexpr std::string_view kStandIn = "\uE000";  // private use area: not in text, and not changed by tokenizers
constexpr std::string_view kWordBegin = "▁";     // SentencePiece's

// A line with stand-ins for its gaps, and the mapping to the original line.
class GappedLine {
 public:
  GappedLine(std::string_view line, std::string_view mark) : longer_(std::ssize(mark) - std::ssize(kStandIn)) {
    for (std::size_t end; (end = line.find(mark)) != line.npos; line.remove_prefix(end + mark.size())) {
      text_ += line.substr(0, end);
      gaps_.push_back({std::ssize(text_), std::ssize(text_) + std::ssize(kStandIn)});
      text_ += kStandIn;
    }
    text_ += line;
  }

  const std::string& text() const { return text_; }
  std::span<const ByteRange> gaps() const { return gaps_; }

  // Maps a range that is a gap, or begins and ends outside of gaps, to the original line.
  ByteRange original(ByteRange range) const {
    return {range.begin + longer_ * gaps_up_to(range.begin), range.end + longer_ * gaps_up_to(range.end)};
  }

 private:
  Index gaps_up_to(Index place) const {
    return std::ranges::count_if(gaps_, [place](const ByteRange& gap) { return gap.end <= place; });
  }

  Index longer_;  // bytes of a mark minus those of its stand-in; may be negative
  std::string text_;
  std::vector<ByteRange> gaps_;
};

// Tokens that belong to the next one: a space, or the first bytes of a character that is spelled in bytes.
bool leads_on(const Tokenizer& tokenizer, std::string_view text, TokenId id, ByteRange piece) {
  return piece.begin == piece.end || (tokenizer.piece(id) == kWordBegin && part(text, piece) != kWordBegin);
}

void append_shifted(Encoded& to, const Encoded& from, Index shift) {
  to.ids.insert(to.ids.end(), from.ids.begin(), from.ids.end());
  for (const ByteRange& range : from.pieces) to.pieces.push_back({range.begin + shift, range.end + shift});
}

Encoded encode_parts(const Tokenizer& tokenizer, std::string_view line, std::string_view mark) {
  Encoded result;
  Index begin = 0;
  for (std::size_t end; (end = line.find(mark, static_cast<std::size_t>(begin))) != line.npos;) {
    const auto gap = static_cast<Index>(end);
    append_shifted(result, tokenizer.encode(part(line, {begin, gap})), begin);
    begin = gap + std::ssize(mark);
    result.ids.push_back(kGapToken);
    result.pieces.push_back({gap, begin});
  }
  append_shifted(result, tokenizer.encode(part(line, {begin, std::ssize(line)})), begin);
  return result;
}

}  // namespace

Encoded encode_gapped(const Tokenizer& tokenizer, std::string_view line, std::string_view mark) {
  if (tokenizer.cuts_gapped_text_apart()) return encode_parts(tokenizer, line, mark);
  const GappedLine gapped(line, mark);
  const Encoded whole = tokenizer.encode(gapped.text());
  Encoded result;
  const auto add = [&](TokenId id, ByteRange range) {
    result.ids.push_back(id);
    result.pieces.push_back(gapped.original(range));
  };
  const auto add_text = [&](Index begin, Index end) {  // part of a token that also contains a gap
    const Encoded encoded = tokenizer.encode(part(gapped.text(), {begin, end}));
    for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
      add(encoded.ids[i], {begin + encoded.pieces[i].begin, begin + encoded.pieces[i].end});
    }
  };
  auto gap = gapped.gaps().begin();
  std::size_t leading = 0;  // of the tokens added last
  for (std::size_t i = 0; i < whole.ids.size(); ++i) {
    const ByteRange piece = whole.pieces[i];
    if (piece.begin == piece.end || gap == gapped.gaps().end() || gap->end > piece.end) {
      add(whole.ids[i], piece);
      leading = leads_on(tokenizer, gapped.text(), whole.ids[i], piece) ? leading + 1 : 0;
      continue;
    }
    result.ids.resize(result.ids.size() - leading);
    result.pieces.resize(result.ids.size());
    leading = 0;
    Index begin = piece.begin;
    for (; gap != gapped.gaps().end() && gap->end <= piece.end; ++gap) {
      if (begin < gap->begin) add_text(begin, gap->begin);
      add(kGapToken, *gap);
      begin = gap->end;
    }
    if (begin < piece.end) add_text(begin, piece.end);
  }
  return result;
}

}  // namespace dhyan
