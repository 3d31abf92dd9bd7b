#include <array>

#include "server/route_handlers.h"

namespace dhyan::server {

namespace {

// Answered by the service itself, in the I/O thread.
void answered_before(Service&, const std::shared_ptr<Call>&) {}

constexpr auto kLibre = Api::kLibreTranslate;

constexpr std::array kRoutes = {
    Route{"GET", "/livez", Api::kDhyan, true, answered_before},
    Route{"GET", "/health", Api::kDhyan, true, answered_before},
    Route{"GET", "/metrics", Api::kDhyan, true, handle_metrics},
    Route{"GET", "/openapi.json", Api::kDhyan, true, handle_openapi},

    Route{"POST", "/translate", kLibre, false, handle_translate},
    Route{"POST", "/detect", kLibre, false, handle_detect},
    Route{"GET", "/languages", kLibre, true, handle_languages},
    Route{"GET", "/frontend/settings", kLibre, true, handle_frontend_settings},
    Route{"GET", "/spec", kLibre, true, handle_openapi},
    Route{"POST", "/suggest", kLibre, false, handle_suggest},
    Route{"POST", "/translate_file", kLibre, false, handle_translate_file},

    Route{"POST", "/v2/translate", Api::kDeepL, false, handle_deepl_translate},
    Route{"GET", "/v2/languages", Api::kDeepL, false, handle_deepl_languages},
    Route{"GET", "/v2/usage", Api::kDeepL, false, handle_deepl_usage},
    Route{"POST", "/v2/usage", Api::kDeepL, false, handle_deepl_usage},

    Route{"GET", "/v1/models", Api::kOpenAi, false, handle_models},
    Route{"POST", "/v1/completions", Api::kOpenAi, false, handle_completions},
    Route{"POST", "/v1/embeddings", Api::kOpenAi, false, handle_embeddings},

    Route{"POST", "/v1/tokenize", Api::kDhyan, false, handle_tokenize},
    Route{"POST", "/v1/translate", Api::kDhyan, false, handle_own_translate},
    Route{"POST", "/v1/score", Api::kDhyan, false, handle_score},
    Route{"POST", "/v1/align", Api::kDhyan, false, handle_align},
    Route{"POST", "/v1/caption", Api::kDhyan, false, handle_caption},
    Route{"POST", "/v1/explain", Api::kDhyan, false, handle_explain},
    Route{"GET", "/v1/examples", Api::kDhyan, false, handle_examples},
    Route{"POST", "/v1/scene", Api::kDhyan, false, handle_scene},

    Route{"GET", "/", Api::kPage, true, handle_page},
    Route{"GET", "/app.js", Api::kPage, true, handle_page},
    Route{"GET", "/style.css", Api::kPage, true, handle_page},
    Route{"GET", "/icon.svg", Api::kPage, true, handle_page},
};

}  // namespace

std::span<const Route> routes() { return kRoutes; }

}  // namespace dhyan::server
