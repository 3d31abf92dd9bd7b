#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/real.h"

namespace dhyan {

// The parts of a page's tables of values; kTableStyle is their CSS.
extern const std::string_view kTableStyle;

// An area around a table that scrolls if the table is wider than the page; the label is for screen readers.
std::string scroll_area(std::string_view label, std::string_view table);

// A heading over one or more columns.
std::string heading(std::string_view text, std::size_t columns = 1);
std::string blank(std::size_t columns);  // an empty cell over some columns; no cell for 0 columns

// A value shaded by its magnitude; `largest` has the darkest shade.
std::string number_cell(double value, double largest);
std::string number_cells(std::span<const Real> values, std::size_t count, double largest);

// A share from 0 to 1 as a bar.
std::string bar_cell(double share);

double norm_of(std::span<const Real> values);
double largest_of(std::span<const Real> values);

// The first `count` elements of a vector and its norm, as a table of one row.
std::string vector_table(std::string_view name, std::span<const Real> values, std::size_t count);

}  // namespace dhyan
