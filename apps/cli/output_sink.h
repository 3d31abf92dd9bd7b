#pragma once

#include <memory>
#include <string>

#include "cli/output.h"
#include "data/text_writer.h"

namespace dhyan::cli {

// The destination of a command's text: "-" is standard output, in blocks; any other name is a file (open_text_file).
std::unique_ptr<TextSink> open_sink(const std::string& file, Output& output);

}  // namespace dhyan::cli
