#include "text/zipf_segmenter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text/sentencepiece_model.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// A line as pieces spell it, "▁Good▁morning", character by character.
struct SpelledLine {
  std::string text;
  std::vector<std::size_t> begins;  // of each character in `text`, and its end
  std::vector<ByteRange> ranges;    // of each character in the line; none for a space mark
};

SpelledLine spelled(std::string_view line) {
  SpelledLine result;
  bool mark = true;  // before the next character
  for (const Character& character : Characters(line)) {
    const std::string_view text = part(line, {character.begin, character.end});
    if (text == " " || text == "\t") {
      mark = true;
      continue;
    }
    if (mark) {
      result.begins.push_back(result.text.size());
      result.ranges.push_back({character.begin, character.begin});
      result.text += kSpaceMark;
    }
    mark = false;
    result.begins.push_back(result.text.size());
    result.ranges.push_back({character.begin, character.end});
    result.text += text;
  }
  result.begins.push_back(result.text.size());
  return result;
}

// The best way to cut the beginning of a line.
struct Path {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t from = 0;
  TokenId id = kUnknown;
};

}  // namespace

ZipfSegmenter::ZipfSegmenter(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  for (TokenId id = kEnd + 1; id < vocabulary.size(); ++id) {
    longest_ = std::max(longest_, static_cast<std::size_t>(count_characters(vocabulary.token(id))));
  }
}

Encoded ZipfSegmenter::cut(std::string_view line) const {
  const SpelledLine spelled_line = spelled(line);
  const std::size_t n = spelled_line.ranges.size();
  // p(r) = 1 / (r Σ_i 1/i), and the sum is about ln V + 0.577.
  const double log_size = std::log(static_cast<double>(vocabulary_.size()));
  const double each = std::log(log_size + 0.577), unknown = 3 * log_size;
  std::vector<Path> best(n + 1);
  best[0].cost = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (best[i].cost + unknown < best[i + 1].cost) best[i + 1] = {best[i].cost + unknown, i, kUnknown};
    for (std::size_t j = i + 1; j <= std::min(n, i + longest_); ++j) {
      const std::size_t begin = spelled_line.begins[i];
      const TokenId id =
          vocabulary_.id(std::string_view(spelled_line.text).substr(begin, spelled_line.begins[j] - begin));
      if (id == kUnknown) continue;
      const double cost = best[i].cost + each + std::log(static_cast<double>(id - kEnd));
      if (cost < best[j].cost) best[j] = {cost, i, id};
    }
  }
  Encoded encoded;
  for (std::size_t end = n; end > 0; end = best[end].from) {
    const ByteRange range{spelled_line.ranges[best[end].from].begin, spelled_line.ranges[end - 1].end};
    const bool joins = best[end].id == kUnknown && !encoded.ids.empty() && encoded.ids.back() == kUnknown;
    if (joins) {
      encoded.pieces.back().begin = range.begin;
    } else {
      encoded.ids.push_back(best[end].id);
      encoded.pieces.push_back(range);
    }
  }
  std::ranges::reverse(encoded.ids);
  std::ranges::reverse(encoded.pieces);
  return encoded;
}

}  // namespace dhyan
