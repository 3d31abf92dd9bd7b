#pragma once

#include <limits>

#include "models/decoder_only.h"
#include "models/decoding_workspace.h"

namespace dhyan {

// Continues sequences token by token, without a tape.
class DecoderOnlyDecoding final : public Decoding {
 public:
  // The network must outlive it; `read` may go; tokens beyond the context are not read. When a sequence outgrows the
  // context later, its younger half is read again as if it were the whole.
  DecoderOnlyDecoding(const DecoderOnlyNetwork& network, const SourceBatch& read,
                      Index context = std::numeric_limits<Index>::max());

  Index sentences() const override { return sentences_; }
  DecoderStep step(const Continuation& continuation) override;
  std::vector<AttentionStep> source_attention() const override;  // of what was read first

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
  std::vector<Sequence> sequences_;  // of each hypothesis, as far as the cache has read them
};

}  // namespace dhyan
