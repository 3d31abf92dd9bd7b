#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// Fewest insertions, deletions, replacements and swaps of neighbours of a letter that lead from a to b.
int edit_distance(std::string_view a, std::string_view b);

// "; did you mean 'explain'?" for the candidate nearest to what was typed, or "" if none is near.
std::string suggestion(std::string_view typed, std::span<const std::string> candidates);

}  // namespace dhyan
