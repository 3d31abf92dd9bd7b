#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "markup/marked_text.h"
#include "server/service.h"
#include "translator/search_request.h"

namespace dhyan::server {

// Texts, with or without markup, to be translated sentence by sentence.
struct TextRequest {
  std::shared_ptr<const ServedModel> model;
  std::vector<std::string> texts;
  MarkupOptions markup = {};
  SearchRequest search = {};
  Index alternatives = 0;  // beside the best translation; widens the beam if it must
};

struct TranslatedText {
  std::string text;
  std::vector<std::string> alternatives;  // different from the text and from each other; may be fewer than asked for
};

// Queues the sentences and calls `finished` in a thread of tasks. ApiError if there are more texts than allowed; their
// characters are checked by the caller, who may look at them first.
void translate_texts(Service& service, const std::shared_ptr<Call>& call, const TextRequest& request,
                     std::function<void(Call& call, const std::vector<TranslatedText>& texts)> finished);

// ApiError unless the client may send so many code points in a request: those of these texts, `times` each, and of all
// that were checked before.
void check_characters(Call& call, std::span<const std::string> texts, std::size_t times = 1);

// The words of texts without their markup, to tell their language.
std::string plain_text(std::span<const std::string> texts, const MarkupOptions& markup);

// The n-best list of each sentence, to be put back into a text.
using SentenceLists = std::vector<std::vector<TranslatedSentence>>;

// The translations of a job, complete when it is done. Each sentence is aligned as soon as it is translated, and its
// attention forgotten: that of all sentences of a text may be gigabytes.
std::shared_ptr<const SentenceLists> aligned_results(Job& job, std::shared_ptr<const ServedModel> model);

// A job of one model for sentences. The key makes it share batches with jobs of the same model and options.
std::shared_ptr<Job> sentence_job(const ServedModel& model, const SearchRequest& search, RecordedAttention keep,
                                  std::vector<std::string> sentences);

}  // namespace dhyan::server
