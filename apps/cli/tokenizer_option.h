#pragma once

#include <memory>
#include <string>

#include "text/tokenizer_factory.h"

namespace dhyan::cli {

// The tokenizers of a model's folder; its weights are not read. ModelFileError if there is no such model.
TokenizerPair tokenizers_of_model(const std::string& folder);

}  // namespace dhyan::cli
