#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "importing/own_folder.h"
#include "runs/run_folder.h"
#include "translator/model_folder.h"

namespace dhyan {

// A format that models can be exported to. A new one is an entry of the table. The folder also has our config and
// tokenizers in dhyan/, with which importing it again gives the same model.
struct ExportFormat {
  std::string_view name;  // "ctranslate2"
  std::string_view features;
  void (*write)(const LoadedModel& model, const std::filesystem::path& folder);
};
std::span<const ExportFormat> export_formats();

// Writes the model of `folder` to the new folder `output`. ModelFileError for an int8 model and, naming it, for a
// feature that the format does not have; UsageError if `output` has files. `poll` may throw to stop; nothing
// is left then.
void export_model(const std::filesystem::path& folder, const std::filesystem::path& output, const std::string& to,
                  const std::function<void()>& poll = {});

// Formats.
void write_ctranslate2_folder(const LoadedModel& model, const std::filesystem::path& folder);
void write_safetensors_folder(const LoadedModel& model, const std::filesystem::path& folder);
void write_huggingface_marian(const LoadedModel& model, const std::filesystem::path& folder);

inline constexpr std::string_view kCtranslate2Name = "CTranslate2";

// ModelFileError unless it is an encoder-decoder of plain attention that reads text.
void expect_plain_transformer(const LoadedModel& model, std::string_view format);

// Writes the SentencePiece models of both sides, where there are any, as source.spm and target.spm.
void write_piece_models(const LoadedModel& model, const std::filesystem::path& folder);

// The texts of the tokens of a side, in the order of their ids.
std::vector<std::string> tokens_of(const Tokenizer& tokenizer);

}  // namespace dhyan
