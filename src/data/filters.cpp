#include "data/filters.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/error.h"
#include "data/content_hash.h"
#include "text/graphemes.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

bool is_control(char32_t code) { return (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0); }

// Japanese mixes the two from line to line.
bool is_japanese(Script script) { return script == Script::kHan || script == Script::kKana; }

bool is_other_script(Script actual, Script expected) {
  if (actual == Script::kNone || expected == Script::kNone) return false;
  return actual != expected && !(is_japanese(actual) && is_japanese(expected));
}

bool is_too_long(const Measure& side, const FilterOptions& options) {
  return side.words > options.max_words || side.characters > options.max_characters;
}

bool matches_empty(const MeasuredPair& pair, FilterMemory&) {
  return pair.source.words == 0 || (pair.two_sided && pair.target.words == 0);
}

bool matches_control(const MeasuredPair& pair, FilterMemory&) {
  return pair.source.has_control || pair.target.has_control;
}

bool matches_too_long(const MeasuredPair& pair, FilterMemory& memory) {
  return is_too_long(pair.source, memory.options) || is_too_long(pair.target, memory.options);
}

bool matches_ratio(const MeasuredPair& pair, FilterMemory& memory) {
  const auto [shorter, longer] = std::minmax(pair.source.characters, pair.target.characters);
  return shorter > 0 && static_cast<double>(longer) > memory.options.max_ratio * static_cast<double>(shorter);
}

bool matches_identical(const MeasuredPair& pair, FilterMemory&) {
  return pair.two_sided && pair.source.words > 0 && pair.text.source == pair.text.target;
}

bool matches_script(const MeasuredPair& pair, FilterMemory& memory) {
  return is_other_script(pair.source.script, memory.source_script) ||
         is_other_script(pair.target.script, memory.target_script);
}

bool matches_duplicate(const MeasuredPair& pair, FilterMemory& memory) {
  const std::uint64_t source = hash_words(pair.text.source, memory.key);
  return !memory.pairs.insert(hash_words(pair.text.target, memory.key, source));
}

// A source counts as seen once a pair of it was kept.
bool matches_duplicate_source(const MeasuredPair& pair, FilterMemory& memory) {
  return pair.two_sided && !pair.dropped && !memory.sources.insert(hash_words(pair.text.source, memory.key));
}

constexpr std::array kFilters{
    Filter{"empty", "a side has no word", true, matches_empty},
    Filter{"control", "a side has control characters", true, matches_control},
    Filter{"too-long", "a side has more than --max-words words or --max-characters characters", true, matches_too_long},
    Filter{"ratio", "one side has over --max-ratio times the characters of the other", true, matches_ratio},
    Filter{"identical", "source and target are the same", true, matches_identical},
    Filter{"script", "a side is not in the main script of the first lines", true, matches_script},
    Filter{"duplicate", "the same pair came before", true, matches_duplicate},
    Filter{"duplicate-source", "the same source came before, with any target", false, matches_duplicate_source},
};

std::size_t place_of(const Filter& filter) { return static_cast<std::size_t>(&filter - kFilters.data()); }

std::size_t place_of(std::string_view name) {
  const auto* const found = std::ranges::find(kFilters, name, &Filter::name);
  if (found != kFilters.end()) return place_of(*found);
  std::string names;
  for (const Filter& filter : kFilters) names += cat(names.empty() ? "" : ", ", filter.name);
  throw UsageError(cat("filters: there is no '", name, "'; expected one of ", names));
}

Script most_frequent(const std::map<Script, Index>& counts) {
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? Script::kNone : most->first;
}

}  // namespace

std::span<const Filter> filters() { return kFilters; }

Measure measure(std::string_view text) {
  Measure measured;
  bool in_word = false;
  for (const Character& character : Characters(text)) {
    const bool in_space = is_space(character.code);
    if (!in_space && !in_word) ++measured.words;
    in_word = !in_space;
    ++measured.characters;
    measured.has_control = measured.has_control || is_control(character.code);
  }
  measured.script = dominant_script(text).script;
  return measured;
}

std::size_t cut_length(std::string_view text, Index max_words, Index max_characters) {
  std::size_t whole_words = 0;  // bytes up to the end of a word
  Index words = 0, characters = 0;
  bool in_word = false;
  for (const Character& character : Characters(text)) {
    const bool in_space = is_space(character.code);
    if (in_word && in_space) whole_words = static_cast<std::size_t>(character.begin);
    if (!in_word && !in_space) ++words;
    if (words > max_words) return whole_words;
    in_word = !in_space;
    if (++characters <= max_characters) continue;
    if (in_space || whole_words > 0) return whole_words;
    // A single long word: cut between grapheme clusters.
    std::size_t whole_letters = 0;
    for (const ByteRange& letter : clusters(text)) {
      if (letter.end > character.begin) break;
      whole_letters = static_cast<std::size_t>(letter.end);
    }
    return whole_letters;
  }
  return text.size();
}

std::uint64_t hash_words(std::string_view text, std::string& storage, std::uint64_t seed) {
  storage.clear();
  bool in_word = false;
  for (const Character& character : Characters(text)) {
    const bool in_space = is_space(character.code);
    if (!in_space && !in_word && !storage.empty()) storage += ' ';
    if (!in_space) {
      storage += text.substr(static_cast<std::size_t>(character.begin),
                             static_cast<std::size_t>(character.end - character.begin));
    }
    in_word = !in_space;
  }
  return content_hash(std::as_bytes(std::span(storage)), seed);
}

PairFilter::PairFilter(const FilterOptions& options, bool two_sided) : two_sided_(two_sided), counts_(kFilters.size()) {
  memory_.options = options;
  for (const Filter& filter : kFilters) on_.push_back(filter.on_by_default);
  for (const std::string& name : options.with) on_[place_of(name)] = true;
  for (const std::string& name : options.without) on_[place_of(name)] = false;
}

void PairFilter::learn_scripts(std::span<const SentencePair> sample) {
  std::map<Script, Index> sources, targets;
  for (const SentencePair& pair : sample) {
    const Script source = dominant_script(pair.source).script, target = dominant_script(pair.target).script;
    if (source != Script::kNone) ++sources[source];
    if (target != Script::kNone) ++targets[target];
  }
  memory_.source_script = most_frequent(sources);
  memory_.target_script = most_frequent(targets);
}

bool PairFilter::cut_if_asked(SentencePair& pair, MeasuredPair& measured) const {
  const FilterOptions& options = memory_.options;
  const bool too_long = is_too_long(measured.source, options) || is_too_long(measured.target, options);
  if (options.on_too_long != OnTooLong::kCut || !too_long) return false;
  for (std::string* side : {&pair.source, &pair.target}) {
    side->resize(cut_length(*side, options.max_words, options.max_characters));
  }
  measured.source = measure(pair.source);
  measured.target = measure(pair.target);
  return true;
}

Verdict PairFilter::judge(SentencePair& pair) {
  MeasuredPair measured{pair, measure(pair.source), measure(pair.target), two_sided_, false};
  Verdict verdict{nullptr, false, measured.source, measured.target};
  ++judged_;
  verdict.cut = cut_if_asked(pair, measured);
  for (std::size_t i = 0; i < kFilters.size(); ++i) {
    if (!kFilters[i].matches(measured, memory_)) continue;
    ++counts_[i].matched;
    if (on_[i] && !std::exchange(measured.dropped, true)) verdict.reason = &kFilters[i];
  }
  if (verdict.reason != nullptr) {
    ++counts_[place_of(*verdict.reason)].dropped;
  } else {
    ++kept_;
    if (verdict.cut) ++cut_;
  }
  return verdict;
}

void filter_pairs(PairSource& pairs, PairFilter& filter,
                  const std::function<void(const SentencePair& pair, const Verdict& verdict)>& take) {
  constexpr std::size_t kSample = 1000;
  std::vector<SentencePair> sample;
  SentencePair pair;
  while (sample.size() < kSample && pairs.next(pair)) sample.push_back(pair);
  filter.learn_scripts(sample);
  const auto judge = [&](SentencePair& one) {
    const Verdict verdict = filter.judge(one);
    take(one, verdict);
  };
  for (SentencePair& one : sample) judge(one);
  while (pairs.next(pair)) judge(pair);
}

bool PairFilter::is_on(const Filter& filter) const { return on_[place_of(filter)]; }

const FilterCount& PairFilter::count(const Filter& filter) const { return counts_[place_of(filter)]; }

}  // namespace dhyan
