#pragma once

#include "importing/imported_model.h"
#include "importing/source_files.h"

namespace dhyan {

inline constexpr std::string_view kOwnFolder = "dhyan";  // in a folder of another toolkit that dhyan has exported

// Takes config and tokenizers from there, if there are any, so that an exported model comes back as it was.
// ModelFileError if they do not have the tokens of the model.
void take_own_settings(const SourceFiles& files, ImportedModel& model);

}  // namespace dhyan
