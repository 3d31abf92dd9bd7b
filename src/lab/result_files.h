#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab/findings.h"

namespace dhyan::lab {

// The content of an experiment's result.json.
struct LabResult {
  std::string experiment, claim, paper, data, command;
  std::string seeds;  // "1 to 3"
  double minutes = 0;
  std::string machine;  // threads and vector instructions
  std::string measured = {};
  bool holds = false;
  struct Figure {
    std::string name, title, description, table;
    std::string text = {};  // for a terminal; not in result.json
  };
  std::vector<Figure> figures = {};  // name.svg
  std::vector<ResultTable> tables = {};
};

// "One fixed vector forgets …: BLEU falls from 81 to 34: holds."
std::string sentence_of(const LabResult& result);

inline constexpr std::string_view kResultFile = "result.json";

// Writes result.json, a CSV file for each table and an SVG file for each figure; returns the result with its findings.
LabResult write_result(const std::filesystem::path& folder, LabResult result, const Findings& findings);

std::string to_json(const LabResult& result);
std::string to_csv(const ResultTable& table);  // RFC 4180; NaN is an empty field

// The bytes are not trusted: DataError with `where` for anything but the result of an experiment.
LabResult parse_result(std::string_view text, std::string_view where);
LabResult read_result(const std::filesystem::path& folder);

}  // namespace dhyan::lab
