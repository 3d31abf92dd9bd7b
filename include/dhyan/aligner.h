#pragma once

#include <cstdint>
#include <dhyan/options.h>
#include <dhyan/translation.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan::v1 {

enum class AlignStep {
  kChosen,    // by the agreement of both directions; with one model, kPredicts
  kPredicts,  // the attention of the step that predicts a word
  kReads,     // of the next step, which reads it
};

struct AlignOptions {
  std::string symmetrize = {};  // of two directions: as `dhyan align --symmetrize`; empty: grow-diag-final-and
  std::optional<std::int64_t> layer = {}, head = {};  // whose attention is read, from 1; none: chosen, or the mean
  AlignStep step = AlignStep::kChosen;
  std::optional<double> threshold = {};  // link all words with this weight; none: the one with the most
};

// Links that have a mean weight of the threshold in both directions, by default 0.5: for AlignOptions::symmetrize.
inline constexpr std::string_view kAverage = "average";

// Both sides of a pair and the links between their words.
struct AlignedPair {
  std::vector<std::string> source_words = {}, target_words = {};  // without </s>
  std::vector<Link> links = {};                                   // sorted
  std::string shortfall = {};                                     // why there are no links, or not all; or empty
};

// Word alignment of given translations by the attention of a model, or of one of each direction. Any number of
// threads may use one; their calls take turns.
class DHYAN_EXPORT Aligner {
 public:
  // UsageError for a model without attention between two texts; otherwise as Translator. `reverse` may be empty.
  explicit Aligner(const std::filesystem::path& model, const std::filesystem::path& reverse = {},
                   const AlignOptions& options = {}, const LoadOptions& load = {});
  ~Aligner();
  Aligner(Aligner&&) noexcept;
  Aligner& operator=(Aligner&&) noexcept;

  // sources[i] with targets[i]. The first call chooses whose attention is read, where the options leave it open.
  std::vector<AlignedPair> align(const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                                 const Poll& poll = {});

  // Whose attention is read and how well both directions agree, for people; empty before the first call.
  std::string readings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dhyan::v1
