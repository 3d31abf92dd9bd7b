#include "importing/formats.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/table.h"

namespace dhyan {

namespace {

constexpr std::array kImportFormats{
    ImportFormat{"argos", "package (.argosmodel) or its folder",
                 "a CTranslate2 model with its SentencePiece model and languages", is_argos_package,
                 read_argos_package},
    ImportFormat{"ctranslate2", "folder with model.bin",
                 "Transformer encoder-decoders, binary versions 2 to 6; float32, float16, bfloat16, int8, int16",
                 is_ctranslate2_folder, read_ctranslate2_folder},
    ImportFormat{"huggingface", "folder with config.json and model.safetensors or pytorch_model.bin",
                 "MarianMT models (OPUS-MT)", is_huggingface_marian, read_huggingface_marian},
    ImportFormat{"huggingface-bert", "folder with config.json and model.safetensors or pytorch_model.bin",
                 "BERT: masked language models, and encoders of sentences (sentence-transformers)", is_huggingface_bert,
                 read_huggingface_bert},
    ImportFormat{"huggingface-gpt2", "folder with config.json and model.safetensors or pytorch_model.bin",
                 "GPT-2: language models", is_huggingface_gpt2, read_huggingface_gpt2},
    ImportFormat{"fairseq", "checkpoint .pt, or its folder, with dictionaries (dict.LANGUAGE.txt)",
                 "Transformer encoder-decoders; words, subword-nmt with its codes, or SentencePiece",
                 is_fairseq_checkpoint, read_fairseq_checkpoint},
    ImportFormat{"opennmt-py", "checkpoint .pt, or its folder",
                 "Transformer encoder-decoders; words, subword-nmt with its codes, or SentencePiece",
                 is_opennmt_checkpoint, read_opennmt_checkpoint},
    ImportFormat{"safetensors", "folder that dhyan export --to safetensors wrote", "all models of text",
                 is_safetensors_folder, read_safetensors_folder},
    ImportFormat{
        "marian", "file .npz or .bin, or its folder, with vocabularies (.yml, .spm)",
        "Transformers, pre- or post-norm, with decoders of self-attention, SSRU or average attention; recurrent "
        "models with GRU or LSTM; int8 of intgemm and shortlists (Firefox, Bergamot)",
        is_marian_model, read_marian_model},
};

std::string_view contents(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

std::span<const ImportFormat> import_formats() { return kImportFormats; }

const ImportFormat& import_format(const SourceFiles& files, const std::string& name) {
  if (!name.empty()) return entry_named("from", import_formats(), name);
  const auto found =
      std::ranges::find_if(kImportFormats, [&](const ImportFormat& one) { return one.recognises(files); });
  if (found != kImportFormats.end()) return *found;
  std::string names;
  for (const ImportFormat& one : kImportFormats)
    names += cat(names.empty() ? "" : "; ", one.name, ", a ", one.contents);
  throw ModelFileError(
      cat((files.path() / files.main()).string(), ": is no model of a format that can be imported: ", names));
}

FoundPieceModels find_piece_models(const SourceFiles& files, const GivenFiles& given) {
  FoundPieceModels found;
  found.files.reserve(2);
  const auto one = [&](const std::string& path, std::span<const std::string_view> names, std::string& where) {
    if (!path.empty()) {
      where = path;
      return contents(found.files.emplace_back(path));
    }
    for (const std::string_view name : names) {
      if (!files.has(name)) continue;
      where = files.where(name);
      return files.text(name);
    }
    return std::string_view();
  };
  constexpr std::array<std::string_view, 4> kOfSource{"source.spm", "sentencepiece.model", "spm.model",
                                                      "tokenizer.model"};
  constexpr std::array<std::string_view, 1> kOfTarget{"target.spm"};
  found.models.source = one(given.source_pieces, kOfSource, found.models.where_source);
  found.models.target = one(given.target_pieces, kOfTarget, found.models.where_target);
  return found;
}

}  // namespace dhyan
