#pragma once

#include <initializer_list>
#include <string>

#include "importing/formats.h"
#include "interop/torch_file.h"

namespace dhyan {

// Checkpoints of PyTorch, of which files hold one or several: weights, settings, states of optimizers.

// The name of the checkpoint (.pt, .pth) whose pickle has this text: the one that was named, the one called best, the
// last one or the only one. Empty if there is none.
std::string checkpoint_that_mentions(const SourceFiles& files, std::string_view text);

class ForeignCheckpoint {
 public:
  ForeignCheckpoint(const SourceFiles& files, const std::string& name)
      : where_(files.where(name)), file_(where_, files.bytes(name), PickledObjects::kInert) {}

  const nlohmann::json& settings() const { return file_.settings(); }

  // Those whose names begin so.
  ForeignTensors tensors(std::initializer_list<std::string_view> beginnings) const;

 private:
  std::string where_;
  TorchFile file_;
};

// By what the tokens look like: those of subword-nmt, which need its codes; pieces of SentencePiece; or words between
// spaces. GivenFiles::source_pieces may name codes too.
void set_piece_or_word_tokenizers(ImportedModel& model, const VocabularyOrder& source, const VocabularyOrder& target,
                                  const SourceFiles& files, const GivenFiles& given);

}  // namespace dhyan
