#include "cli/comparison_text.h"

#include <nlohmann/json.hpp>

#include "cli/bucket_json.h"
#include "cli/evaluation_text.h"
#include "cli/table.h"
#include "core/error.h"
#include "core/number_text.h"
#include "text/display.h"

namespace dhyan::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kSignificant = 0.05;

// The label of a system in tables: A, B, ... Z, then S27.
std::string letter(std::size_t system) {
  return system < 26 ? std::string(1, static_cast<char>('A' + system)) : cat("S", system + 1);
}

const char* words_of(const ComparisonReport& report) { return report.set.sources.empty() ? "reference" : "source"; }

double difference(const ComparedMetric& metric, const SystemScore& system) {
  return system.score - metric.systems.front().score;
}

std::string metric_lines(const ComparedMetric& metric) {
  std::string text = cat('\n', row(metric.name, "score", "difference", "p"), '\n');
  for (std::size_t s = 0; s < metric.systems.size(); ++s) {
    const SystemScore& system = metric.systems[s];
    const double change = difference(metric, system);
    const std::string sign = change > 0 ? "+" : "";
    text += system.p_value
                ? row("  " + letter(s), fixed(system.score, 2), sign + fixed(change, 2), fixed(*system.p_value, 4))
                : row("  " + letter(s), fixed(system.score, 2), "", "");
    text += cat(system.p_value && *system.p_value < kSignificant ? " *" : "  ", " ", interval_text(system.confidence),
                '\n');
  }
  return cat(text, "  ", metric.signature, '\n');
}

std::string length_lines(const ComparisonReport& report) {
  const auto& by_length = report.comparison.by_length;
  std::string text = cat('\n', row(cat(words_of(report), " words"), "sentences"));
  for (std::size_t s = 0; s < by_length.size(); ++s) text += cell(letter(s));
  text += '\n';
  for (std::size_t b = 0; b < by_length.front().size(); ++b) {
    const Bucket& bucket = by_length.front()[b];
    text += row("  " + range_label(bucket.from, bucket.to), grouped(static_cast<std::uint64_t>(bucket.sentences)));
    for (const std::vector<Bucket>& buckets : by_length) text += cell(fixed(buckets[b].score, 2));
    text += '\n';
  }
  return text;
}

std::string sentence_lines(const ComparisonReport& report, const ComparedSentence& sentence) {
  const auto line = [](const std::string& label, const std::string& content) {
    return cat("  ", label, std::string(label.size() < 11 ? 11 - label.size() : 1, ' '), shown(content), '\n');
  };
  std::string text = cat("\nline ", sentence.number + 1, '\n');
  if (!report.set.sources.empty()) text += line("source", report.set.sources[sentence.number]);
  for (const std::string& reference : report.set.references[sentence.number]) text += line("reference", reference);
  for (std::size_t s = 0; s < report.systems.size(); ++s) {
    text += line(cat(letter(s), " ", fixed(sentence.scores[s], 2)), report.systems[s].hypotheses[sentence.number]);
  }
  return text;
}

Json json_of(const ComparisonReport& report, const ComparedMetric& metric) {
  Json systems = Json::array();
  for (std::size_t s = 0; s < metric.systems.size(); ++s) {
    const SystemScore& system = metric.systems[s];
    Json one{{"system", report.systems[s].name},
             {"score", system.score},
             {"confidence_mean", system.confidence.mean},
             {"confidence_var", system.confidence.interval}};
    if (system.p_value) {
      one["difference"] = difference(metric, system);
      one["p_value"] = *system.p_value;
    }
    systems.push_back(one);
  }
  return {{"name", metric.name},
          {"signature", metric.signature},
          {"lower_is_better", metric.lower_is_better},
          {"systems", systems}};
}

Json json_of(const ComparisonReport& report, const ComparedSentence& sentence) {
  Json one{{"line", sentence.number + 1}};
  if (!report.set.sources.empty()) one["source"] = report.set.sources[sentence.number];
  one["references"] = report.set.references[sentence.number];
  one["translations"] = Json::array();
  for (std::size_t s = 0; s < report.systems.size(); ++s) {
    one["translations"].push_back({{"system", report.systems[s].name},
                                   {"text", report.systems[s].hypotheses[sentence.number]},
                                   {"score", sentence.scores[s]}});
  }
  return one;
}

Json lengths_json(const ComparisonReport& report) {
  const auto& by_length = report.comparison.by_length;
  Json buckets = Json::array();
  for (std::size_t b = 0; b < by_length.front().size(); ++b) {
    Json one = bucket_json(by_length.front()[b]);
    one["scores"] = Json::array();
    for (const std::vector<Bucket>& of_system : by_length) one["scores"].push_back(of_system[b].score);
    buckets.push_back(one);
  }
  return {{"score", report.comparison.metrics.front().name}, {"words_of", words_of(report)}, {"buckets", buckets}};
}

}  // namespace

std::string to_table(const ComparisonReport& report) {
  const Comparison& comparison = report.comparison;
  std::string text = cat(row("sentences", grouped(report.set.references.size())), "  ", report.set.name, '\n');
  for (std::size_t s = 0; s < report.systems.size(); ++s) text += cat(letter(s), "  ", report.systems[s].name, '\n');
  for (const ComparedMetric& metric : comparison.metrics) text += metric_lines(metric);
  text += length_lines(report);
  if (comparison.differing.empty()) return text;
  text += cat("\nSentences that differ most, by their ", comparison.metrics.front().name, '\n');
  for (const ComparedSentence& sentence : comparison.differing) text += sentence_lines(report, sentence);
  return text;
}

std::string to_json(const ComparisonReport& report) {
  Json all{{"name", report.set.name}, {"sentences", report.set.references.size()}, {"metrics", Json::array()}};
  for (const ComparedMetric& metric : report.comparison.metrics) all["metrics"].push_back(json_of(report, metric));
  all["by_length"] = lengths_json(report);
  all["differing"] = Json::array();
  for (const ComparedSentence& sentence : report.comparison.differing) {
    all["differing"].push_back(json_of(report, sentence));
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dhyan::cli
