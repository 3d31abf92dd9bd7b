#include "explain/units.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "text/gaps.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

bool has_space(std::string_view text) {
  for (const Character& character : Characters(text)) {
    if (is_space(character.code)) return true;
  }
  return false;
}

// A range without the spaces around it; empty if only spaces remain.
std::optional<ByteRange> without_spaces(std::string_view line, ByteRange range) {
  std::optional<ByteRange> rest;
  for (const Character& character : Characters(part(line, range))) {
    if (is_space(character.code)) continue;
    if (!rest) rest = {range.begin + character.begin, 0};
    rest->end = range.begin + character.end;
  }
  return rest;
}

// Words and their tokens. A token without text, such as a space, belongs to the next word, as in SentencePiece; at the
// end of the line it belongs to the previous word.
struct Words {
  std::vector<ByteRange> text;
  std::vector<std::size_t> word_of;  // [tokens]
};

Words words_of(std::string_view line, std::span<const ByteRange> pieces) {
  Words words;
  std::vector<ByteRange>& text = words.text;
  for (std::size_t token = 0; token < pieces.size(); ++token) {
    const std::optional<ByteRange> own = without_spaces(line, pieces[token]);
    if (!own) continue;
    if (text.empty() || has_space(part(line, {text.back().end, own->begin}))) text.push_back(*own);
    text.back().end = own->end;
    words.word_of.resize(token + 1, text.size() - 1);
  }
  if (text.empty() && !pieces.empty()) text.push_back({});
  words.word_of.resize(pieces.size(), text.size() - 1);
  return words;
}

// `line` is the text of the tokens; `pieces` are the ranges in it of all tokens but </s>.
TokenUnits units_of(const Tokenizer& tokenizer, std::string_view line, std::span<const ByteRange> pieces,
                    std::span<const TokenId> tokens, Units units) {
  TokenUnits result;
  result.ended = pieces.size() < tokens.size();
  if (units == Units::kWords) {
    const Words words = words_of(line, pieces);
    for (const ByteRange& word : words.text) result.labels.emplace_back(part(line, word));
    result.unit_of = words.word_of;
  } else {
    for (std::size_t token = 0; token < pieces.size(); ++token) {
      result.labels.emplace_back(tokenizer.piece(tokens[token]));
      result.unit_of.push_back(token);
    }
  }
  if (result.ended) {
    result.unit_of.push_back(result.labels.size());
    result.labels.emplace_back(tokenizer.piece(kEnd));
  }
  return result;
}

// The number of tokens in each unit.
std::vector<double> sizes(const TokenUnits& units) {
  std::vector<double> sizes(units.labels.size(), 0);
  for (const std::size_t unit : units.unit_of) ++sizes[unit];
  return sizes;
}

bool has_shape(const std::vector<std::vector<Real>>& values, std::size_t rows, std::size_t columns) {
  return values.size() == rows &&
         std::ranges::all_of(values, [columns](const std::vector<Real>& row) { return row.size() == columns; });
}

void check(const AttentionRecord& record, const TokenUnits& column_units, const TokenUnits& row_units) {
  const std::size_t rows = row_units.unit_of.size(), columns = column_units.unit_of.size();
  const bool fits = has_shape(record.weights, rows, columns);
  if (fits && (record.energy.empty() || has_shape(record.energy, rows, columns))) return;
  throw ShapeError(cat("attention_map: the record has ", record.weights.size(), " rows of ",
                       record.weights.empty() ? 0 : record.weights.front().size(), " weights; expected ", rows,
                       " rows of ", columns));
}

}  // namespace

TokenUnits source_units(const Tokenizer& tokenizer, std::string_view line, std::span<const TokenId> tokens,
                        Units units) {
  Encoded encoded = tokenizer.encode(line);
  const bool ended = !tokens.empty() && tokens.back() == kEnd;
  const std::size_t count = tokens.size() - (ended ? 1 : 0);
  if (!ended || count > encoded.ids.size() || !std::equal(tokens.begin(), tokens.end() - 1, encoded.ids.begin())) {
    throw UsageError(
        cat("source_units: the ", tokens.size(), " tokens do not match the line's ", encoded.ids.size(), " and </s>"));
  }
  encoded.pieces.resize(count);
  return units_of(tokenizer, line, encoded.pieces, tokens, units);
}

TokenUnits gapped_units(const Tokenizer& tokenizer, std::string_view line, std::string_view gap, Units units) {
  const Encoded encoded = encode_gapped(tokenizer, line, gap);
  TokenUnits all;
  std::size_t begin = 0;  // of the tokens after the last gap
  const auto add_text = [&](std::size_t end) {
    const std::span pieces = std::span(encoded.pieces).subspan(begin, end - begin);
    const std::span ids = std::span(encoded.ids).subspan(begin, end - begin);
    all = joined(all, units_of(tokenizer, line, pieces, ids, units));
    begin = end + 1;
  };
  for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
    if (encoded.ids[i] != kGapToken) continue;
    add_text(i);
    all = joined(all, {{std::string(gap)}, {0}, false});
  }
  add_text(encoded.ids.size());
  return joined(all, {{std::string(tokenizer.piece(kEnd))}, {0}, true});
}

TokenUnits target_units(const Tokenizer& tokenizer, std::span<const TokenId> tokens, Units units) {
  const bool ended = !tokens.empty() && tokens.back() == kEnd;
  const Decoded decoded = decode_pieces(tokenizer, ended ? tokens.first(tokens.size() - 1) : tokens);
  return units_of(tokenizer, decoded.text, decoded.pieces, tokens, units);
}

TokenUnits given_units(const Tokenizer& tokenizer, std::span<const TokenId> tokens, Units units) {
  const TokenUnits begin{{std::string(tokenizer.piece(kBegin))}, {0}, false};
  return tokens.empty() ? begin : joined(begin, target_units(tokenizer, tokens.first(tokens.size() - 1), units));
}

TokenUnits joined(const TokenUnits& first, const TokenUnits& second) {
  TokenUnits both = first;
  both.labels.insert(both.labels.end(), second.labels.begin(), second.labels.end());
  for (const std::size_t unit : second.unit_of) both.unit_of.push_back(first.labels.size() + unit);
  both.ended = second.ended;
  return both;
}

TokenRange tokens_of_step(const char* op, const TokenUnits& target, Index step) {
  const auto steps = std::ssize(target.labels);
  if (step < 1 || step > steps) {
    throw UsageError(cat(op, ": there is no step ", step, "; the translation has ", steps));
  }
  const auto unit = static_cast<std::size_t>(step - 1);
  const auto begin = std::ranges::lower_bound(target.unit_of, unit),
             end = std::ranges::upper_bound(target.unit_of, unit);
  return {static_cast<std::size_t>(begin - target.unit_of.begin()),
          static_cast<std::size_t>(end - target.unit_of.begin())};
}

TokenUnits grid_units(GridShape grid) {
  TokenUnits units{.labels = {}, .unit_of = {}, .ended = false};
  for (Index row = 1; row <= grid.height; ++row) {
    for (Index column = 1; column <= grid.width; ++column) {
      units.unit_of.push_back(units.labels.size());
      units.labels.push_back(cat(row, ',', column));
    }
  }
  return units;
}

AttentionMap attention_map(const AttentionRecord& record, const TokenUnits& columns, const TokenUnits& rows) {
  check(record, columns, rows);
  AttentionMap map;
  map.place = record.place;
  map.columns = columns.labels;
  map.rows = rows.labels;
  map.layer = record.layer;
  map.head = record.head;
  map.ended = rows.ended;
  map.weights.assign(rows.labels.size(), std::vector<double>(columns.labels.size(), 0));  // [T][S]
  const std::vector<double> tokens = sizes(rows);
  for (std::size_t i = 0; i < record.weights.size(); ++i) {
    const std::size_t unit = rows.unit_of[i];
    for (std::size_t j = 0; j < record.weights[i].size(); ++j) {
      map.weights[unit][columns.unit_of[j]] += double{record.weights[i][j]} / tokens[unit];
    }
  }
  const bool by_token = map.columns.size() == columns.unit_of.size() && map.rows.size() == rows.unit_of.size();
  if (!by_token) return map;
  for (const std::vector<Real>& row : record.energy) map.energy.emplace_back(row.begin(), row.end());
  return map;
}

std::vector<double> unit_scores(std::span<const double> token_scores, const TokenUnits& target) {
  if (token_scores.size() != target.unit_of.size()) {
    throw ShapeError(cat("unit_scores: ", token_scores.size(), " scores of ", target.unit_of.size(), " tokens"));
  }
  std::vector<double> scores(target.labels.size(), 0);
  for (std::size_t i = 0; i < token_scores.size(); ++i) scores[target.unit_of[i]] += token_scores[i];
  return scores;
}

}  // namespace dhyan
