#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbouring letters from a to b.
int edit_distance(std::string_view a, std::string_view b);

// "; did you mean 'explain'?" for the candidate nearest to the typed text, or "" if none is near.
std::string suggestion(std::string_view typed, std::span<const std::string> candidates);

// "there is no preset 'luon'; did you mean 'luong'? Known are luong, rnnsearch", of what `what` calls.
std::string unknown_name(std::string_view what, std::string_view typed, std::span<const std::string> known);

}  // namespace dhyan
