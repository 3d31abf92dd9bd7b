#include "core/error.h"
#include "models/ensemble.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

void expect_same_vocabularies(const LoadedModel& first, const LoadedModel& other, const std::string& where) {
  const auto same = [](const auto& a, const auto& b) { return a->fingerprint() == b->fingerprint(); };
  const bool source = same(first.tokenizers.source, other.tokenizers.source);
  if (source && same(first.tokenizers.target, other.tokenizers.target)) return;
  throw ModelFileError(cat(where, " differ in the vocabulary of the ", source ? "target" : "source",
                           "; models that translate together must have the same"));
}

void expect_same_pictures(const TranslationModel& first, const TranslationModel& other, const std::string& where) {
  const GridShape one = first.pictures().pixels, two = other.pictures().pixels;
  if (one == two) return;
  const auto reads = [](GridShape pixels) {
    return pixels.cells() == 0 ? std::string("text") : cat(pixels, " pixels");
  };
  throw ModelFileError(cat(where, " read different sources, ", reads(one), " and ", reads(two),
                           "; models that translate together must read the same"));
}

std::unique_ptr<TranslationModel> translating(LoadedModel& loaded) {
  model_for<TranslationModel>("translate", loaded);
  return std::unique_ptr<TranslationModel>(static_cast<TranslationModel*>(loaded.model.release()));
}

}  // namespace

LoadedModel load_ensemble(std::span<const std::filesystem::path> folders, std::vector<double> weights,
                          const AttentionTables& tables) {
  if (folders.empty()) throw UsageError("ensemble: there are no models");
  LoadedModel first = load_model(folders.front(), tables);
  if (folders.size() == 1 && weights.empty()) return first;
  std::vector<std::unique_ptr<TranslationModel>> models;
  models.push_back(translating(first));
  for (const std::filesystem::path& folder : folders.subspan(1)) {
    LoadedModel other = load_model(folder, tables);
    expect_same_vocabularies(first, other, cat(folders.front().string(), " and ", folder.string()));
    models.push_back(translating(other));
    expect_same_pictures(*models.front(), *models.back(), cat(folders.front().string(), " and ", folder.string()));
    first.weights.insert(first.weights.end(), other.weights.begin(), other.weights.end());
  }
  first.model = std::make_unique<EnsembleModel>(std::move(models), std::move(weights));
  return first;
}

}  // namespace dhyan
