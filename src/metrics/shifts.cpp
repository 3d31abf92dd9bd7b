#include "metrics/shifts.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "metrics/beam_edit_distance.h"

namespace dhyan {

namespace {

constexpr Index kLongestShift = 10;
constexpr Index kFarthestShift = 50;
constexpr Index kMostCandidates = 1000;  // of one sentence

// A run of words of the hypothesis that the reference has as well.
struct Stretch {
  Index hypothesis, reference, length;
};

struct Shift {
  Index gain;  // edits that it saves
  Index begin, length, target;

  // The greatest gain, then the longest, then the first.
  auto rank() const { return std::tuple(gain, length, -begin, -target); }
};

Symbols shifted(Symbols words, const Shift& shift) {
  const auto begin = words.begin() + shift.begin, end = begin + shift.length;
  if (shift.target < shift.begin) {
    std::rotate(words.begin() + shift.target, begin, end);
  } else {  // a target inside the run is counted from its end
    const Index after = shift.target > shift.begin + shift.length ? shift.target : shift.target + shift.length;
    std::rotate(begin, end, words.begin() + std::min<Index>(after, std::ssize(words)));
  }
  return words;
}

bool any(const std::vector<bool>& flags, Index begin, Index length) {
  return std::find(flags.begin() + begin, flags.begin() + begin + length, true) != flags.begin() + begin + length;
}

class ShiftSearch {
 public:
  explicit ShiftSearch(const Symbols& reference) : reference_(reference), distance_(reference) {}

  Index distance(const Symbols& words) { return distance_(words); }
  bool exhausted() const { return candidates_ >= kMostCandidates; }

  // The best shift; empty if there is none.
  std::optional<Shift> best(const Symbols& words) {
    before_ = distance_(words);
    matching_ = distance_.matching();
    best_.reset();
    for (Index h = 0; h < std::ssize(words); ++h) {
      const Index last = std::min<Index>(std::ssize(reference_) - 1, h + kFarthestShift);
      for (Index r = std::max<Index>(0, h - kFarthestShift); r <= last; ++r) try_from(words, h, r);
    }
    return best_;
  }

 private:
  void try_from(const Symbols& words, Index h, Index r) {
    const Index longest = std::min<Index>({kLongestShift, std::ssize(words) - h, std::ssize(reference_) - r});
    for (Index length = 1; length <= longest && !exhausted(); ++length) {
      if (words[static_cast<std::size_t>(h + length - 1)] != reference_[static_cast<std::size_t>(r + length - 1)])
        return;
      if (is_worth_a_try({h, r, length})) try_targets(words, {h, r, length});
    }
  }

  // Both the run and its counterpart in the reference contain errors, and the run would move out of its place.
  bool is_worth_a_try(const Stretch& stretch) const {
    const Index partner = matching_.partner[static_cast<std::size_t>(stretch.reference)];
    return any(matching_.hypothesis_wrong, stretch.hypothesis, stretch.length) &&
           any(matching_.reference_wrong, stretch.reference, stretch.length) &&
           (partner < stretch.hypothesis || partner >= stretch.hypothesis + stretch.length);
  }

  // The positions after the words aligned to the word before the run, or to each of its words.
  void try_targets(const Symbols& words, const Stretch& stretch) {
    Index last = -1;
    for (Index offset = -1; offset < stretch.length; ++offset) {
      const Index word = stretch.reference + offset;
      const Index target = word < 0 ? 0 : matching_.partner[static_cast<std::size_t>(word)] + 1;
      if (target == last) continue;
      last = target;
      Shift shift{0, stretch.hypothesis, stretch.length, target};
      shift.gain = before_ - distance_(shifted(words, shift));
      ++candidates_;
      if (!best_ || shift.rank() > best_->rank()) best_ = shift;
    }
  }

  const Symbols& reference_;
  BeamEditDistance distance_;
  Index before_ = 0;
  WordMatching matching_;
  std::optional<Shift> best_;
  Index candidates_ = 0;
};

}  // namespace

Index edits_with_shifts(const Symbols& hypothesis, const Symbols& reference) {
  if (reference.empty()) return std::ssize(hypothesis);
  ShiftSearch search(reference);
  Symbols words = hypothesis;
  Index shifts = 0;
  for (;;) {
    const std::optional<Shift> best = search.best(words);
    if (search.exhausted() || !best || best->gain <= 0) break;
    words = shifted(std::move(words), *best);
    ++shifts;
  }
  return shifts + search.distance(words);
}

}  // namespace dhyan
