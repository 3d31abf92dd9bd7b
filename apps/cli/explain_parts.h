#pragma once

#include <functional>
#include <iostream>
#include <memory>

#include "cli/explain_arguments.h"
#include "explain/explanation.h"
#include "explain/formats.h"
#include "translator/context_vector.h"

namespace dhyan::cli {

// Shared by the views of `dhyan explain`.

RenderOptions looks_of(const ExplainArguments& options, const Output& output);

// A warning on standard error; none for an empty text.
void warn(const std::string& what);

// The format that the user chooses by name or by the extension of the file, otherwise the first of the table.
template <class Entry>
const Entry& format_in(std::span<const Entry> table, const ExplainArguments& options) {
  if (!options.format.empty()) return entry_called("format", table, options.format);
  if (options.output.empty()) return table.front();
  if (const Entry* format = format_of_file(table, options.output)) return *format;
  const std::string ending = std::filesystem::path(options.output).extension();
  throw UsageError(cat(
      "explain: ", ending.empty() ? cat("'", options.output, "' has no file ending") : "unknown file ending " + ending,
      "; name a format with -f:", names_in(table)));
}

// The translation of one input, or the forced one, with every step recorded.
Translation explained_translation(const ExplainArguments& options, const Translator& translator, const Inputs& input);

// A translation, and the values that its record does not have.
struct Explained {
  const Translated& translated;
  const TokenizerPair& tokenizers;
  const Config& config;
  std::function<std::unique_ptr<Decoding>()> decode =
      {};  // from the beginning, once more; none where nothing is written
};

// --step, as text or as a page.
void show_step(const ExplainArguments& options, const Explained& explained, const AttentionChoice& attention,
               bool as_text, Output& output);

// --beam.
void explain_beam(const ExplainArguments& options, const Translator& translator, const Inputs& input, Output& output);

// Captions a picture, or a scene drawn to order, and writes the attention over it.
void explain_picture(const ExplainArguments& options, LoadedModel loaded, Output& output);

}  // namespace dhyan::cli
