#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// The width of a text in terminal cells: 2 for wide characters (Han, emoji), 0 for combining marks and invisible
// characters, else 1; a cluster is as wide as its widest character.
// For scripts that are shaped this is a guess. Terminals differ: some give a Devanagari vowel sign its own cell, some
// draw a conjunct in one cell and some in two. If has_settled_width() is false, do not rely on columns: use
// numbered_words().
Index display_width(std::string_view text);
bool has_settled_width(std::string_view text);

enum class Align { kLeft, kRight, kCentre };

// Pads with spaces to a width; text that is wider is not changed.
std::string padded(std::string_view text, Index width, Align align = Align::kLeft);

// Cuts to a width between clusters; the last cell is an ellipsis if text was cut.
std::string cut(std::string_view text, Index width);

// Lines of whole words of at most a width; a word that is wider has a line of its own.
std::vector<std::string> wrapped(std::string_view text, Index width);

// "1 मैं  2 खाना  3 खा" in lines of at most a width, for use with columns that are headed by the numbers.
std::vector<std::string> numbered_words(std::span<const std::string> words, Index width, Index first = 1);

// Makes text safe for terminals and pictures: valid UTF-8, controls replaced by U+FFFD, tabs and line ends by spaces,
// direction marks and other formats removed, except joiners, which Devanagari needs. Text of spaces only becomes ␣.
std::string shown(std::string_view text);

}  // namespace dhyan
