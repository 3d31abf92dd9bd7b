#include "cli/evaluation_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>

#include "cli/bucket_json.h"
#include "cli/progress_bar.h"
#include "cli/table.h"
#include "core/error.h"
#include "core/number_text.h"
#include "core/pluralize.h"

namespace dhyan::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string forced_lines(const ForcedScores& forced, bool gold_links) {
  std::string text = cat(row("perplexity", fixed(forced.perplexity, 2)), "  of ",
                         pluralize(static_cast<std::uint64_t>(forced.tokens), "token"), " of the references");
  if (forced.skipped > 0) {
    text += cat("; left out, without a source or too long: ", grouped(static_cast<std::uint64_t>(forced.skipped)));
  }
  text += '\n';
  if (!gold_links) return text;
  if (!forced.alignment) return cat(text, row("AER", "-"), "  the model has no cross-attention\n");
  const AlignmentScore& alignment = *forced.alignment;
  return cat(text, row("AER", fixed(alignment.error_rate, 3)), "  precision ", fixed(alignment.precision, 3),
             ", recall ", fixed(alignment.recall, 3), '\n');
}

}  // namespace

std::string interval_text(const Confidence& confidence) {
  return cat("(μ = ", fixed(confidence.mean, 2), " ± ", fixed(confidence.interval, 2), ")");
}

std::string cut_in_words(std::span<const std::size_t> cut, const std::string& name, const Translator& translator) {
  constexpr std::size_t kNamed = 10;
  if (cut.empty()) return {};
  const std::size_t named = std::min(cut.size(), kNamed);
  std::string numbers;
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == cut.size() && i > 0;
    numbers += cat(i == 0 ? "" : last ? " and " : ", ", cut[i]);
  }
  if (cut.size() > named) numbers += cat(" and ", cut.size() - named, " others");
  const bool one = cut.size() == 1;
  return cat(one ? "line " : "lines ", numbers, " of ", name, one ? " has" : " have", " more than ",
             pluralize(static_cast<std::uint64_t>(translator.longest_source()), "token"), "; the rest of ",
             one ? "it" : "them", " is not translated");
}

std::string to_table(const EvaluationReport& report) {
  std::string text =
      cat(row("sentences", grouped(static_cast<std::uint64_t>(report.sentences))), "  ", report.name, '\n');
  for (const TextScore& score : report.text.scores) {
    text += row(score.name, fixed(score.score, 2));
    if (score.confidence) text += cat("  ", interval_text(*score.confidence));
    text += cat(score.details.empty() ? "" : "  ", score.details, "\n  ", score.signature, '\n');
  }
  if (report.forced) text += forced_lines(*report.forced, report.gold_links);
  text += cat('\n', row(cat(report.length_of, " words"), "sentences", report.text.scores.front().name), '\n');
  for (const Bucket& bucket : report.text.by_length) {
    text += cat(row("  " + range_label(bucket.from, bucket.to), grouped(static_cast<std::uint64_t>(bucket.sentences)),
                    fixed(bucket.score, 2)),
                '\n');
  }
  return text;
}

std::string to_json(const EvaluationReport& report) {
  Json all{{"name", report.name}, {"sentences", report.sentences}, {"scores", Json::array()}};
  for (const TextScore& score : report.text.scores) {
    Json one{{"name", score.name}, {"score", score.score}, {"signature", score.signature}};
    if (!score.details.empty()) one["details"] = score.details;
    if (score.confidence) {
      one["confidence_mean"] = score.confidence->mean;
      one["confidence_var"] = score.confidence->interval;
    }
    all["scores"].push_back(one);
  }
  if (report.forced) {
    all["perplexity"] = report.forced->perplexity;
    all["reference_tokens"] = report.forced->tokens;
    all["skipped"] = report.forced->skipped;
  }
  if (report.forced && report.forced->alignment) {
    const AlignmentScore& alignment = *report.forced->alignment;
    all["alignment"] = {
        {"error_rate", alignment.error_rate}, {"precision", alignment.precision}, {"recall", alignment.recall}};
  }
  Json buckets = Json::array();
  for (const Bucket& bucket : report.text.by_length) {
    buckets.push_back(bucket_json(bucket));
    buckets.back()["score"] = bucket.score;
  }
  all["by_length"] = {{"score", report.text.scores.front().name}, {"words_of", report.length_of}, {"buckets", buckets}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_table(const FitReport& report) {
  const Fit& fit = report.fit;
  return cat(
      row("tokens", grouped(static_cast<std::uint64_t>(fit.tokens))), "  predicted of ", report.name, '\n',
      row("loss", fixed(fit.loss, 4)), "  nats per token; ", fixed(fit.loss / std::numbers::ln2, 4), " bits\n",
      row("perplexity", fixed(fit.perplexity, 2)), '\n',
      fit.skipped == 0 ? "" : cat("left out, too long: ", grouped(static_cast<std::uint64_t>(fit.skipped)), '\n'));
}

std::string to_json(const FitReport& report) {
  const Fit& fit = report.fit;
  const Json all{{"name", report.name},
                 {"tokens", fit.tokens},
                 {"loss", fit.loss},
                 {"perplexity", fit.perplexity},
                 {"skipped", fit.skipped}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dhyan::cli
