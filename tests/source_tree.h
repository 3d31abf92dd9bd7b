#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dhyan {

// The checked-out project, as its own tests read it.
std::filesystem::path source_folder();

// The contents of a text file.
std::string text_of(const std::filesystem::path& path);

// Every *.h and *.cpp below a folder of the project, sorted; none if there is no such folder.
std::vector<std::filesystem::path> sources_below(const std::string& folder);

// README.md, CONTRIBUTING.md and docs/*.md, sorted.
std::vector<std::filesystem::path> documents();

}  // namespace dhyan
