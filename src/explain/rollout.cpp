#include "explain/rollout.h"

#include <algorithm>
#include <numeric>

namespace dhyan {

namespace {

using Rows = std::vector<std::vector<double>>;

// [0 | I | 0]: `before` columns of zeros, the identity, `after` columns of zeros.
Rows identity(std::size_t rows, std::size_t before, std::size_t after) {
  Rows result(rows, std::vector<double>(before + rows + after, 0));
  for (std::size_t i = 0; i < rows; ++i) result[i][before + i] = 1;
  return result;
}

class Rollout {
 public:
  explicit Rollout(std::span<const AttentionRecord> records) : records_(records) {}

  // The mean over heads; empty if there is no such layer.
  Rows attention(AttentionPlace place, Index layer) const {
    Rows mean;
    double heads = 0;
    for (const AttentionRecord& record : records_) {
      if (record.place != place || record.layer != layer) continue;
      if (mean.empty()) mean.assign(record.weights.size(), std::vector<double>(record.weights.front().size(), 0));
      for (std::size_t i = 0; i < mean.size(); ++i) {
        std::ranges::transform(mean[i], record.weights[i], mean[i].begin(), std::plus<>());
      }
      ++heads;
    }
    for (std::vector<double>& row : mean) {
      for (double& weight : row) weight /= heads;
    }
    return mean;
  }

  // E after the first `layers` layers: S rows, S columns and `after` columns of zeros.
  Rows source(std::size_t S, Index layers, std::size_t after) const {
    Rows E = identity(S, 0, after);  // [S,S+.]
    for (Index layer = 0; layer < layers; ++layer) {
      const Rows A = attention(AttentionPlace::kEncoder, layer);  // [S,S]
      if (A.empty()) break;
      E = halved(E, A, E);
    }
    return E;
  }

  // The shares of source and decoder input in each position of the decoder.
  Rows decoder(AttentionPlace place, Index layers) const {
    const Rows first = attention(place, 0);  // [T,S], or [T,T], or [T,S+T]
    const std::size_t T = first.size();
    const bool crosses = place == AttentionPlace::kCross;
    const std::size_t S = first.front().size() - (crosses ? 0 : T);
    Rows M = identity(T, S, 0);  // [T,S+T]
    for (Index layer = 0; layer < layers; ++layer) {
      if (const Rows A = attention(AttentionPlace::kDecoder, layer); !A.empty()) {
        Rows seen = A.front().size() > T ? source(S, layer, T) : Rows();  // [.,S+T]
        seen.insert(seen.end(), M.begin(), M.end());
        M = halved(M, A, seen);
      }
      if (crosses) M = halved(M, attention(AttentionPlace::kCross, layer), source(S, kAll, T));
    }
    return M;
  }

  static constexpr Index kAll = 1 << 20;

 private:
  // (M + A seen) / 2
  static Rows halved(const Rows& M, const Rows& A, const Rows& seen) {
    Rows result = M;
    for (std::size_t i = 0; i < M.size(); ++i) {
      for (std::size_t j = 0; j < A[i].size(); ++j) {
        for (std::size_t k = 0; k < M[i].size(); ++k) result[i][k] += A[i][j] * seen[j][k];
      }
      for (double& share : result[i]) share /= 2;
    }
    return result;
  }

  std::span<const AttentionRecord> records_;
};

// Keeps the first S columns and scales rows to sum to 1.
void keep_source(Rows& rows, std::size_t S) {
  for (std::vector<double>& row : rows) {
    row.resize(S);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& share : row) share /= sum;
  }
}

}  // namespace

AttentionRecord rollout(std::span<const AttentionRecord> records, AttentionPlace place, Index layers) {
  const Rollout all(records);
  const std::size_t columns = all.attention(place, 0).front().size();
  Rows rows = place == AttentionPlace::kEncoder ? all.source(columns, layers, 0) : all.decoder(place, layers);
  if (place == AttentionPlace::kCross) keep_source(rows, columns);
  AttentionRecord result{.place = place};
  for (const std::vector<double>& row : rows) result.weights.emplace_back(row.begin(), row.end());
  return result;
}

}  // namespace dhyan
