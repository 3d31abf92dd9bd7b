#include "explain/step_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "explain/html.h"
#include "explain/html_table.h"
#include "explain/number_format.h"

namespace dhyan {

namespace {

constexpr std::size_t kTermsShown = 5;     // of an energy
constexpr std::size_t kProductsShown = 3;  // elements of α_j h_j in each row

// The `most` indices of 0, 1, ... n - 1 with the greatest `size`, in ascending order.
template <class Size>
std::vector<std::size_t> greatest(std::size_t n, std::size_t most, const Size& size) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  order.resize(std::min(n, most));
  std::ranges::sort(order);
  return order;
}

class StepTable {
 public:
  StepTable(const StepTables& tables, const AttentionRecord& record, std::size_t i)
      : tables_(tables), record_(record), trace_(tables.trace_of(record)), i_(i) {
    const std::size_t seen = RecordedSteps::seen(record, i);
    energy_ = std::span(record.energy[i]).first(seen);
    weights_ = std::span(record.weights[i]).first(seen);
    softmax_ = softmax_of(energy_, weights_);
    rows_ = greatest(seen, kMostAttended, [this](std::size_t j) { return weights_[j]; });
    most_ = static_cast<std::size_t>(std::ranges::max_element(weights_) - weights_.begin());
    if (trace_ == nullptr) return;
    products_ = tables.shown_of(trace_->values.front().size(), kProductsShown);
    if (trace_->kind != EnergyTerms::Kind::kNone) choose_terms();
  }

  std::string html() const {
    std::string html = trace_ == nullptr ? "" : cat("<h3>The query s</h3>\n", vector("s", trace_->query[i_]));
    std::string table = cat("<table>\n", head(), "<tbody>\n", given_rows());
    for (const std::size_t j : rows_) table += row(j);
    table += cat(other_row(), sum_row(), "</tbody>\n</table>\n");
    html += cat("<h3>Energies e, weights α, weighted vectors</h3>\n",
                scroll_area("From energies to the context", table), worked(), notes(), "<h3>The context c</h3>\n",
                vector(cat("c = Σ_j α_j ", tables_.value_name), record_.context[i_]));
    return html;
  }

 private:
  std::string vector(std::string_view name, std::span<const Real> values) const {
    return vector_table(name, values, tables_.shown_of(values.size(), kElementsShown));
  }

  // The units whose terms differ most between tokens: they decide where the step attends.
  void choose_terms() {
    const std::size_t A = trace_->term_query[i_].size();
    units_ = greatest(A, tables_.shown_of(A, kTermsShown), [this](std::size_t k) {
      double least = trace_->term(i_, rows_.front(), k), most = least;
      for (const std::size_t j : rows_) {
        least = std::min(least, trace_->term(i_, j, k));
        most = std::max(most, trace_->term(i_, j, k));
      }
      return most - least;
    });
    others_ = A - units_.size();
    for (const std::size_t j : rows_) {
      for (const std::size_t k : units_) largest_term_ = std::max(largest_term_, std::abs(trace_->term(i_, j, k)));
    }
  }

  std::size_t term_columns() const { return units_.size() + (others_ > 0 ? 1 : 0); }
  bool is_tanh() const { return trace_->kind == EnergyTerms::Kind::kTanh; }

  std::string terms_title() const {
    const std::string scale = trace_->scale == 1 ? "" : cat(fixed(trace_->scale, 4), " × ");
    return is_tanh() ? cat("terms of e: v × tanh(", trace_->query_name, " + ", trace_->key_name, "), by unit k")
                     : cat("terms of e: ", scale, trace_->query_name, " × ", trace_->key_name, ", by unit k");
  }

  std::string head() const {
    std::string units;
    for (const std::size_t k : units_) units += heading(cat("k = ", k + 1));
    if (others_ > 0) units += heading(cat(others_, " others"));
    std::string products;
    for (std::size_t k = 0; k < products_; ++k) products += heading(cat("k = ", k + 1));
    const std::string of_products =
        products_ == 0 ? ""
                       : heading(cat("α_j × ", tables_.value_name, ", ",
                                     products_ < trace_->values.front().size() ? cat("the first ", products_, " units")
                                                                               : "by unit k"),
                                 products_);
    return cat("<thead>\n<tr>", heading("j"), heading(tables_.steps.attended(record_)),
               units_.empty() ? "" : heading(terms_title(), term_columns()), heading("e_j = Σ"),
               heading(cat("exp(", exponent_of("e_j", softmax_), ")")), softmax_.is_alpha ? "" : heading("exp / Σ"),
               heading(softmax_.is_alpha ? "α_j = exp / Σ" : "α_j"), heading("α_j as a bar"), of_products,
               "</tr>\n<tr>", blank(2), units, blank(softmax_.is_alpha ? 4 : 5), products, "</tr>\n</thead>\n");
  }

  // The factors that all rows share: those of the query, and v.
  std::string given_rows() const {
    if (units_.empty()) return "";
    const std::size_t rest = (others_ > 0 ? 1 : 0) + (softmax_.is_alpha ? 4 : 5) + products_;
    const auto given = [&](std::string_view name, const std::vector<Real>& values) {
      std::string cells;
      for (const std::size_t k : units_) cells += cat("<td>", fixed(values[k], 4), "</td>");
      return cat("<tr class=\"given\"><td></td><th scope=\"row\">", xml_text(name), "</th>", cells, blank(rest),
                 "</tr>\n");
    };
    return cat(given(trace_->query_name, trace_->term_query[i_]), is_tanh() ? given("v", trace_->v) : "");
  }

  std::string row(std::size_t j) const {
    std::string html = cat("<tr><td>", j + 1, "</td>", foreign("th", tables_.steps.key(record_, j), " scope=\"row\""));
    double shown = 0;
    for (const std::size_t k : units_) {
      html += number_cell(trace_->term(i_, j, k), largest_term_);
      shown += trace_->term(i_, j, k);
    }
    if (others_ > 0) html += cat("<td>", fixed(energy_[j] - shown, 4), "</td>");
    html += cat("<td>", fixed(energy_[j], 4), "</td><td>",
                softmax_.outside[j] ? "–" : number(softmax_.exponentials[j], "–", 6), "</td>",
                softmax_.is_alpha ? "" : cat("<td>", fixed(softmax_.exponentials[j] / softmax_.sum, 4), "</td>"),
                "<td>", fixed(weights_[j], 4), "</td>", bar_cell(weights_[j]));
    for (std::size_t k = 0; k < products_; ++k) html += cat("<td>", fixed(product(j, k), 4), "</td>");
    return html + "</tr>\n";
  }

  double product(std::size_t j, std::size_t k) const { return double{weights_[j]} * trace_->values[j][k]; }

  // The sum of the rows of a long sentence that are not shown, so that columns add up.
  std::string other_row() const {
    if (rows_.size() == weights_.size()) return "";
    double exponentials = softmax_.sum, weights = total();
    std::vector<double> products(record_.context[i_].begin(), record_.context[i_].end());
    for (const std::size_t j : rows_) {
      exponentials -= softmax_.exponentials[j];
      weights -= weights_[j];
      for (std::size_t k = 0; k < products_; ++k) products[k] -= product(j, k);
    }
    std::string html =
        cat("<tr><td></td><th scope=\"row\">", weights_.size() - rows_.size(), " others together</th>",
            blank(term_columns() + 1), "<td>", number(std::max(exponentials, 0.0), "–", 6), "</td>",
            softmax_.is_alpha ? "" : blank(1), "<td>", fixed(std::max(weights, 0.0), 4), "</td>", bar_cell(weights));
    for (std::size_t k = 0; k < products_; ++k) html += cat("<td>", fixed(products[k], 4), "</td>");
    return html + "</tr>\n";
  }

  double total() const { return std::accumulate(weights_.begin(), weights_.end(), 0.0); }

  std::string sum_row() const {
    std::string html = cat("<tr class=\"sum\"><td></td><th scope=\"row\">Σ</th>", blank(term_columns() + 1), "<td>",
                           number(softmax_.sum, "–", 6), "</td>", softmax_.is_alpha ? "" : "<td>1.0000</td>", "<td>",
                           fixed(total(), 4), "</td>", blank(1));
    for (std::size_t k = 0; k < products_; ++k) html += cat("<td>", fixed(record_.context[i_][k], 4), "</td>");
    return html + "</tr>\n";
  }

  // The row with the greatest weight, written out.
  std::string worked() const {
    std::string text;
    double shown = 0;
    for (const std::size_t k : units_) {
      const std::string q = fixed(trace_->term_query[i_][k], 4), key = fixed(trace_->term_keys[most_][k], 4);
      text += cat(text.empty() ? "" : " + ",
                  is_tanh() ? cat(fixed(trace_->v[k], 4), " × tanh(", q, " + ", key, ")")
                            : cat(trace_->scale == 1 ? "" : cat(fixed(trace_->scale, 4), " × "), q, " × ", key));
      shown += trace_->term(i_, most_, k);
    }
    if (others_ > 0) text += cat(" + ", fixed(energy_[most_] - shown, 4), " of the ", others_, " others");
    const std::string j = std::to_string(most_ + 1);
    const std::string energy = text.empty() ? "" : cat("e_", j, " = ", text, " = ", fixed(energy_[most_], 4), "; ");
    const std::string alpha = softmax_.is_alpha
                                  ? cat("α_", j, " = ", number(softmax_.exponentials[most_], "–", 6), " / ",
                                        number(softmax_.sum, "–", 6), " = ", fixed(weights_[most_], 4))
                                  : cat("α_", j, " = ", fixed(weights_[most_], 4));
    return cat("<p class=\"worked\">The greatest weight, written out: ", xml_text(energy + alpha), "</p>\n");
  }

  std::string notes() const {
    return cat(
        softmax_.has_window ? "<p class=\"note\">Positions without exp are outside the model's window.</p>\n" : "",
        softmax_.is_alpha ? "" : "<p class=\"note\">The model's window changes the softmax exp / Σ into α.</p>\n");
  }

  const StepTables& tables_;
  const AttentionRecord& record_;
  const AttentionTrace* trace_;
  std::size_t i_;
  std::span<const Real> energy_, weights_;  // [seen]
  Softmax softmax_;
  std::vector<std::size_t> rows_;   // shown
  std::vector<std::size_t> units_;  // whose terms are shown
  std::size_t others_ = 0;          // units beside them
  std::size_t products_ = 0;        // units of α_j h_j that are shown
  std::size_t most_ = 0;            // the row with the greatest weight
  double largest_term_ = 0;
};

}  // namespace

const AttentionTrace* StepTables::trace_of(const AttentionRecord& record) const {
  const auto is_its = [&](const AttentionTrace& trace) {
    return trace.place == record.place && trace.layer == record.layer && trace.head == record.head;
  };
  const auto found = std::ranges::find_if(traces, is_its);
  return found == traces.end() ? nullptr : &*found;
}

std::string step_table(const StepTables& tables, const AttentionRecord& record, std::size_t i) {
  return StepTable(tables, record, i).html();
}

}  // namespace dhyan
