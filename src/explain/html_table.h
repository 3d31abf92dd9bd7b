#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/real.h"

namespace dhyan {

// What tables of numbers in a page are made of; kTableStyle says how they look.
extern const std::string_view kTableStyle;

// Around a table: an area that scrolls where the table is wider than the page, named for who does not see it.
std::string scroll_area(std::string_view label, std::string_view table);

// A heading over so many columns.
std::string heading(std::string_view text, std::size_t columns = 1);
std::string blank(std::size_t columns);  // a cell over so many columns; nothing over none

// A number shaded by its size: `largest` is the darkest.
std::string number_cell(double value, double largest);
std::string number_cells(std::span<const Real> values, std::size_t count, double largest);

// A share of 1 as a bar.
std::string bar_cell(double share);

double norm_of(std::span<const Real> values);
double largest_of(std::span<const Real> values);

// The first `count` numbers of a vector and its norm, as a table of one row.
std::string vector_table(std::string_view name, std::span<const Real> values, std::size_t count);

}  // namespace dhyan
