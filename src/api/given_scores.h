#pragma once

#include <dhyan/score_function.h>
#include <memory>
#include <string>
#include <vector>

#include "attention/attention_config.h"

namespace dhyan::api {

// The built-in score functions and those of a caller. Must outlive the models that use it.
class GivenScores {
 public:
  // UsageError for a score without a name or a forward function, or with the name of another one.
  explicit GivenScores(const std::vector<v1::ScoreFunction>& given);
  GivenScores(const GivenScores&) = delete;
  GivenScores& operator=(const GivenScores&) = delete;

  AttentionTables tables() const;  // the built-in ones themselves if nothing was given

 private:
  std::vector<std::unique_ptr<const v1::ScoreFunction>> given_;
  std::vector<ScoreEntry> entries_;
};

}  // namespace dhyan::api
