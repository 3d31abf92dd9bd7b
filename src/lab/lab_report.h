#pragma once

#include <filesystem>
#include <string>

namespace dhyan::lab {

// A self-contained HTML page with the results in a folder's subfolders, or in the folder itself, in the order of the
// table of experiments: claims and verdicts, plots, numbers, commands and seeds. DataError if there are none.
std::string lab_report(const std::filesystem::path& folder);

}  // namespace dhyan::lab
