#include "translator/context_vector.h"

namespace dhyan {

std::vector<Real> context_vector_of(const TranslationModel& model, const Translation& translation,
                                    const PictureSource* pictures) {
  if (model.attends()) return {};
  const std::vector<TokenId>& source = translation.source_tokens;
  const auto decoding =
      model.decode({.tokens = source, .segments = Segments::one(std::ssize(source)), .pictures = pictures});
  const std::span<const Real> context_vector = decoding->context_vector().value().row(0);  // [H]
  return {context_vector.begin(), context_vector.end()};
}

}  // namespace dhyan
