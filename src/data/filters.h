#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/hash_set.h"
#include "data/pairs.h"
#include "text/scripts.h"

namespace dhyan {

enum class OnTooLong { kDrop, kCut };

struct FilterOptions {
  Index max_words = 200;
  Index max_characters = 2000;
  OnTooLong on_too_long = OnTooLong::kDrop;
  double max_ratio = 9;                // characters of the longer side / characters of the shorter
  std::vector<std::string> with = {};  // names of filters to apply beside the default ones
  std::vector<std::string> without = {};
};

// Length and script of a text.
struct Measure {
  Index words = 0;       // separated by white space
  Index characters = 0;  // code points
  Script script = Script::kNone;
  bool has_control = false;
};

Measure measure(std::string_view text);

struct MeasuredPair {
  const SentencePair& text;
  Measure source, target;
  bool two_sided;  // false: plain text, which has no target
  bool dropped;    // by an earlier filter
};

// State that filters share beside the pair.
struct FilterMemory {
  FilterOptions options;
  Script source_script = Script::kNone, target_script = Script::kNone;  // expected; kNone: any
  HashSet pairs, sources;                                               // seen
  std::string key;                                                      // reused to avoid allocation
};

// An entry of the table of filters.
struct Filter {
  std::string_view name;  // also written as the reason for a dropped pair
  std::string_view description;
  bool on_by_default;
  bool (*matches)(const MeasuredPair& pair, FilterMemory& memory);
};

// The table, in the order of application; the first filter that matches is the reason.
std::span<const Filter> filters();

struct Verdict {
  const Filter* reason = nullptr;  // null: the pair is kept
  bool cut = false;
  Measure source, target;  // before cutting
};

struct FilterCount {
  std::uint64_t matched = 0;  // also pairs that another filter dropped, and while this one is off
  std::uint64_t dropped = 0;  // pairs for which this filter is the reason
};

// Applies the filters to the pairs of a corpus in order.
class PairFilter {
 public:
  // UsageError for an unknown filter. `two_sided` is PairSource::has_targets().
  PairFilter(const FilterOptions& options, bool two_sided);

  // Sets the expected script of each side: the most frequent one in a sample.
  void learn_scripts(std::span<const SentencePair> sample);

  // Cuts sides that are too long if the options say so.
  Verdict judge(SentencePair& pair);

  bool is_on(const Filter& filter) const;
  const FilterCount& count(const Filter& filter) const;
  std::uint64_t judged() const { return judged_; }
  std::uint64_t kept() const { return kept_; }
  std::uint64_t cut() const { return cut_; }  // pairs with a cut side
  Script source_script() const { return memory_.source_script; }
  Script target_script() const { return memory_.target_script; }

 private:
  bool cut_if_asked(SentencePair& pair, MeasuredPair& measured) const;

  FilterMemory memory_;
  bool two_sided_;
  std::vector<bool> on_;             // by index in the table
  std::vector<FilterCount> counts_;  // by index in the table
  std::uint64_t judged_ = 0, kept_ = 0, cut_ = 0;
};

// Filters a whole corpus. Its first pairs, which are buffered, determine the expected scripts.
void filter_pairs(PairSource& pairs, PairFilter& filter,
                  const std::function<void(const SentencePair& pair, const Verdict& verdict)>& take);

// How many bytes of a text to keep: up to the end of a word, or of a character if the first word is too long.
std::size_t cut_length(std::string_view text, Index max_words, Index max_characters);

// A hash of the words of a text that ignores white space.
std::uint64_t hash_words(std::string_view text, std::string& storage, std::uint64_t seed = 0);

}  // namespace dhyan
