#include "server/text_translation.h"

#include <algorithm>
#include <cmath>

#include "server/sentence_links.h"
#include "text/unicode.h"

namespace dhyan::server {

namespace {

// The texts of a request, parsed, and where the sentences of each begin in the job.
struct ParsedTexts {
  std::vector<MarkedText> texts;
  std::vector<std::size_t> begins;  // [texts + 1]
};

// Hypothesis number `rank` of every sentence, or the best where there are fewer, put back into the text.
std::string text_of(const MarkedText& marked, std::span<const std::vector<TranslatedSentence>> sentences,
                    std::size_t rank) {
  std::vector<TranslatedSentence> translated;
  for (const std::vector<TranslatedSentence>& n_best : sentences) {
    translated.push_back(n_best[std::min(rank, n_best.size() - 1)]);
  }
  return marked.restored(translated);
}

std::vector<TranslatedText> restored(const ParsedTexts& parsed, const SentenceLists& lists, Index alternatives) {
  std::vector<TranslatedText> texts;
  for (std::size_t i = 0; i < parsed.texts.size(); ++i) {
    const auto sentences = std::span(lists).subspan(parsed.begins[i], parsed.begins[i + 1] - parsed.begins[i]);
    TranslatedText& text = texts.emplace_back(TranslatedText{text_of(parsed.texts[i], sentences, 0), {}});
    for (Index rank = 1; rank <= alternatives; ++rank) {
      std::string other = text_of(parsed.texts[i], sentences, static_cast<std::size_t>(rank));
      if (other != text.text && std::ranges::find(text.alternatives, other) == text.alternatives.end()) {
        text.alternatives.push_back(std::move(other));
      }
    }
  }
  return texts;
}

}  // namespace

void check_characters(Call& call, std::span<const std::string> texts, std::size_t times) {
  for (const std::string& text : texts) {
    if (text.find('\0') != text.npos) throw BadRequest("a text contains a NUL character");
    call.characters += count_characters(text) * static_cast<Index>(times);
  }
  if (call.max_characters == 0 || call.characters <= call.max_characters) return;
  throw ApiError(
      400, cat("Invalid request: request (", call.characters, ") exceeds text limit (", call.max_characters, ")"));
}

std::string plain_text(std::span<const std::string> texts, const MarkupOptions& markup) {
  std::string all;
  for (const std::string& text : texts) {
    const MarkedText marked(text, markup);
    for (const std::string& sentence : marked.sentences()) all += cat(sentence, '\n');
  }
  return all;
}

std::shared_ptr<Job> sentence_job(const ServedModel& model, const SearchRequest& search, RecordedAttention keep,
                                  std::vector<std::string> sentences) {
  const auto job = std::make_shared<Job>();
  job->translator = model.translator();
  SearchOptions options = search_options(search);
  if (model.translator()->model().has_cross_attention()) options.keep = keep;
  check(options);
  job->options = translation_options(search, options);
  job->batch_key = cat(model.translator().get(), static_cast<int>(options.keep), to_json(search));
  job->sentences = std::move(sentences);
  return job;
}

std::shared_ptr<const SentenceLists> aligned_results(Job& job, std::shared_ptr<const ServedModel> model) {
  const auto lists = std::make_shared<SentenceLists>(job.sentences.size());
  job.sentence_done = [lists, model = std::move(model)](Job& done, std::size_t sentence) {
    for (Translation& translation : done.results[sentence]) {
      (*lists)[sentence].push_back(translated_sentence(translation, model->tokenizers()));
      translation.hypothesis.attention = {};
    }
  };
  return lists;
}

void translate_texts(Service& service, const std::shared_ptr<Call>& call, const TextRequest& request,
                     std::function<void(Call& call, const std::vector<TranslatedText>& texts)> finished) {
  service.admit(*call, request.texts.size());
  const auto parsed = std::make_shared<ParsedTexts>();
  std::vector<std::string> sentences;
  for (const std::string& text : request.texts) {
    parsed->begins.push_back(sentences.size());
    const MarkedText& marked = parsed->texts.emplace_back(text, request.markup);
    sentences.insert(sentences.end(), marked.sentences().begin(), marked.sentences().end());
  }
  parsed->begins.push_back(sentences.size());
  SearchRequest search = request.search;
  if (request.alternatives > 0) {
    search.n_best = request.alternatives + 1;
    search.search.beam_size = std::max(search.search.beam_size, *search.n_best);
  }
  const bool tagged = request.markup.format != MarkupFormat::kText;
  const auto job = sentence_job(
      *request.model, search, tagged ? RecordedAttention::kWeights : RecordedAttention::kNothing, std::move(sentences));
  service.submit(
      call, job,
      [call, parsed, lists = aligned_results(*job, request.model), alternatives = request.alternatives,
       finished = std::move(finished)](const Job&) { finished(*call, restored(*parsed, *lists, alternatives)); });
}

}  // namespace dhyan::server
