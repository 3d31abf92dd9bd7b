#pragma once

#include <dhyan/evaluation.h>

#include "translator/evaluation.h"

namespace dhyan::api {

v1::Evaluation evaluated(const Translator& translator, const v1::TestSet& set, const SearchOptions& search,
                         const v1::EvaluateOptions& options, const Workers& workers);

}  // namespace dhyan::api
