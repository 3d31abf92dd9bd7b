#pragma once

#include <string>
#include <variant>
#include <vector>

#include "explain/drawing.h"
#include "explain/plot.h"

namespace dhyan::lab {

using TableCell = std::variant<std::string, double>;  // NaN: not measured

// Numbers of an experiment: a CSV file, and a table on the page.
struct ResultTable {
  std::string name;  // of its file: "half-lives"
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;
};

// A picture of an experiment: an SVG file.
struct ResultFigure {
  std::string name;  // of its file
  Drawing drawing;
  std::string table = {};  // name of the table that has its numbers; empty: the picture has them itself
  std::string text = {};   // the same for a terminal; may be empty
};

// The findings of an experiment.
struct Findings {
  std::vector<ResultFigure> figures;
  std::vector<ResultTable> tables;
  std::string measured;  // the numbers in words: "BLEU falls from 81 to 34"
  bool holds = false;    // the claim
};

// The points of a plot as a table: x, line, y and, where there are spreads, the spread.
ResultTable table_of(const Plot& plot, const std::string& name);

// A figure with its table, of the same name.
void add_plot(Findings& findings, const Plot& plot, const std::string& name);

// Mean and standard deviation over seeds.
struct Spread {
  double mean = 0;
  double deviation = 0;  // of a sample; 0 for one value
};
Spread spread_of(const std::vector<double>& values);

}  // namespace dhyan::lab
