#pragma once

#include <dhyan/explanation.h>

#include "translator/named_picture.h"
#include "translator/translator.h"

namespace dhyan::api {

// A model and the threads that explain with it.
struct ExplainingModel {
  const Translator& translator;
  ThreadPool& pool;
};

v1::Explanation explained(const ExplainingModel& model, std::span<const std::string> line,
                          const v1::ExplainOptions& options);
v1::Explanation explained(const ExplainingModel& model, const NamedPicture& picture, const v1::ExplainOptions& options);

}  // namespace dhyan::api
