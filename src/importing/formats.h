#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "importing/imported_model.h"
#include "importing/source_files.h"

namespace dhyan {

// Files that a user names where the model's folder has none, or other ones. Empty: those of the folder.
struct GivenFiles {
  std::string source_pieces, target_pieces;          // SentencePiece models
  std::string source_vocabulary, target_vocabulary;  // of Marian
};

// A format that models can be imported from. A new one is an entry of the table.
struct ImportFormat {
  std::string_view name;      // "ctranslate2"
  std::string_view contents;  // what SOURCE is: "folder with model.bin"
  std::string_view features;
  bool (*recognises)(const SourceFiles& files);
  ImportedModel (*read)(const SourceFiles& files, const GivenFiles& given);
};
std::span<const ImportFormat> import_formats();

// The format of these files by their content, or the one of this name. ModelFileError that lists the formats if there
// is none.
const ImportFormat& import_format(const SourceFiles& files, const std::string& name);

// Formats.
bool is_ctranslate2_folder(const SourceFiles& files);
ImportedModel read_ctranslate2_folder(const SourceFiles& files, const GivenFiles& given);
bool is_argos_package(const SourceFiles& files);
ImportedModel read_argos_package(const SourceFiles& files, const GivenFiles& given);
bool is_huggingface_marian(const SourceFiles& files);
ImportedModel read_huggingface_marian(const SourceFiles& files, const GivenFiles& given);
bool is_huggingface_bert(const SourceFiles& files);
ImportedModel read_huggingface_bert(const SourceFiles& files, const GivenFiles& given);
bool is_huggingface_gpt2(const SourceFiles& files);
ImportedModel read_huggingface_gpt2(const SourceFiles& files, const GivenFiles& given);
bool is_fairseq_checkpoint(const SourceFiles& files);
ImportedModel read_fairseq_checkpoint(const SourceFiles& files, const GivenFiles& given);
bool is_opennmt_checkpoint(const SourceFiles& files);
ImportedModel read_opennmt_checkpoint(const SourceFiles& files, const GivenFiles& given);
bool is_safetensors_folder(const SourceFiles& files);
ImportedModel read_safetensors_folder(const SourceFiles& files, const GivenFiles& given);
bool is_marian_model(const SourceFiles& files);
ImportedModel read_marian_model(const SourceFiles& files, const GivenFiles& given);

// SentencePiece models of a folder, by the names that the toolkits give them; those of the user go first.
struct FoundPieceModels {
  PieceModels models;
  std::vector<MappedFile> files;  // whose memory they are
};
FoundPieceModels find_piece_models(const SourceFiles& files, const GivenFiles& given);

}  // namespace dhyan
