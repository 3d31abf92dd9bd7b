#pragma once

#include "translator/caption_stream.h"

namespace dhyan::cli {

struct CaptionFormat {
  bool json = false;
  bool n_best = false;
  bool names = false;  // the picture's name and a tab before each caption; JSON always has it
};

// The captions of picture `number`, from 0, as lines of output: the caption, or of n-best lists
//   number ||| caption ||| score
// or JSON, an object a line. A picture that could not be decoded has a line in JSON only, with "error".
std::string caption_text(const CaptionedResult& result, std::uint64_t number, const TokenizerPair& tokenizers,
                         const CaptionFormat& format);

}  // namespace dhyan::cli
