#include "metrics/ngrams.h"

#include <algorithm>
#include <compare>

namespace dhyan {

namespace {

using Ngram = std::span<const char32_t>;

std::strong_ordering compare(Ngram a, Ngram b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

NgramCounts::NgramCounts(std::span<const char32_t> sentence, Index order) {
  const auto length = static_cast<std::size_t>(order);
  std::vector<Ngram> ngrams;
  for (std::size_t at = 0; at + length <= sentence.size(); ++at) ngrams.push_back(sentence.subspan(at, length));
  std::ranges::sort(ngrams, [](Ngram a, Ngram b) { return compare(a, b) < 0; });
  for (const Ngram ngram : ngrams) {
    if (entries_.empty() || compare(entries_.back().ngram, ngram) != 0) entries_.push_back({ngram, 0});
    ++entries_.back().count;
  }
}

Index NgramCounts::total() const {
  Index sum = 0;
  for (const Entry& entry : entries_) sum += entry.count;
  return sum;
}

Index NgramCounts::matches(const NgramCounts& reference) const {
  Index sum = 0;
  auto other = reference.entries_.begin();
  for (const Entry& entry : entries_) {
    while (other != reference.entries_.end() && compare(other->ngram, entry.ngram) < 0) ++other;
    if (other == reference.entries_.end()) break;
    if (compare(other->ngram, entry.ngram) == 0) sum += std::min(entry.count, other->count);
  }
  return sum;
}

void NgramCounts::merge(const NgramCounts& other) {
  std::vector<Entry> both;
  auto a = entries_.begin();
  auto b = other.entries_.begin();
  while (a != entries_.end() && b != other.entries_.end()) {
    const std::strong_ordering order = compare(a->ngram, b->ngram);
    if (order == 0) {
      both.push_back({a->ngram, std::max(a->count, b->count)});
      ++a, ++b;
    } else {
      both.push_back(order < 0 ? *a++ : *b++);
    }
  }
  both.insert(both.end(), a, entries_.end());
  both.insert(both.end(), b, other.entries_.end());
  entries_ = std::move(both);
}

}  // namespace dhyan
