#pragma once

#include "explain/units.h"

namespace dhyan {

// How the layers and heads of one place are combined into one map.
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

// The attention maps to show.
struct AttentionChoice {
  std::vector<AttentionPlace> places = {};  // empty: cross-attention, or decoder self-attention if there is none
  std::optional<Index> layer = {};          // from 1; empty: all
  std::optional<Index> head = {};           // from 1; empty: all
  Summary summary = Summary::kNone;
  std::string_view model = "this model";  // its name in error messages
};

inline constexpr std::string_view kAllPlaces = "all";

// The attention to show, as a user requests it.
struct AttentionOptions {
  std::string place;  // in kAttentionPlaces, or kAllPlaces; empty: the attention that the model translates with
  std::optional<Index> layer = {};
  std::optional<Index> head = {};
  bool heads_apart = false;  // a head, or all heads, were requested
  std::optional<Summary> summary = {};
};

// The places of attention that a model has, in the order of kAttentionPlaces.
std::vector<AttentionPlace> places_of(std::span<const AttentionRecord> records);

// The chosen attention of one place.
struct ChosenAttention {
  AttentionPlace place = AttentionPlace::kCross;
  Index layers = 0;  // of the model at this place, chosen or not
  Index heads = 0;
  std::vector<const AttentionRecord*> records = {};  // by layer, then by head
};

// Applies a choice to a model's records. Empty for a model without attention. Throws UsageError if the model lacks a
// chosen place, layer or head.
std::vector<ChosenAttention> chosen_attention(std::span<const AttentionRecord> records, const AttentionChoice& choice);

// One map per layer and head, or one summary per place. A map has a title unless it is the model's only one.
std::vector<AttentionMap> attention_maps(std::span<const AttentionRecord> records, const SentenceUnits& units,
                                         const AttentionChoice& choice = {});

// Resolves the request for a model with these records. If heads are named, they are shown without a summary.
AttentionChoice choice_of(const AttentionOptions& options, std::span<const AttentionRecord> records,
                          Summary by_default);

}  // namespace dhyan
