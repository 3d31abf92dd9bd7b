#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dhyan {

// The vocabulary of a model of fairseq.
struct FairseqDictionary {
  std::string language;             // of the file dict.LANGUAGE.txt; empty for another name
  std::vector<std::string> tokens;  // <s> <pad> </s> <unk>, then those of the file
};

// Lines of a token and its count. ModelFileError, naming file and line, for other ones.
FairseqDictionary parse_fairseq_dictionary(const std::string& where, std::string_view text);

}  // namespace dhyan
