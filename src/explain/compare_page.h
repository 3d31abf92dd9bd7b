#pragma once

#include "explain/formats.h"

namespace dhyan {

// A model's name, and its explanation of the sentence that every compared model translates.
struct ComparedModel {
  std::string name;
  Explanation explanation;
};

// Models side by side: translations, the probability of each word, and attention maps, or the context vector of a model
// without attention.
std::string compare_text(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_html(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_svg(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_png(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_json(std::span<const ComparedModel> models, const RenderOptions& options);

// The output formats; the first is text.
struct CompareFormat {
  std::string_view name;
  std::string_view extension;  // of its files
  Summary summary;             // of several layers and heads, unless the user chooses another
  std::string (*render)(std::span<const ComparedModel> models, const RenderOptions& options);
};
std::span<const CompareFormat> compare_formats();

}  // namespace dhyan
