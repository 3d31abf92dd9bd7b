#pragma once

#include <vector>

#include "decoding/search.h"
#include "decoding/step_scores.h"

namespace dhyan {

// Records attention and best words of the steps of a batch. Each step is copied once; the attention of a returned
// hypothesis is assembled from its rows at the end.
class StepRecords {
 public:
  explicit StepRecords(const SearchOptions& options)
      : keep_(options.keep), candidates_(options.candidates), most_(options.max_recorded) {}

  bool want_attention() const { return keep_ != RecordedAttention::kNothing; }
  void add_source(std::span<const AttentionStep> attention);  // self-attention of the encoder
  void add(const DecoderStep& step, const StepScores& scores);

  // Fills in attention and candidates of a hypothesis of sentence b, whose token t was chosen in row rows[t] of step t.
  void fill(Index b, std::span<const RowId> rows, Hypothesis& hypothesis) const;
  void fill_source(Index b, Hypothesis& hypothesis) const;  // encoder self-attention only

 private:
  struct Layer {
    AttentionPlace place = AttentionPlace::kCross;
    Index number = 0;
    kernels::AttentionLayout layout;
    std::vector<Index> offsets = {};     // first element of each query segment
    std::vector<Index> segment_of = {};  // [A]  the segment of each query
    std::vector<Real> weights = {};      // [Σ N T_b S_b]
    std::vector<Real> energy = {};       // [Σ N T_b S_b]
    std::vector<Real> context = {};      // [A,N*K]
  };
  struct Step {
    std::vector<Layer> layers;
    std::vector<Candidate> candidates;  // [A,k]
    Index k = 0;
  };

  bool wanted(const AttentionStep& attention) const;
  Layer copy_of(const AttentionStep& attention);
  void append(const Layer& layer, Index row, AttentionRecord& record) const;

  RecordedAttention keep_;
  Index candidates_;
  Index most_, recorded_ = 0;  // numbers of attention
  std::vector<Layer> source_;
  std::vector<Step> steps_;
};

}  // namespace dhyan
