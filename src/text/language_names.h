#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dhyan {

// "Hindi" for "hi", whatever its case; the code itself if it is unknown, and "Portuguese (AO)" for an unknown region.
// Known are all two-letter codes of ISO 639-1, some longer ones, and common regions and scripts, such as pt-BR.
std::string language_name(std::string_view code);

// Whether the language is in the table; its region or script need not be.
bool is_known_language(std::string_view code);

// Whether the text has the form of a code: two to eight letters, then parts of up to eight letters and digits, each
// after a hyphen or an underscore: "hi", "pt-BR", "zh_Hant_TW".
bool is_language_code(std::string_view text);

// The usual spelling of a code: "pt-BR" for "PT_br", "zh-Hant" for "ZH-hant".
std::string usual_spelling(std::string_view code);

// The available code that matches the requested one: the same in any case; else without its last parts, "en" for
// "EN-US"; else the first with more parts, "pt-BR" for "pt". Empty if there is none.
std::optional<std::string> matching_language(std::string_view asked, std::span<const std::string> available);

}  // namespace dhyan
