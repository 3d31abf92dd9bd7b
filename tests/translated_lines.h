#pragma once

#include <string>
#include <vector>

namespace dhyan {

// For tests of the binary's output: the columns of a line.
inline std::vector<std::string> columns_of(const std::string& line) {
  const std::string between = " ||| ";
  std::vector<std::string> columns;
  std::size_t begin = 0;
  for (std::size_t end; (end = line.find(between, begin)) != line.npos; begin = end + between.size()) {
    columns.push_back(line.substr(begin, end - begin));
  }
  columns.push_back(line.substr(begin));
  return columns;
}

// Removes the warning about cut translations: models with random weights seldom write </s>.
inline std::string without_cut_warning(std::string error) {
  const std::size_t cut = error.find(" did not end within the length limit");
  if (cut == error.npos) return error;
  const std::size_t before = error.rfind('\n', cut), begin = before == error.npos ? 0 : before + 1;
  return error.erase(begin, error.find('\n', cut) + 1 - begin);
}

}  // namespace dhyan
