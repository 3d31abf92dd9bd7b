#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/lines.h"
#include "translator/search_request.h"

namespace dhyan {

// The files that a request names.
std::vector<std::string> files_of(const SearchRequest& request);

// Options of translation with the files that the request names: phrases and lexicons are read, the files that have a
// line for each line of the input are opened.
struct OpenedRequest {
  TranslationOptions translation;
  std::unique_ptr<Shortlist> shortlist;
  std::unique_ptr<LineReader> prefixes, required;
};
OpenedRequest open_request(const SearchRequest& request, const SearchOptions& search, const TokenizerPair& tokenizers);

// IoError that describes the file an option takes if the file is missing, because the user may have given text instead.
// An empty name is accepted.
void expect_side_file(const std::string& file, std::string_view option, std::string_view content);

// Whether there is no such file; an unreadable file exists. A name that is too long for the system is not a file.
bool is_missing_file(const std::string& name);

}  // namespace dhyan
