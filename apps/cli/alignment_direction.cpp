#include "cli/alignment_direction.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "cli/search_options.h"
#include "cli/translation_text.h"
#include "core/error.h"
#include "core/number_text.h"
#include "core/pluralize.h"
#include "translator/model_languages.h"

namespace dhyan::cli {

namespace {

constexpr std::size_t kPairsToChooseBy = 500;

AttentionReading asked_reading(const AlignOptions& options) {
  return {.layer = options.layer, .head = options.head, .shifted = options.step == AlignStep::kReads};
}

}  // namespace

AlignmentDirection::AlignmentDirection(const std::string& folder, const AlignOptions& options)
    : name_(folder), translator_(folder, options.limits), reading_(asked_reading(options)) {
  expect_text_model("align", folder, translator_.model());
  expect_cross_attention("align", folder, translator_.model(), "alignment");
}

std::vector<Translation> AlignmentDirection::force(const std::vector<std::string>& sources,
                                                   const std::vector<std::string>& targets, const Workers& workers) {
  const SearchOptions search{.beam_size = 1, .scored = false, .keep = RecordedAttention::kWeights};
  return translator_.force(sources, targets, search, workers);
}

std::vector<AttentionReading> AlignmentDirection::open_readings(std::span<const Translation> forced,
                                                                const AlignOptions& options) const {
  for (const Translation& one : forced) {
    if (one.hypothesis.attention.empty()) continue;
    const bool one_step = translator_.model().knows_targets() || options.step != AlignStep::kChosen;
    std::vector<AttentionReading> all = readings_of(one.hypothesis.attention, one_step);
    if (all.size() == 1 || options.layer || options.head) all = {reading_};
    if ((options.layer || options.head) && !one_step) {
      all.push_back(reading_);
      all.back().shifted = true;
    }
    for (AttentionReading& reading : all) reading.shifted |= options.step == AlignStep::kReads;
    return all;
  }
  return {reading_};
}

void AlignmentDirection::expect_reverse(const AlignmentDirection& other) const {
  const ModelLanguages ours = languages_of(name_, translator_.config());
  const ModelLanguages theirs = languages_of(other.name_, other.translator_.config());
  if (!ours.source || !ours.target || ours.source == ours.target) return;
  if (ours.source != theirs.source || ours.target != theirs.target) return;
  throw UsageError(cat("align: ", other.name_, " goes from ", *theirs.source, " to ", *theirs.target, ", as ", name_,
                       " does; expected --reverse from ", *ours.target, " to ", *ours.source));
}

void AlignmentDirection::warn(const Translation& forced, std::uint64_t line, const std::string& file) const {
  const std::string where = cat("dhyan: warning: ", file, ":", line, ": ");
  if (forced.source_tokens.empty() || forced.text.empty()) {
    std::cerr << where << "there is no text; it has no links\n";
  } else if (forced.hypothesis.tokens.empty()) {
    std::cerr << where << "more tokens than the " << translator_.model().longest() << " of " << name_
              << "; it has no links\n";
  } else if (forced.source_cut) {
    std::cerr << where << "more than " << translator_.longest_source() << " tokens; " << name_
              << " links no words behind them\n";
  }
}

void choose_reading(AlignmentDirection& direction, std::span<const Translation> forced, const AlignOptions& options) {
  const std::vector<AttentionReading> open = direction.open_readings(forced, options);
  if (open.size() == 1) return direction.read_as(open.front());
  const AttentionReading reading = asked_reading(options);
  std::cerr << cat("dhyan: ", direction.name(), ": ", in_words(reading),
                   "; --layer and --head choose others, --reverse the best by itself\n");
  direction.read_as(reading);
}

void choose_readings(AlignmentDirection& forward, std::span<const Translation> there, AlignmentDirection& reverse,
                     std::span<const Translation> back, const AlignOptions& options) {
  std::vector<AttentionReading> ours = forward.open_readings(there, options);
  std::vector<AttentionReading> theirs = reverse.open_readings(back, options);
  const std::size_t n = std::min(kPairsToChooseBy, there.size());
  const bool open = ours.size() > 1 || theirs.size() > 1;
  const AgreedReadings best = agreed_readings("align", {there.first(n), forward.tokenizers(), std::move(ours)},
                                              {back.first(n), reverse.tokenizers(), std::move(theirs)});
  forward.read_as(best.forward);
  reverse.read_as(best.reverse);
  const std::string readings =
      cat(forward.name(), ": ", in_words(best.forward), "; ", reverse.name(), ": ", in_words(best.reverse), "; they");
  std::cerr << cat("dhyan: ", open ? readings : "both directions", " agree on ", fixed(100 * best.agreement, 1),
                   " % of the links of ", pluralize(n, "sentence"), '\n');
}

}  // namespace dhyan::cli
