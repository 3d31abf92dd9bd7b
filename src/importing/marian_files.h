#pragma once

#include "importing/formats.h"
#include "interop/marian_shortlist.h"

namespace dhyan {

// The tokens of the vocabularies of a Marian model, by its ids: of the files that were named, or those of its folder.
// One file can be both. SentencePiece models that are vocabularies also cut lines.
struct MarianVocabularies {
  std::vector<std::string> source, target;
  PieceModels pieces;                  // of vocabularies that are SentencePiece models; or none
  std::vector<MappedFile> files = {};  // whose memory they are
};
MarianVocabularies vocabularies_of_marian(const SourceFiles& files, const GivenFiles& given);

// The binary shortlist of its folder; none, or several, of which none is chosen: nothing.
std::optional<std::string> shortlist_of_marian(const SourceFiles& files);  // its name

}  // namespace dhyan
