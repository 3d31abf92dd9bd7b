#pragma once

#include "server/service.h"

namespace dhyan::server {

// Handlers of the table of routes. Each answers the call, or throws.

// LibreTranslate
void handle_translate(Service& service, const std::shared_ptr<Call>& call);
void handle_detect(Service& service, const std::shared_ptr<Call>& call);
void handle_languages(Service& service, const std::shared_ptr<Call>& call);
void handle_frontend_settings(Service& service, const std::shared_ptr<Call>& call);
void handle_suggest(Service& service, const std::shared_ptr<Call>& call);
void handle_translate_file(Service& service, const std::shared_ptr<Call>& call);

// DeepL
void handle_deepl_translate(Service& service, const std::shared_ptr<Call>& call);
void handle_deepl_languages(Service& service, const std::shared_ptr<Call>& call);
void handle_deepl_usage(Service& service, const std::shared_ptr<Call>& call);

// OpenAI
void handle_models(Service& service, const std::shared_ptr<Call>& call);
void handle_completions(Service& service, const std::shared_ptr<Call>& call);
void handle_embeddings(Service& service, const std::shared_ptr<Call>& call);

// dhyan
void handle_tokenize(Service& service, const std::shared_ptr<Call>& call);
void handle_own_translate(Service& service, const std::shared_ptr<Call>& call);
void handle_score(Service& service, const std::shared_ptr<Call>& call);
void handle_align(Service& service, const std::shared_ptr<Call>& call);
void handle_caption(Service& service, const std::shared_ptr<Call>& call);
void handle_explain(Service& service, const std::shared_ptr<Call>& call);
void handle_examples(Service& service, const std::shared_ptr<Call>& call);
void handle_scene(Service& service, const std::shared_ptr<Call>& call);
void handle_page(Service& service, const std::shared_ptr<Call>& call);
void handle_metrics(Service& service, const std::shared_ptr<Call>& call);
void handle_openapi(Service& service, const std::shared_ptr<Call>& call);

}  // namespace dhyan::server
