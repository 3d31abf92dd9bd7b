#include "cli/alignment_text.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/interrupt.h"
#include "core/error.h"
#include "core/number_text.h"

namespace dhyan::cli {

std::string pharaoh_links(std::span<const ScoredLink> links, bool probabilities) {
  std::string text;
  for (const ScoredLink& one : links) {
    text += cat(text.empty() ? "" : " ", one.link.first, '-', one.link.second);
    if (probabilities) text += cat(':', number_text(rounded(one.probability)));
  }
  return text;
}

std::string json_links(const Translation& forced, const AttentionMap& map, std::span<const ScoredLink> links,
                       std::uint64_t line) {
  const auto words = [](const std::vector<std::string>& labels) {
    return labels.empty() ? labels : std::vector<std::string>(labels.begin(), labels.end() - 1);  // without </s>
  };
  nlohmann::ordered_json object{{"line", line}, {"source", forced.source}, {"target", forced.text}};
  object["source_words"] = words(map.columns);
  object["target_words"] = words(map.rows);
  object["links"] = nlohmann::ordered_json::array();
  object["probabilities"] = nlohmann::ordered_json::array();
  for (const ScoredLink& one : links) {
    object["links"].push_back(one.link);
    object["probabilities"].push_back(rounded(one.probability));
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

GoldFile::GoldFile(const std::string& file) : lines_(file, {.poll = throw_if_interrupted}) {}

void GoldFile::count(const Links& found, const AttentionMap& map) {
  std::string_view line;
  if (!lines_.next(line)) lines_.fail("ends before the sentences do; expected a line of links for each");
  const std::string where = cat(lines_.name(), ":", lines_.number());
  const GoldLinks gold = parse_links(line, where);
  if (!map.rows.empty()) require_words(gold, std::ssize(map.columns) - 1, std::ssize(map.rows) - 1, where);
  counts_ += count_links(found, gold);
}

std::string GoldFile::in_words() {
  if (lines_.count_rest() > 0) lines_.fail("has more lines than there are sentences; expected one for each");
  const AlignmentScore score = alignment_score(counts_);
  return cat("AER ", fixed(score.error_rate, 4), " (precision ", fixed(score.precision, 3), ", recall ",
             fixed(score.recall, 3), ", ", grouped(static_cast<std::uint64_t>(counts_.found)), " links)\n");
}

}  // namespace dhyan::cli
