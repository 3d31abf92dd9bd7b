#include "core/suggest.h"

#include <algorithm>
#include <vector>

#include "core/error.h"

namespace dhyan {

int edit_distance(std::string_view a, std::string_view b) {
  // distance[i][j] from the first i letters of a to the first j of b
  std::vector<std::vector<int>> distance(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      int& d = distance[i][j];
      if (i == 0 || j == 0) {
        d = static_cast<int>(i + j);
        continue;
      }
      const int replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d = std::min(d, distance[i - 2][j - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

namespace {

// Twice the edit distance to the candidate, or to a prefix of it that ends before a hyphen, plus 1: at equal distance a
// whole name wins. A candidate that starts with the typed text is at distance 0.
int suggestion_distance(std::string_view candidate, std::string_view typed) {
  if (typed.size() > 1 && candidate.starts_with(typed)) return 0;
  int distance = 2 * edit_distance(typed, candidate);
  for (std::size_t end = candidate.find('-', 2); end != std::string_view::npos; end = candidate.find('-', end + 1)) {
    distance = std::min(distance, 2 * edit_distance(typed, candidate.substr(0, end)) + 1);
  }
  return distance;
}

}  // namespace

std::string suggestion(std::string_view typed, std::span<const std::string> candidates) {
  std::string_view nearest;
  int best = 2 * (static_cast<int>(typed.size() + 2) / 3) + 1;  // beyond that there is no suggestion
  for (const std::string& candidate : candidates) {
    const int distance = suggestion_distance(candidate, typed);
    if (distance > best || (distance == best && !nearest.empty())) continue;
    nearest = candidate;
    best = distance;
  }
  return nearest.empty() ? "" : cat("; did you mean '", nearest, "'?");
}

std::string unknown_name(std::string_view what, std::string_view typed, std::span<const std::string> known) {
  std::string text = cat("there is no ", what, " '", typed, "'", suggestion(typed, known));
  if (!text.ends_with('?')) text += '.';
  text += " Known are ";
  for (const std::string& name : known) text += cat(&name == known.data() ? "" : ", ", name);
  return text;
}

}  // namespace dhyan
