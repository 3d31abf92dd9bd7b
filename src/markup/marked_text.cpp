#include "markup/marked_text.h"

#include "core/error.h"
#include "markup/aligned_flow.h"
#include "markup/flow_writer.h"
#include "markup/html_tokens.h"
#include "markup/placement.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

std::vector<MarkupToken> tokens_of(std::string_view document, const MarkupOptions& options) {
  if (options.format == MarkupFormat::kHtml) return html_tokens(document, options.ignored_tags);
  if (options.format == MarkupFormat::kXml) return xml_tokens(document, options.ignored_tags);
  return {{.source = document, .text = std::string(document)}};
}

}  // namespace

MarkedText::MarkedText(std::string_view document, const MarkupOptions& options) : format_(options.format) {
  std::string clean;
  if (format_ != MarkupFormat::kXml && first_bad_byte(document)) document = clean = replace_bad_utf8(document);
  const FlowOptions flow_options{.collapse_space = format_ == MarkupFormat::kHtml,
                                 .markup = format_ != MarkupFormat::kText};
  flows_ = flows(tokens_of(document, options), flow_options);
  for (const Flow& flow : flows_) {
    for (const ByteRange& sentence : flow.sentences) sentences_.emplace_back(part(flow.text, sentence));
  }
}

std::string MarkedText::restored(std::span<const TranslatedSentence> translations) const {
  if (translations.size() != sentences_.size())
    throw UsageError(cat("markup: ", translations.size(), " translations of ", sentences_.size(), " sentences"));
  std::string document;
  for (const Flow& flow : flows_) {
    const AlignedFlow aligned = aligned_flow(flow, translations.first(flow.sentences.size()));
    translations = translations.subspan(flow.sentences.size());
    document += flow.before;
    if (format_ == MarkupFormat::kText) {
      document += flow.leading + aligned.text + flow.trailing;
    } else {
      document += written_flow(flow, aligned, placed_items(flow.items, aligned));
    }
  }
  return document;
}

}  // namespace dhyan
