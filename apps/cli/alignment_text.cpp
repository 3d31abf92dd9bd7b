#include "cli/alignment_text.h"

#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "core/error.h"
#include "core/number_text.h"

namespace dhyan::cli {

std::string pharaoh_links(std::span<const v1::Link> links, bool probabilities) {
  std::string text;
  for (const v1::Link& link : links) {
    text += cat(text.empty() ? "" : " ", link.source, '-', link.target);
    if (probabilities) text += cat(':', number_text(rounded(link.probability)));
  }
  return text;
}

std::string json_links(const std::string& source, const std::string& target, const v1::AlignedPair& pair,
                       std::uint64_t line) {
  nlohmann::ordered_json object{{"line", line}, {"source", source}, {"target", target}};
  object["source_words"] = pair.source_words;
  object["target_words"] = pair.target_words;
  object["links"] = nlohmann::ordered_json::array();
  object["probabilities"] = nlohmann::ordered_json::array();
  for (const v1::Link& link : pair.links) {
    object["links"].push_back({link.source, link.target});
    object["probabilities"].push_back(rounded(link.probability));
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

GoldFile::GoldFile(const std::string& file) : lines_(file, {.poll = throw_if_interrupted}) {}

void GoldFile::count(const v1::AlignedPair& pair) {
  std::string_view line;
  if (!lines_.next(line)) lines_.fail("ends before the sentences do; expected a line of links for each");
  const std::string where = cat(lines_.name(), ":", lines_.number());
  const GoldLinks gold = parse_links(line, where);
  if (!pair.target_words.empty()) {
    require_words(gold, std::ssize(pair.source_words), std::ssize(pair.target_words), where);
  }
  Links found;
  for (const v1::Link& link : pair.links) found.emplace_back(link.source, link.target);
  counts_ += count_links(found, gold);
}

std::string GoldFile::in_words() {
  if (lines_.count_rest() > 0) lines_.fail("has more lines than there are sentences; expected one for each");
  const AlignmentScore score = alignment_score(counts_);
  return cat("AER ", fixed(score.error_rate, 4), " (precision ", fixed(score.precision, 3), ", recall ",
             fixed(score.recall, 3), ", ", grouped(static_cast<std::uint64_t>(counts_.found)), " links)\n");
}

}  // namespace dhyan::cli
