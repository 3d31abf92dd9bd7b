#include "text/vocabulary_tokenizer.h"

namespace dhyan {

void VocabularyTokenizer::save(const std::filesystem::path& folder, std::string_view side) const {
  vocabulary_.save(vocabulary_path(folder, side));
}

std::filesystem::path vocabulary_path(const std::filesystem::path& folder, std::string_view side) {
  return folder / (std::string(side) + ".vocab");
}

}  // namespace dhyan
