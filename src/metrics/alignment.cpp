#include "metrics/alignment.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

#include "core/error.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

struct ParsedLink {
  Link link;
  bool sure;
};

ParsedLink parse_link(std::string_view text, std::string_view where) {
  constexpr std::string_view kSeparators = "-p?";
  const char* const end = text.data() + text.size();
  std::uint32_t source = 0, target = 0;
  const auto [separator, no_source] = std::from_chars(text.data(), end, source);
  if (no_source == std::errc() && separator != end && kSeparators.find(*separator) != kSeparators.npos) {
    const auto [rest, no_target] = std::from_chars(separator + 1, end, target);
    if (no_target == std::errc() && rest == end) return {{source, target}, *separator == '-'};
  }
  throw DataError(cat(where, ": '", text.substr(0, 40),
                      "' is not a link; expected source-target as in 0-2, or 0p2 or 0?2 for a possible one"));
}

void sort_and_unite(Links& links) {
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

Index common(const Links& a, const Links& b) {
  Links both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<Index>(both.size());
}

double share(Index part, Index whole, double of_none) {
  return whole == 0 ? of_none : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

GoldLinks parse_links(std::string_view line, std::string_view where) {
  GoldLinks links;
  for (const ByteRange& word : word_ranges(line)) {
    const auto [link, sure] = parse_link(part(line, word), where);
    (sure ? links.sure : links.possible).push_back(link);
  }
  return links;
}

void require_words(const GoldLinks& links, Index source_words, Index target_words, std::string_view where) {
  for (const Links* some : {&links.sure, &links.possible}) {
    for (const auto& [source, target] : *some) {
      if (source < source_words && target < target_words) continue;
      throw DataError(cat(where, ": link ", source, "-", target, " in a sentence of ", source_words, " source and ",
                          target_words, " target words; words are counted from 0"));
    }
  }
}

LinkCounts& LinkCounts::operator+=(const LinkCounts& other) {
  found += other.found;
  sure += other.sure;
  found_sure += other.found_sure;
  found_possible += other.found_possible;
  return *this;
}

LinkCounts count_links(Links found, const GoldLinks& gold) {
  Links sure = gold.sure, possible = gold.possible;
  possible.insert(possible.end(), sure.begin(), sure.end());
  for (Links* links : {&found, &sure, &possible}) sort_and_unite(*links);
  return {static_cast<Index>(found.size()), static_cast<Index>(sure.size()), common(found, sure),
          common(found, possible)};
}

AlignmentScore alignment_score(const LinkCounts& counts) {
  return {share(counts.found_possible, counts.found, 1), share(counts.found_sure, counts.sure, 1),
          1 - share(counts.found_sure + counts.found_possible, counts.found + counts.sure, 1)};
}

}  // namespace dhyan
