#include "cli/caption_text.h"

#include <nlohmann/json.hpp>

#include "api/results.h"
#include "cli/translation_text.h"
#include "core/error.h"
#include "core/number_text.h"
#include "explain/units.h"
#include "text/display.h"

namespace dhyan::cli {

namespace {

using CaptionJson = nlohmann::ordered_json;

std::string caption_line(const CaptionJson& object) {
  return object.dump(-1, ' ', false, CaptionJson::error_handler_t::replace) + '\n';
}

CaptionJson caption_object(const CaptionedResult& result, std::uint64_t number) {
  return {{"picture", number}, {"name", result.picture.name}};
}

std::string caption_json(const CaptionedResult& result, std::uint64_t number, const Tokenizer& tokenizer, bool ranks) {
  std::string lines;
  for (std::size_t rank = 0; rank < result.n_best.size(); ++rank) {
    const Translation& caption = result.n_best[rank];
    TokenUnits words = target_units(tokenizer, caption.hypothesis.tokens, Units::kWords);
    std::vector<double> scores = unit_scores(caption.hypothesis.token_scores, words);
    if (words.ended) {
      words.labels.pop_back();
      scores.pop_back();
    }
    CaptionJson object = caption_object(result, number);
    if (ranks) object["rank"] = rank;
    object["caption"] = caption.text;
    object["score"] = rounded(caption.hypothesis.score);
    object["log_probability"] = rounded(caption.hypothesis.log_probability);
    object["finished"] = caption.finished();
    object["words"] = words.labels;
    object["word_scores"] = CaptionJson::array();
    for (const double score : scores) object["word_scores"].push_back(rounded(score));
    lines += caption_line(object);
  }
  return lines;
}

}  // namespace

std::string caption_text(const CaptionedResult& result, std::uint64_t number, const TokenizerPair& tokenizers,
                         const CaptionFormat& format) {
  if (!result.failure.empty()) {
    if (!format.json) return "";
    CaptionJson object = caption_object(result, number);
    object["error"] = result.failure;
    return caption_line(object);
  }
  if (format.json) return caption_json(result, number, *tokenizers.target, format.n_best);
  v1::NBest n_best;
  for (const Translation& caption : result.n_best) n_best.push_back(api::told(caption, tokenizers, {}));
  const std::string lines = to_text(n_best, number, {.n_best = format.n_best});
  return format.names && !format.n_best ? cat(shown(result.picture.name), '\t', lines) : lines;
}

}  // namespace dhyan::cli
