#pragma once

#include <array>
#include <cstdint>
#include <dhyan/translator.h>
#include <string>
#include <vector>

#include "explain/attention_map.h"
#include "translator/translator.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

enum class AlignmentText { kNone, kHard, kSoft };
inline constexpr std::array kAlignments{Choice{"hard", AlignmentText::kHard}, Choice{"soft", AlignmentText::kSoft}};

// The parts of a translation that are written besides its text.
struct TranslationFormat {
  bool json = false;
  bool n_best = false;
  AlignmentText alignment = AlignmentText::kNone;
  bool word_scores = false;
  Units units = Units::kWords;  // of alignments and scores
};

// The n-best list of a line as lines of output, in the order of Marian's columns, which " ||| " separates:
//   text, alignment, "WordScores=" and log p of each target unit, </s> included
// and of n-best lists each hypothesis with the number of its line, from 0, in front and its score behind. Alignments:
//   hard   Pharaoh's i-j, source first, from 0: what each target unit looks at most
//   soft   a row for each target unit, of the weights of all source units with commas between; </s> on both sides
// Or JSON, an object a line, whose attention is the soft alignment; a hard one, [i,j] for i-j, is there if asked for.
// The mean is taken over layers and heads. A line that was cut into sentences is written as one
// (translator/translation_units.h).
std::string to_text(const v1::NBest& n_best, std::uint64_t line, const TranslationFormat& format);

// A given translation as it was scored: its score, and if asked for the alignment and "WordScores=" in columns, or
// JSON, both as above. What has no tokens has no score: -inf, in JSON null.
std::string scored_text(const v1::Translation& scored, std::uint64_t line, const TranslationFormat& format);

// What a translation has to tell for a format.
v1::Details details_of(const TranslationFormat& format);

// --alignment.
void add_alignment_option(CLI::App& command, AlignmentText& alignment);

// UsageError that names the model and what was asked for, for a model without cross-attention.
void expect_cross_attention(std::string_view command, const std::string& name, const v1::Translator& translator,
                            std::string_view asked);
void expect_cross_attention(std::string_view command, const std::string& name, const TranslationModel& model,
                            std::string_view asked);

// UsageError, naming the model and the command to use instead, for a model of pictures and for one of text.
void expect_text_model(std::string_view command, const std::string& name, const TranslationModel& model,
                       std::string_view instead = "use dhyan caption");
void expect_text_model(std::string_view command, const std::string& name, const v1::Translator& translator);
void expect_picture_model(std::string_view command, const std::string& name, const TranslationModel& model);

}  // namespace dhyan::cli
