#include "importing/vocabulary_order.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

// Spells a token so that our vocabulary takes it and it is none of `used`.
std::string own_spelling(const std::string& token, const std::set<std::string, std::less<>>& used) {
  std::string spelled = first_bad_byte(token) ? replace_bad_utf8(token) : token;
  if (spelled.empty()) spelled = "[empty]";
  if (is_special_token(spelled)) spelled = cat("[", spelled, "]");
  const std::string base = spelled;
  for (int n = 2; used.contains(spelled); ++n) spelled = cat(base, "[", n, "]");
  return spelled;
}

double share_known(const VocabularyOrder& order, const SentencePieceTokenizer& segmenter) {
  std::set<std::string_view> pieces;
  for (TokenId id = 0; id < segmenter.size(); ++id) pieces.insert(segmenter.piece(id));
  const auto known =
      std::ranges::count_if(order.tokens, [&](const std::string& token) { return pieces.contains(token); });
  return static_cast<double>(known) / static_cast<double>(order.tokens.size());
}

std::shared_ptr<const SentencePieceTokenizer> segmenter_of(std::string_view model, const std::string& where) {
  return model.empty() ? nullptr : std::make_shared<SentencePieceTokenizer>(std::string(model), where);
}

}  // namespace

std::optional<Index> place_of(const std::vector<std::string>& tokens, std::string_view token) {
  const auto found = std::ranges::find(tokens, token);
  return found == tokens.end() ? std::nullopt : std::optional<Index>(found - tokens.begin());
}

VocabularyOrder our_order(const std::vector<std::string>& tokens, Index rows, const SpecialPlaces& special) {
  // Toolkits round the number of rows up; more of them would be no vocabulary, and an empty table can state any number.
  const Index most = 2 * std::ssize(tokens) + 1000;
  if (std::ssize(tokens) > rows || rows > most) {
    throw ModelFileError(cat("import: ", rows, " embeddings for a vocabulary of ", tokens.size(),
                             " tokens, expected as many, or a few more"));
  }
  VocabularyOrder order;
  std::set<Index> taken;
  std::set<std::string, std::less<>> used;
  const auto add_special = [&](TokenId id, std::optional<Index> place) {
    const bool second = place && !taken.insert(*place).second;
    order.tokens.emplace_back(kSpecialTokens[static_cast<std::size_t>(id)]);
    order.places.push_back(place.value_or(-1));
    order.never_written.push_back(!place || second);
  };
  // The end before the start, which may be a second row of it; <pad> is written in place of <s> where both are one.
  std::optional<Index> start = special.start;
  add_special(kPad, special.pad);
  add_special(kUnknown, special.unknown);
  if (special.end) taken.insert(*special.end);
  add_special(kBegin, start);
  if (special.end) taken.erase(*special.end);
  add_special(kEnd, special.end);
  for (Index place = 0; place < rows; ++place) {
    if (taken.contains(place)) continue;
    const bool named = place < std::ssize(tokens);
    std::string token = own_spelling(named ? tokens[static_cast<std::size_t>(place)] : cat("[row ", place, "]"), used);
    used.insert(token);
    order.tokens.push_back(std::move(token));
    order.places.push_back(place);
    order.never_written.push_back(false);
  }
  return order;
}

Vocabulary VocabularyOrder::vocabulary() const {
  std::string file;
  for (const std::string& token : tokens) file += escape_token(token) + '\n';
  return Vocabulary::parse("imported vocabulary", file);
}

ForeignMatrix VocabularyOrder::table(const ForeignMatrix& theirs) const { return theirs.gathered(places); }

ForeignMatrix VocabularyOrder::output_bias(const ForeignMatrix& theirs) const {
  ForeignMatrix bias = zeros(1, std::ssize(places));
  for (std::size_t i = 0; i < places.size(); ++i) {
    bias.values[i] = never_written[i] ? kNeverWritten : theirs.values[static_cast<std::size_t>(places[i])];
  }
  return bias;
}

TokenizerPair make_tokenizers(const VocabularyOrder& source, const VocabularyOrder& target, const PieceModels& models) {
  constexpr double kNearlyAll = 0.9;
  const auto of_source = segmenter_of(models.source, models.where_source);
  auto of_target = models.target == models.source ? of_source : segmenter_of(models.target, models.where_target);
  if (of_target == nullptr && of_source != nullptr && share_known(target, *of_source) >= kNearlyAll)
    of_target = of_source;
  auto first = std::make_shared<const PieceTokenizer>(source.vocabulary(), of_source);
  if (of_source == of_target && source.tokens == target.tokens) return {first, first};
  return {first, std::make_shared<const PieceTokenizer>(target.vocabulary(), of_target)};
}

}  // namespace dhyan
