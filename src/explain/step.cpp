#include "explain/step.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "explain/number_format.h"
#include "explain/step_parts.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr Index kCell = 14;
constexpr std::size_t kFirst = 8;  // elements of a long vector that are shown

std::string right(const std::string& text) { return padded(text, kCell, Align::kRight); }

class StepText {
 public:
  StepText(const Translated& translated, const TokenizerPair& tokenizers, const StepOptions& options)
      : translated_(translated),
        tokenizers_(tokenizers),
        options_(options),
        i_(static_cast<std::size_t>(options.step - 1)) {}

  std::string text() {
    const Hypothesis& hypothesis = translated_.hypothesis;
    text_ = cat("Step ", options_.step, " of ", hypothesis.tokens.size(), ": after \"", steps_.text_before(i_),
                "\" the model writes \"", steps_.piece(hypothesis.tokens[i_]), "\", ",
                probability_in_words(hypothesis.token_scores[i_]), '\n');
    for (const ChosenAttention& chosen : chosen_attention(hypothesis.attention, options_.attention)) {
      if (chosen.place != AttentionPlace::kEncoder) append_place(chosen);
    }
    if (hypothesis.attention.empty()) append_context_vector();
    append_words();
    return std::move(text_);
  }

 private:
  std::string symbol(std::string_view letter, std::string_view index) const {
    return cat(letter, '_', options_.step, index);
  }

  void append_place(const ChosenAttention& chosen) {
    const std::vector<const AttentionRecord*>& records = chosen.records;
    if (options_.attention.summary == Summary::kNone || records.size() == 1) {
      for (const AttentionRecord* record : records) append_attention(*record);
      return;
    }
    append_overview(chosen);
    const auto last = std::ranges::find(records, records.back()->layer, &AttentionRecord::layer);
    append_attention(**last);
  }

  // The weights of each layer, or of each head if one layer is chosen.
  void append_overview(const ChosenAttention& chosen) {
    const bool by_head = chosen.records.front()->layer == chosen.records.back()->layer;
    std::map<Index, std::vector<const AttentionRecord*>> columns;
    for (const AttentionRecord* record : chosen.records) {
      columns[by_head ? record->head : record->layer].push_back(record);
    }
    text_ += cat("\nWeights ", symbol("α", "j"), " of ", title_of(chosen.place),
                 by_head ? cat(", layer ", chosen.records.front()->layer + 1) : ", the mean over heads", '\n',
                 padded("j", 4, Align::kRight));
    for (const auto& [column, records] : columns) text_ += narrow(cat(by_head ? "head " : "layer ", column + 1));
    text_ += cat(narrow("mean"), "  ", looked_at(*chosen.records.front()), '\n');
    for (std::size_t j = 0; j < RecordedSteps::seen(*chosen.records.front(), i_); ++j) {
      text_ += padded(std::to_string(j + 1), 4, Align::kRight);
      for (const auto& [column, records] : columns) text_ += narrow(fixed(mean_weight(records, j), 4));
      text_ +=
          cat(narrow(fixed(mean_weight(chosen.records, j), 4)), "  ", steps_.key(*chosen.records.front(), j), '\n');
    }
  }

  double mean_weight(const std::vector<const AttentionRecord*>& records, std::size_t j) const {
    double sum = 0;
    for (const AttentionRecord* record : records) sum += record->weights[i_][j];
    return sum / static_cast<double>(records.size());
  }

  static std::string narrow(const std::string& text) { return padded(text, 10, Align::kRight); }

  std::string_view looked_at(const AttentionRecord& record) const {
    if (record.place == AttentionPlace::kDecoder) return "given";
    return translated_.cells.empty() ? "source" : "cell: row,column";
  }

  void append_attention(AttentionRecord record) {
    const bool is_only = translated_.hypothesis.attention.size() == 1;
    if (!is_only) {
      text_ += cat("\nIn ", title_of(record.place), ", layer ", record.layer + 1, ", head ", record.head + 1, '\n');
    }
    record.energy[i_].resize(RecordedSteps::seen(record, i_));
    const Softmax softmax = softmax_of(record.energy[i_], record.weights[i_]);
    append_softmax(record, softmax);
    append_notes(record, softmax);
    const std::vector<double> context(record.context[i_].begin(), record.context[i_].end());
    text_ += cat("\nContext ", symbol("c", ""), " = Σ_j ", symbol("α", "j"),
                 is_only ? " h_j: " : " v_j: ", context.size(), " values, norm ", fixed(norm(context), 4), '\n');
    append_vector(context);
  }

  void append_softmax(const AttentionRecord& record, const Softmax& softmax) {
    const std::string e = symbol("e", "j"), alpha = symbol("α", "j");
    text_ += cat("\nEnergies ", e, softmax.is_alpha ? cat(", and weights ", alpha, " = ") : ", their softmax ", "exp(",
                 exponent_of(e, softmax), ") / Σ",
                 softmax.is_alpha ? "" : cat(", and the weights ", alpha, " after the model's window"), "\n",
                 padded("j", 4, Align::kRight), right(e), right("exp"), softmax.is_alpha ? "" : right("exp / Σ"),
                 right(alpha), "  ", looked_at(record), '\n');
    for (std::size_t j = 0; j < softmax.exponentials.size(); ++j) {
      const double exponential = softmax.exponentials[j];
      text_ += cat(padded(std::to_string(j + 1), 4, Align::kRight), right(fixed(record.energy[i_][j], 4)),
                   right(softmax.outside[j] ? "–" : number(exponential, "–", 6)),
                   softmax.is_alpha ? "" : right(fixed(exponential / softmax.sum, 4)),
                   right(fixed(record.weights[i_][j], 4)), "  ", steps_.key(record, j), '\n');
    }
    double total = 0;
    for (const Real weight : record.weights[i_]) total += weight;
    text_ += cat(padded("Σ", 4, Align::kRight), right(""), right(number(softmax.sum, "–", 6)),
                 softmax.is_alpha ? "" : right("1.0000"), right(fixed(total, 4)), '\n');
  }

  void append_notes(const AttentionRecord& record, const Softmax& softmax) {
    const std::vector<Real>& weights = record.weights[i_];
    const auto most = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
    if (softmax.has_window) text_ += "Positions without exp are outside the model's window.\n";
    if (softmax.is_alpha) {
      text_ += cat("The greatest: ", symbol("α", std::to_string(most + 1)), " = ",
                   number(softmax.exponentials[most], "–", 6), " / ", number(softmax.sum, "–", 6), " = ",
                   fixed(weights[most], 4), '\n');
    }
  }

  void append_context_vector() {
    const std::vector<double> context_vector(translated_.context_vector.begin(), translated_.context_vector.end());
    text_ += '\n';
    for (const std::string& line : wrapped(context_vector_in_words(context_vector), 80)) text_ += line + '\n';
    append_vector(context_vector);
  }

  void append_vector(const std::vector<double>& values) {
    const std::size_t shown_ones = options_.full ? values.size() : std::min(values.size(), kFirst);
    for (std::size_t k = 0; k < shown_ones; ++k) {
      text_ +=
          cat(padded(fixed(values[k], 4), 10, Align::kRight), (k + 1) % kFirst == 0 || k + 1 == shown_ones ? "\n" : "");
    }
    if (shown_ones < values.size()) text_ += cat("    and ", values.size() - shown_ones, " more\n");
  }

  void append_words() {
    text_ += cat("\nThe best of ", tokenizers_.target->size(), " tokens, by softmax of the output layer\n");
    for (const Candidate& candidate : translated_.hypothesis.candidates[i_]) {
      text_ += cat(right(cat("p = ", fixed(std::exp(candidate.log_probability), 4))),
                   "  log p = ", padded(fixed(candidate.log_probability, 4), 9, Align::kRight), "  ",
                   steps_.piece(candidate.token),
                   candidate.token == translated_.hypothesis.tokens[i_] ? "  <- written" : "", '\n');
    }
  }

  const Translated& translated_;
  const TokenizerPair& tokenizers_;
  StepOptions options_;
  RecordedSteps steps_{translated_, tokenizers_};
  std::size_t i_;
  std::string text_;
};

}  // namespace

std::string step_in_numbers(const Translated& translated, const TokenizerPair& tokenizers, const StepOptions& options) {
  expect_step(translated, options);
  return StepText(translated, tokenizers, options).text();
}

}  // namespace dhyan
