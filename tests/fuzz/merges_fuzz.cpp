// libFuzzer: a file of merges throws ModelFileError, or merges any text: what was merged covers it. Words of BERT and
// GPT-2 ascend, and those of GPT-2 cover the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "text/bert_words.h"
#include "text/merges_tokenizer.h"
#include "text/unicode.h"

namespace {

using namespace dhyan;

void check_words(std::string_view text) {
  Index last = 0;
  for (const ByteRange& range : gpt2_words(text)) {
    if (range.begin != last || range.end <= last) std::abort();
    last = range.end;
  }
  if (last != std::ssize(text)) std::abort();
  for (const BertLetters letters : {BertLetters::kKept, BertLetters::kLowerWithoutAccents}) {
    last = 0;
    for (const BertWord& word : bert_words(text, letters)) {
      for (const BertCharacter& character : word) {
        if (character.range.begin < 0 || character.range.end > std::ssize(text) || character.range.end < last)
          std::abort();
        last = character.range.begin;
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_words(replace_bad_utf8(text));
  try {
    const PairMerges merges = PairMerges::parse("fuzz", text);
    std::vector<std::string> symbols;
    for (const char byte : text) symbols.emplace_back(1, byte);
    std::size_t last = 0;
    for (const PairMerges::Merged& merged : merges.apply(symbols)) {
      if (merged.begin != last || merged.end <= last) std::abort();
      last = merged.end;
    }
    if (last != symbols.size()) std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}
