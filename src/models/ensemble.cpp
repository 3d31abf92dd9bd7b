#include "models/ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/rows/softmax.h"
#include "models/decoding_workspace.h"

namespace dhyan {

namespace {

class EnsembleDecoding final : public Decoding {
 public:
  EnsembleDecoding(std::vector<std::unique_ptr<Decoding>> members, std::span<const double> weights)
      : members_(std::move(members)), weights_(weights) {}

  Index sentences() const override { return members_.front()->sentences(); }
  std::vector<AttentionStep> source_attention() const override { return members_.front()->source_attention(); }
  Var context_vector() const override { return members_.front()->context_vector(); }

  // log Σ_m w_m p_m, which serves as logits because its softmax is itself.
  DecoderStep step(const Continuation& continuation) override {
    room_.arena.reset();
    Continuation of_all_words = continuation;
    of_all_words.best = 0, of_all_words.log_sums = false;
    DecoderStep result;
    Tensor mean, p;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      DecoderStep step = members_[m]->step(of_all_words);
      const Tensor logits = step.logits.value();  // [A,V]
      if (m == 0) {
        result.attention = std::move(step.attention);
        mean = room_.scope.tensor(logits.shape());
        p = room_.scope.tensor(logits.shape());
        std::ranges::fill(mean.span(), Real{0});
      }
      kernels::softmax_rows(logits.matrix(), p.matrix());
      kernels::scale_add(p.span(), static_cast<Real>(weights_[m]), mean.span());
    }
    for (Real& number : mean.span()) number = std::log(std::max(number, std::numeric_limits<Real>::min()));
    result.logits = room_.scope.constant(mean);
    return result;
  }

 private:
  std::vector<std::unique_ptr<Decoding>> members_;
  std::span<const double> weights_;  // of the model
  DecodingWorkspace room_;
};

}  // namespace

EnsembleModel::EnsembleModel(std::vector<std::unique_ptr<TranslationModel>> models, std::vector<double> weights)
    : models_(std::move(models)), weights_(std::move(weights)) {
  if (models_.empty()) throw UsageError("ensemble: there are no models");
  if (weights_.empty()) weights_.assign(models_.size(), 1);
  if (weights_.size() != models_.size()) {
    throw UsageError(cat("ensemble: ", weights_.size(), " weights for ", models_.size(), " models"));
  }
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  const bool negative = std::ranges::any_of(weights_, [](double weight) { return !(weight >= 0); });
  if (negative || !(sum > 0) || !std::isfinite(sum)) {
    throw UsageError("ensemble: weights must be 0 or more, and one of them more");
  }
  for (double& weight : weights_) weight /= sum;
}

BatchLoss EnsembleModel::loss(Scope&, const Batch&, const LossOptions&) const {
  throw UsageError("ensemble: cannot be trained; train its models");
}

std::unique_ptr<Decoding> EnsembleModel::decode(const SourceBatch& source) const {
  std::vector<std::unique_ptr<Decoding>> members;
  SourceBatch of_member = source;
  for (const auto& model : models_) {
    members.push_back(model->decode(of_member));
    of_member.edits = {};
  }
  return std::make_unique<EnsembleDecoding>(std::move(members), weights_);
}

Index EnsembleModel::longest() const {
  Index least = std::numeric_limits<Index>::max();
  for (const auto& model : models_) least = std::min(least, model->longest());
  return least;
}

}  // namespace dhyan
