#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// How many cells of a terminal a text takes: 2 for wide characters (Han, emoji), 0 for combining marks and invisible
// characters, else 1; a cluster takes what its widest character takes.
// For scripts that are shaped this is a guess. Terminals differ: some give a Devanagari vowel sign a cell of its own,
// some draw a conjunct in one cell and some in two. Where has_settled_width() says no, do not rely on columns: use
// numbered_words().
Index display_width(std::string_view text);
bool has_settled_width(std::string_view text);

enum class Align { kLeft, kRight, kCentre };

// Filled with spaces up to a width; as it is if it is that wide.
std::string padded(std::string_view text, Index width, Align align = Align::kLeft);

// Whole clusters up to a width, the last cell an ellipsis if anything was left out.
std::string cut(std::string_view text, Index width);

// Lines of whole words of at most a width; a word that is wider has a line of its own.
std::vector<std::string> wrapped(std::string_view text, Index width);

// "1 मैं  2 खाना  3 खा", for text below which columns are headed by the numbers: lines of at most a width.
std::vector<std::string> numbered_words(std::span<const std::string> words, Index width, Index first = 1);

// Text that nothing in it can steer a terminal or break a picture: in UTF-8, controls replaced by U+FFFD, tabs and line
// ends by spaces, marks of direction and other formats left out, but joiners kept, which Devanagari is spelled with.
// What is spaces alone becomes visible: ␣.
std::string shown(std::string_view text);

}  // namespace dhyan
