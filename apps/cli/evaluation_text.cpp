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

constexpr std::size_t kShownFaults = 5;

std::string variety_lines(const WordVariety& variety) {
  return cat(row("distinct words", grouped(static_cast<std::uint64_t>(variety.distinct))), "  of ",
             pluralize(static_cast<std::uint64_t>(variety.words), "word"), "; ", fixed(variety.vocabulary_share, 1),
             " % of the references' vocabulary\n");
}

// A row for each group of scenes: share of true captions, and how well attention looks at what words are about.
std::string scene_lines(const SceneScores& scores) {
  const bool attends = scores.attention.words > 0;
  std::string text = cat('\n', row("scenes", "number", "true, %"));
  if (attends) text += cat(cell("correctness"), cell("if uniform"), cell("pointing"));
  text += '\n';
  const auto append = [&](const SceneGroup& group) {
    text += row("  " + group.name, grouped(static_cast<std::uint64_t>(group.scenes)), fixed(group.true_captions, 1));
    if (attends) {
      text += cat(cell(fixed(group.attention.correctness(), 3)), cell(fixed(group.attention.baseline(), 3)),
                  cell(fixed(group.attention.pointing(), 3)));
    }
    text += '\n';
  };
  append(scores);
  for (const SceneGroup& group : scores.groups) append(group);
  if (attends) {
    text +=
        "Attention of true captions: correctness is the mass on what a word is about; pointing, how often its "
        "greatest weight is there.\n";
  }
  if (scores.faults.empty()) return text;
  text += cat("\nFalse captions, the first of ", grouped(scores.faults.size()), ":\n");
  for (std::size_t i = 0; i < std::min(kShownFaults, scores.faults.size()); ++i) {
    text += cat("  ", scores.faults[i], '\n');
  }
  return text;
}

Json scene_json(const SceneGroup& group) {
  Json json{{"name", group.name}, {"scenes", group.scenes}, {"true_captions", group.true_captions}};
  if (group.attention.words == 0) return json;
  json["attention_correctness"] = group.attention.correctness();
  json["uniform_correctness"] = group.attention.baseline();
  json["pointing"] = group.attention.pointing();
  return json;
}

Json scenes_json(const SceneScores& scores) {
  Json json = scene_json(scores);
  json.erase("name");
  json["groups"] = Json::array();
  for (const SceneGroup& group : scores.groups) json["groups"].push_back(scene_json(group));
  json["faults"] = Json::array();
  for (const std::string& fault : scores.faults) json["faults"].push_back(fault);
  return json;
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
      cat(row(report.variety ? "pictures" : "sentences", grouped(static_cast<std::uint64_t>(report.sentences))), "  ",
          report.name);
  if (report.unreadable > 0) {
    text += cat("; left out, unreadable: ", grouped(static_cast<std::uint64_t>(report.unreadable)));
  }
  text += '\n';
  for (const TextScore& score : report.text.scores) {
    text += row(score.name, fixed(score.score, 2));
    if (score.confidence) text += cat("  ", interval_text(*score.confidence));
    text += cat(score.details.empty() ? "" : "  ", score.details, "\n  ", score.signature, '\n');
  }
  if (report.forced) text += forced_lines(*report.forced, report.gold_links);
  if (report.variety) text += variety_lines(*report.variety);
  if (report.scenes) text += scene_lines(*report.scenes);
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
  if (report.variety) {
    all["words"] = {{"words", report.variety->words},
                    {"distinct", report.variety->distinct},
                    {"vocabulary_share", report.variety->vocabulary_share}};
    all["unreadable"] = report.unreadable;
  }
  if (report.scenes) all["scenes"] = scenes_json(*report.scenes);
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
