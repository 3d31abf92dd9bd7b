#include "importing/own_folder.h"

#include "core/error.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

bool has_tokens_of(const Tokenizer& a, const Tokenizer& b) {
  if (a.size() != b.size()) return false;
  for (TokenId id = 0; id < a.size(); ++id) {
    if (a.piece(id) != b.piece(id)) return false;
  }
  return true;
}

}  // namespace

void take_own_settings(const SourceFiles& files, ImportedModel& model) {
  if (!files.is_folder() || !files.has(cat(kOwnFolder, '/', kConfigFile))) return;
  const std::filesystem::path folder = files.path() / kOwnFolder;
  Config config = load_config(folder);
  TokenizerPair tokenizers = load_tokenizers(config.tokenizer.kind, folder);
  if (!has_tokens_of(*tokenizers.source, *model.tokenizers.source) ||
      !has_tokens_of(*tokenizers.target, *model.tokenizers.target)) {
    throw ModelFileError(cat(folder.string(), ": has other tokens than the model beside it; remove it to import that"));
  }
  model.config = std::move(config);
  model.tokenizers = std::move(tokenizers);
}

}  // namespace dhyan
