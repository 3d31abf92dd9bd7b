#pragma once

#include "explain/formats.h"

namespace dhyan {

// A model, as it is called, and how it translated the sentence that another translated too.
struct ComparedModel {
  std::string name;
  Explanation explanation;
};

// Models side by side: translations, the probability of each word, and maps, or the one vector of a model that does not
// attend.
std::string compare_text(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_html(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_svg(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_png(std::span<const ComparedModel> models, const RenderOptions& options);
std::string compare_json(std::span<const ComparedModel> models, const RenderOptions& options);

// The ways to show them: text the first.
struct CompareFormat {
  std::string_view name;
  std::string_view extension;  // of its files
  Summary summary;             // of several layers and heads, unless another is asked for
  std::string (*render)(std::span<const ComparedModel> models, const RenderOptions& options);
};
std::span<const CompareFormat> compare_formats();

}  // namespace dhyan
