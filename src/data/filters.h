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
  double max_ratio = 9;                // characters of the longer side to those of the shorter
  std::vector<std::string> with = {};  // names of filters to apply besides those that are on by default
  std::vector<std::string> without = {};
};

// How long a text is, and how it is written.
struct Measure {
  Index words = 0;       // between white space
  Index characters = 0;  // code points
  Script script = Script::kNone;
  bool has_control = false;
};

Measure measure(std::string_view text);

struct MeasuredPair {
  const SentencePair& text;
  Measure source, target;
  bool two_sided;  // false: plain text, which has no target
  bool dropped;    // by a filter asked before
};

// What filters know besides the pair.
struct FilterMemory {
  FilterOptions options;
  Script source_script = Script::kNone, target_script = Script::kNone;  // expected; kNone: any
  HashSet pairs, sources;                                               // seen
  std::string key;                                                      // kept for its storage
};

// A line of the table of filters.
struct Filter {
  std::string_view name;  // also the reason written beside what it drops
  std::string_view description;
  bool on_by_default;
  bool (*matches)(const MeasuredPair& pair, FilterMemory& memory);
};

// The table, in the order in which filters are asked; the first that matches is the reason.
std::span<const Filter> filters();

struct Verdict {
  const Filter* reason = nullptr;  // that it is dropped for; nullptr: kept
  bool cut = false;
  Measure source, target;  // before cutting
};

struct FilterCount {
  std::uint64_t matched = 0;  // whether on or off, and whatever else matched
  std::uint64_t dropped = 0;  // for this reason
};

// Judges the pairs of a corpus, one after the other.
class PairFilter {
 public:
  // UsageError for an unknown name of a filter. `two_sided` as PairSource::has_targets().
  PairFilter(const FilterOptions& options, bool two_sided);

  // The script each side is expected to be written in: the one that most of a sample is.
  void learn_scripts(std::span<const SentencePair> sample);

  // Cuts what is too long, if the options say so.
  Verdict judge(SentencePair& pair);

  bool is_on(const Filter& filter) const;
  const FilterCount& count(const Filter& filter) const;
  std::uint64_t judged() const { return judged_; }
  std::uint64_t kept() const { return kept_; }
  std::uint64_t cut() const { return cut_; }  // pairs of which a side was cut
  Script source_script() const { return memory_.source_script; }
  Script target_script() const { return memory_.target_script; }

 private:
  bool cut_if_asked(SentencePair& pair, MeasuredPair& measured) const;

  FilterMemory memory_;
  bool two_sided_;
  std::vector<bool> on_;             // by place in the table
  std::vector<FilterCount> counts_;  // likewise
  std::uint64_t judged_ = 0, kept_ = 0, cut_ = 0;
};

// Judges all of a corpus. The scripts are learned from its first pairs, which are held until then.
void filter_pairs(PairSource& pairs, PairFilter& filter,
                  const std::function<void(const SentencePair& pair, const Verdict& verdict)>& take);

// How many bytes of a text to keep: whole words as long as there are any, whole letters else.
std::size_t cut_length(std::string_view text, Index max_words, Index max_characters);

// A hash of the words of a text, whatever the white space between and around them.
std::uint64_t hash_words(std::string_view text, std::string& storage, std::uint64_t seed = 0);

}  // namespace dhyan
