#include "explain/step_page.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/error.h"
#include "explain/html.h"
#include "explain/html_table.h"
#include "explain/number_format.h"
#include "explain/step_page_style.h"
#include "explain/step_table.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr std::size_t kMostSteps = 40;    // on one page
constexpr std::size_t kMostRows = 4'000;  // in all tables of a page

// The steps on the page; they include the chosen one.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Range range_around(std::size_t at, std::size_t count, std::size_t most) {
  const std::size_t begin = std::min(at > most / 2 ? at - most / 2 : 0, count > most ? count - most : 0);
  return {begin, std::min(count, begin + most)};
}

class Page {
 public:
  Page(const Translated& translated, const TokenizerPair& tokenizers, const StepPage& page)
      : translated_(translated), steps_{translated, tokenizers}, page_(page) {
    const Hypothesis& hypothesis = translated.hypothesis;
    at_ = static_cast<std::size_t>(page.step.step - 1);
    range_ = range_around(at_, hypothesis.tokens.size(), kMostSteps);
    is_transformer_ = std::ranges::any_of(
        hypothesis.attention, [](const AttentionRecord& record) { return record.place != AttentionPlace::kCross; });
    for (const ChosenAttention& chosen : chosen_attention(hypothesis.attention, page.step.attention)) {
      if (chosen.place == AttentionPlace::kEncoder) continue;
      records_.insert(records_.end(), chosen.records.begin(), chosen.records.end());
    }
    keep_what_fits();
    tables_.full = page.step.full;
    tables_.traces = page.traces;
    if (is_transformer_) tables_.value_name = "v_j";
  }

  std::string html() const {
    std::string content = cat(introduction(), navigation(), head_choice());
    for (const AttentionRecord* record : records_) content += memory(*record);
    if (records_.empty()) content += fixed_vector();
    for (std::size_t i = range_.begin; i < range_.end; ++i) content += step(i);
    const std::string style = cat(kTableStyle, kStepPageStyle);
    return html_page({.source = translated_.line,
                      .translation = translated_.text,
                      .log_probability = translated_.hypothesis.log_probability,
                      .content = content,
                      .style = style,
                      .script = kStepPageScript});
  }

 private:
  static std::string title(const AttentionRecord& record) {
    return cat(title_of(record.place), ", layer ", record.layer + 1, ", head ", record.head + 1);
  }

  // Keeps the last layers that fit with all their heads; if not even one fits, as many heads of the last layer as fit.
  void keep_what_fits() {
    if (records_.empty()) return;
    std::size_t rows = 0;
    for (std::size_t i = range_.begin; i < range_.end; ++i) {
      rows += std::min(RecordedSteps::seen(*records_.front(), i), kMostAttended);
    }
    const std::size_t fit = std::max<std::size_t>(1, kMostRows / rows);
    std::ranges::stable_sort(records_, std::ranges::greater(), &AttentionRecord::layer);
    first_ = records_.front();
    std::size_t kept = std::min(fit, records_.size());
    const auto parts_layer = [&](std::size_t at) {
      return at < records_.size() && records_[at]->layer == records_[at - 1]->layer;
    };
    while (kept > 0 && parts_layer(kept)) --kept;
    if (kept == 0) {
      const auto of_last =
          static_cast<std::size_t>(std::ranges::count(records_, first_->layer, &AttentionRecord::layer));
      kept = fit;
      heads_left_out_ = of_last - fit;
    }
    for (std::size_t k = kept + heads_left_out_; k < records_.size(); ++k)
      layers_left_out_.insert(records_[k]->layer + 1);
    records_.resize(kept);
    std::ranges::stable_sort(records_, {}, [](const AttentionRecord* record) {
      return std::tuple(record->place, record->layer, record->head);
    });
  }

  std::size_t number_of(const AttentionRecord* record) const {
    return static_cast<std::size_t>(std::ranges::find(records_, record) - records_.begin());
  }

  std::string introduction() const {
    const std::string marks = cat(xml_text(marks_in_words(labels())), "</p>\n");
    if (records_.empty()) return cat("<p class=\"reading\">A step writes one token. ", marks, left_out());
    std::string text = cat(
        "<p class=\"reading\">A step writes one token. Read a table from left to right: the terms of a row add up to "
        "its energy e; exp(e) over the sum of all is the weight α; the context c is the sum of the vectors weighted "
        "by α, and with it the model chooses the next token. ",
        marks);
    if (!page_.formula.empty()) {
      text +=
          cat("<p class=\"reading\">Score: <code>e = ", xml_text(page_.formula), "</code>, where ",
              is_transformer_ ? "s is the query s = x W_q of this head and h_j the key h_j = x_j W_k; the context is "
                                "the weighted sum of the values v_j = x_j W_v."
              : translated_.cells.empty()
                  ? "s is the state of the decoder, the query, and h_j the annotation of source token j."
                  : "s is the state of the decoder, the query, and h_j the annotation of cell j of the picture.",
              "</p>\n");
    }
    return text + left_out();
  }

  // The labels of all tokens on the page.
  std::vector<std::string> labels() const {
    const Hypothesis& hypothesis = translated_.hypothesis;
    std::vector<std::string> all{steps_.piece(kBegin), steps_.piece(kEnd)};
    const auto source = translated_.cells.empty() ? translated_.source_tokens : std::span<const TokenId>();
    for (const TokenId id : source) all.push_back(shown(steps_.tokenizers.source->piece(id)));
    for (std::size_t i = range_.begin; i < range_.end; ++i) {
      all.push_back(steps_.piece(hypothesis.tokens[i]));
      for (const Candidate& candidate : hypothesis.candidates[i]) all.push_back(steps_.piece(candidate.token));
    }
    return all;
  }

  std::string left_out() const {
    std::string text;
    const std::size_t steps = translated_.hypothesis.tokens.size();
    if (range_.end - range_.begin < steps) {
      text += cat("<p class=\"note\">Steps ", range_.begin + 1, " to ", range_.end, " of ", steps,
                  " are on this page; <code>--step</code> chooses others.</p>\n");
    }
    if (!layers_left_out_.empty()) {
      const Index first = *layers_left_out_.begin(), last = *layers_left_out_.rbegin();
      text += cat("<p class=\"note\">To keep the page small, ",
                  first == last ? cat("layer ", first, " is") : cat("layers ", first, " to ", last, " are"),
                  " left out; <code>--layer ", first, "</code> shows layer ", first, ".</p>\n");
    }
    if (heads_left_out_ > 0) {
      text += cat("<p class=\"note\">To keep the page small, the last ", heads_left_out_, " heads of layer ",
                  first_->layer + 1, " are left out; <code>--head</code> chooses one.</p>\n");
    }
    return text;
  }

  std::string navigation() const {
    std::string links;
    for (std::size_t i = range_.begin; i < range_.end; ++i) {
      links += cat("<a href=\"#step-", i + 1, "\">", i + 1, ' ',
                   foreign("span", steps_.piece(translated_.hypothesis.tokens[i])), "</a>\n");
    }
    return cat("<nav class=\"steps\" aria-label=\"Steps\" data-at=\"", at_ - range_.begin, "\" data-head=\"",
               number_of(first_), "\">\n<button type=\"button\" class=\"script-only\">← previous</button>\n", links,
               "<button type=\"button\" class=\"script-only\">next →</button>\n"
               "<output class=\"unseen\" aria-live=\"polite\"></output>\n</nav>\n");
  }

  std::string head_choice() const {
    if (records_.size() < 2) return "";
    std::string chips;
    for (std::size_t k = 0; k < records_.size(); ++k) {
      chips += cat("<button type=\"button\" aria-pressed=\"", records_[k] == first_ ? "true" : "false",
                   "\" data-head=\"", k, "\">", title(*records_[k]), "</button>\n");
    }
    return cat("<fieldset class=\"chips script-only\"><legend>Which head</legend>\n", chips, "</fieldset>\n");
  }

  std::string fixed_vector() const {
    const std::vector<double> context_vector(translated_.context_vector.begin(), translated_.context_vector.end());
    return cat("<section class=\"memory\">\n<p class=\"reading\">", context_vector_in_words(context_vector), "</p>\n",
               vector_table("the vector", translated_.context_vector,
                            tables_.shown_of(translated_.context_vector.size(), kElementsShown)),
               "</section>\n");
  }

  // The keys and values that every step attends to.
  std::string memory(const AttentionRecord& record) const {
    const AttentionTrace* trace = tables_.trace_of(record);
    if (trace == nullptr) return "";
    const bool has_keys = !trace->term_keys.empty() && (is_transformer_ || trace->key_name != tables_.value_name);
    const std::size_t rows = std::min(trace->values.size(), kMostAttended);
    std::string table = cat("<table>\n<thead><tr>", heading("j"), heading(steps_.attended(record)),
                            has_keys ? vectors_heading(trace->key_name, trace->term_keys) : "",
                            vectors_heading(tables_.value_name, trace->values), "</tr></thead>\n<tbody>\n");
    for (std::size_t j = 0; j < rows; ++j) {
      table += cat("<tr><td>", j + 1, "</td>", foreign("th", steps_.key(record, j), " scope=\"row\""),
                   has_keys ? vector_cells(trace->term_keys[j]) : "", vector_cells(trace->values[j]), "</tr>\n");
    }
    table += "</tbody>\n</table>\n";
    return cat("<section class=\"head memory\" data-head=\"", number_of(&record), "\">\n<h3>",
               record.place == AttentionPlace::kDecoder ? "The input of the decoder"
               : translated_.cells.empty()              ? "The source as the decoder sees it"
                                                        : "The picture as the decoder sees it",
               "</h3>\n", scroll_area("Keys and values", table),
               rows < trace->values.size()
                   ? cat("<p class=\"note\">The first ", rows, " of ", trace->values.size(), ".</p>\n")
                   : "",
               "</section>\n");
  }

  static constexpr std::size_t kElementsOfEach = 4;  // of each key and value

  std::string vectors_heading(std::string_view name, const std::vector<std::vector<Real>>& vectors) const {
    const std::size_t size = vectors.front().size(), count = tables_.shown_of(size, kElementsOfEach);
    return heading(cat(name, ": ", count < size ? cat("the first ", count, " of ") : "", size, " values, norm"),
                   count + 1);
  }

  std::string vector_cells(std::span<const Real> values) const {
    return cat(number_cells(values, tables_.shown_of(values.size(), kElementsOfEach), largest_of(values)), "<td>",
               fixed(norm_of(values), 2), "</td>");
  }

  // The text before step i, or its tokens if they do not decode to any text yet.
  std::string before(std::size_t i) const {
    if (i == 0) return "at the beginning";
    std::string text = steps_.text_before(i);
    if (text.empty()) {
      for (std::size_t k = 0; k < i; ++k) text += steps_.piece(translated_.hypothesis.tokens[k]);
    }
    return cat("after “", foreign("span", text), "”");
  }

  std::string step(std::size_t i) const {
    const Hypothesis& hypothesis = translated_.hypothesis;
    std::string html = cat("<section class=\"step\" id=\"step-", i + 1, "\" aria-labelledby=\"title-", i + 1,
                           "\">\n<h2 id=\"title-", i + 1, "\">Step ", i + 1, " of ", hypothesis.tokens.size(), ": ",
                           before(i), " the model writes “", foreign("span", steps_.piece(hypothesis.tokens[i])),
                           "”</h2>\n<p class=\"score\">", probability_in_words(hypothesis.token_scores[i]), "</p>\n");
    for (const AttentionRecord* record : records_) {
      html += cat("<div class=\"head\" data-head=\"", number_of(record), "\">\n",
                  records_.size() > 1 ? cat("<p class=\"note\">In ", title(*record), ":</p>\n") : "",
                  step_table(tables_, *record, i), "</div>\n");
    }
    return cat(html, candidates(i), "</section>\n");
  }

  std::string candidates(std::size_t i) const {
    const Hypothesis& hypothesis = translated_.hypothesis;
    std::vector<Candidate> best = hypothesis.candidates[i];
    if (std::ranges::find(best, hypothesis.tokens[i], &Candidate::token) == best.end()) {
      best.push_back({hypothesis.tokens[i], hypothesis.token_scores[i]});
    }
    std::string table = cat("<table>\n<thead><tr>", heading("token"), heading("p"), heading("p as a bar"),
                            heading("log p"), heading(""), "</tr></thead>\n<tbody>\n");
    for (const Candidate& candidate : best) {
      const bool written = candidate.token == hypothesis.tokens[i];
      const double p = std::exp(candidate.log_probability);
      table +=
          cat("<tr", written ? " class=\"written\"" : "", ">",
              foreign("th", steps_.piece(candidate.token), " scope=\"row\""), "<td>", fixed(p, 4), "</td>", bar_cell(p),
              "<td>", fixed(candidate.log_probability, 4), "</td><td>", written ? "written" : "", "</td></tr>\n");
    }
    return cat("<h3>The best of ", steps_.tokenizers.target->size(), " tokens, by softmax of the output layer</h3>\n",
               scroll_area("Best tokens", table + "</tbody>\n</table>\n"));
  }

  const Translated& translated_;
  RecordedSteps steps_;
  StepTables tables_{steps_};
  const StepPage& page_;
  std::size_t at_ = 0;  // the chosen step, from 0
  Range range_;
  bool is_transformer_ = false;
  std::vector<const AttentionRecord*> records_;  // on the page
  const AttentionRecord* first_ = nullptr;       // shown first
  std::set<Index> layers_left_out_;              // from 1
  std::size_t heads_left_out_ = 0;               // of the last layer
};

}  // namespace

std::string step_page(const Translated& translated, const TokenizerPair& tokenizers, const StepPage& page) {
  expect_step(translated, page.step);
  return Page(translated, tokenizers, page).html();
}

}  // namespace dhyan
