#pragma once

#include <memory>
#include <string>

#include "cli/output.h"
#include "data/text_writer.h"

namespace dhyan::cli {

// Where a command writes text: "-" is standard output, in blocks; any other name a file (open_text_file).
std::unique_ptr<TextSink> open_sink(const std::string& file, Output& output);

}  // namespace dhyan::cli
