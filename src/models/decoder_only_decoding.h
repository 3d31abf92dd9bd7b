#pragma once

#include <limits>

#include "models/decoder_only.h"
#include "models/decoding_workspace.h"

namespace dhyan {

// Continues sequences token by token, without a tape.
class DecoderOnlyDecoding final : public Decoding {
 public:
  // The network must outlive it, `read` need not; tokens beyond the context are not read. When a sequence outgrows the
  // context later, its second half is read again as if it were the whole sequence.
  DecoderOnlyDecoding(const DecoderOnlyNetwork& network, const SourceBatch& read,
                      Index context = std::numeric_limits<Index>::max());

  Index sentences() const override { return sentences_; }
  DecoderStep step(const Continuation& continuation) override;
  std::vector<AttentionStep> source_attention() const override;  // of the sequences read at the beginning

 private:
  using Sequence = std::vector<TokenId>;

  void follow(const Continuation& continuation);
  StackOutput read_into(DecodingWorkspace& workspace, Index longest);

  const DecoderOnlyNetwork& network_;
  Index sentences_;
  Index context_;
  DecodingWorkspace first_, now_;
  StackOutput read_first_;
  Segments first_segments_;
  KeyValueCache cache_;
  std::vector<Sequence> sequences_;  // the tokens of each hypothesis that the cache has
};

}  // namespace dhyan
