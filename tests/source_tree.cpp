#include "source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/error.h"

namespace dhyan {

namespace fs = std::filesystem;

fs::path source_folder() { return DHYAN_SOURCE_FOLDER; }

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(cat(path.string(), ": cannot open"));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> sources_below(const std::string& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(source_folder() / folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> files{source_folder() / "README.md", source_folder() / "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(source_folder() / "docs")) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace dhyan
