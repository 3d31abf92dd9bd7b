#pragma once

#include "translator/translator.h"

namespace dhyan {

// The fixed context vector of a model without attention; empty for other models.
std::vector<Real> context_vector_of(const TranslationModel& model, const Translation& translation,
                                    const PictureSource* pictures = nullptr);

}  // namespace dhyan
