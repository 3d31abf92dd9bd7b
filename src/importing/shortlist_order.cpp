#include "importing/shortlist_order.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

MarianShortlist in_our_order(const MarianShortlist& theirs, const VocabularyOrder& source,
                             const VocabularyOrder& target, std::string_view where) {
  const Index sources = std::ssize(theirs.begins) - 1, targets = std::ssize(target.places);
  std::vector<RowId> ours(target.places.size(), -1);  // by their ids
  for (RowId id = static_cast<RowId>(targets) - 1; id >= 0; --id) {
    const Index place = target.places[static_cast<std::size_t>(id)];
    if (place >= 0 && place < targets) ours[static_cast<std::size_t>(place)] = id;
  }
  const RowId last = theirs.words.empty() ? 0 : std::ranges::max(theirs.words);
  if (sources > std::ssize(source.places) || last >= targets || ours[static_cast<std::size_t>(last)] < 0) {
    throw ModelFileError(cat(where, ": lists words up to ", last, " for ", sources,
                             " source words; the vocabularies have ", source.places.size(), " and ", targets));
  }
  MarianShortlist result{.first = 0, .best = theirs.best, .begins = {0}, .words = {}};
  for (Index place = 0; place < std::min(theirs.first, targets); ++place) {
    if (ours[static_cast<std::size_t>(place)] >= std::ssize(kSpecialTokens)) ++result.first;
  }
  for (const Index place : source.places) {
    if (place >= 0 && place < sources) {
      const auto word = static_cast<std::size_t>(place);
      for (std::uint64_t i = theirs.begins[word]; i < theirs.begins[word + 1]; ++i) {
        const RowId id = ours[static_cast<std::size_t>(theirs.words[static_cast<std::size_t>(i)])];
        if (id >= 0) result.words.push_back(id);
      }
    }
    result.begins.push_back(result.words.size());
  }
  return result;
}

}  // namespace dhyan
