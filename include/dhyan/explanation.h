#pragma once

#include <cstdint>
#include <dhyan/options.h>
#include <dhyan/translation.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dhyan::v1 {

// Who attends to whom.
enum class Place {
  kCross,    // the decoder to the source
  kDecoder,  // the decoder to its own inputs: <s> and all tokens but the last
  kEncoder,  // the source to itself
};

// One head of one layer, over all steps of a sentence. Row i is step i, which writes token i; column j is token j of
// what is attended to. What a step cannot see has weight 0 and energy -inf.
struct AttentionHead {
  Place place = Place::kCross;
  std::int64_t layer = 1, head = 1;  // from 1
  RealMatrix energy = {};            // [T,S]  e_ij = score(s_i, h_j)
  RealMatrix weights = {};           // [T,S]  α_ij = softmax_j(e_ij)
  RealMatrix context = {};           // [T,K]  c_i = Σ_j α_ij v_j
};

struct Candidate {
  std::string token;
  double log_probability = 0;
};

struct ExplainOptions {
  std::optional<std::string> target = {};  // explain this translation instead of the model's own
  int beam_size = 5;
  std::vector<Setting> more = {};  // any search option of `dhyan translate --help-all`
  Poll poll = {};
};

// A translation with every number of its attention. Copies share what draw() needs.
struct Explanation {
  Translation translation = {};                         // with attention between words
  std::vector<std::string> source_tokens = {};          // [S]  of a picture: the cells of its grid
  std::vector<std::string> target_tokens = {};          // [T]
  std::vector<std::string> input_tokens = {};           // [T]  of the decoder
  std::vector<double> token_scores = {};                // [T]  log p
  std::vector<std::vector<Candidate>> candidates = {};  // [T]  the likeliest tokens of each step
  std::vector<AttentionHead> heads = {};                // by place, layer, head
  std::vector<Real> context_vector = {};                // of a model without attention

  struct Record;
  std::shared_ptr<const Record> record = {};
};

struct DrawOptions {
  std::string format = "html";  // text, html, svg, png, json, csv, pharaoh: as `dhyan explain --format`
  Units units = Units::kWords;
  std::optional<Place> place = {};         // none: what the model translates with
  std::optional<std::int64_t> layer = {};  // from 1; none: as the format does by default
  std::optional<std::int64_t> head = {};
};

// The attention as a picture, a page or data. ConfigError for an unknown format, UsageError for a layer or
// head that is not there.
DHYAN_EXPORT std::string draw(const Explanation& explanation, const DrawOptions& options = {});

// Step `step`, from 1, in numbers that can be checked with a pocket calculator, as text.
DHYAN_EXPORT std::string step_in_numbers(const Explanation& explanation, std::int64_t step);

}  // namespace dhyan::v1
