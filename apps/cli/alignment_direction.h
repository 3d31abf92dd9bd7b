#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/align_options.h"
#include "translator/word_links.h"

namespace dhyan::cli {

// One model and how its attention is read.
class AlignmentDirection {
 public:
  // UsageError if the model has no attention between two texts.
  AlignmentDirection(const std::string& folder, const AlignOptions& options);

  std::vector<Translation> force(const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                                 const Workers& workers);

  // The ways to read it that the options leave open; `forced` shows which layers and heads there are.
  std::vector<AttentionReading> open_readings(std::span<const Translation> forced, const AlignOptions& options) const;
  void read_as(const AttentionReading& reading) { reading_ = reading; }

  AttentionMap map(const Translation& forced) const {
    return word_map("align", forced, translator_.tokenizers(), reading_);
  }

  // UsageError if both are recorded as models from the same language to the same other one.
  void expect_reverse(const AlignmentDirection& other) const;

  // Warns on standard error about sentences without links, or with only some.
  void warn(const Translation& forced, std::uint64_t line, const std::string& file) const;

  const std::string& name() const { return name_; }
  const TokenizerPair& tokenizers() const { return translator_.tokenizers(); }

 private:
  std::string name_;
  Translator translator_;
  AttentionReading reading_;
};

// Sets layer, head and step as the options say and says on standard error what was chosen. With one model they are the
// mean of all layers and heads, unless named.
void choose_reading(AlignmentDirection& direction, std::span<const Translation> forced, const AlignOptions& options);

// With two, those by which the directions agree most on these sentences.
void choose_readings(AlignmentDirection& forward, std::span<const Translation> there, AlignmentDirection& reverse,
                     std::span<const Translation> back, const AlignOptions& options);

}  // namespace dhyan::cli
