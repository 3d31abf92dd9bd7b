#pragma once

#include "explain/units.h"

namespace dhyan {

// What is shown for the layers and heads of a place.
enum class Summary { kNone, kMean, kLast, kRollout };
struct SummaryKind {
  std::string_view name;
  Summary value;
  std::string_view description;
};
inline constexpr std::array kSummaries = {
    SummaryKind{"none", Summary::kNone, "every layer and head separately"},
    SummaryKind{"mean", Summary::kMean, "the mean of layers and heads"},
    SummaryKind{"last", Summary::kLast, "the mean of the last layer's heads"},
    SummaryKind{"rollout", Summary::kRollout, "attention rollout through the layers up to --layer"},
};

// Which part of a model's attention is looked at.
struct AttentionChoice {
  std::vector<AttentionPlace> places = {};  // none: cross-attention, or the decoder's of a model that has no such
  std::optional<Index> layer = {};          // from 1; nothing for all
  std::optional<Index> head = {};           // from 1; nothing for all
  Summary summary = Summary::kNone;
  std::string_view model = "this model";  // what messages call it
};

// The places a model looks from, in the order of kAttentionPlaces.
std::vector<AttentionPlace> places_of(std::span<const AttentionRecord> records);

// What is chosen of one place.
struct ChosenAttention {
  AttentionPlace place = AttentionPlace::kCross;
  Index layers = 0;  // that the model has there
  Index heads = 0;
  std::vector<const AttentionRecord*> records = {};  // by layer, then by head
};

// By place. Nothing of a model that does not attend. UsageError for what the model does not have.
std::vector<ChosenAttention> chosen_attention(std::span<const AttentionRecord> records, const AttentionChoice& choice);

// A map for each layer and head, or one for all that are chosen of a place. Titled, unless the model has but one.
std::vector<AttentionMap> attention_maps(std::span<const AttentionRecord> records, const SentenceUnits& units,
                                         const AttentionChoice& choice = {});

}  // namespace dhyan
