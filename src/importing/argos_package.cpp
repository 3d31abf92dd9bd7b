#include <algorithm>

#include "core/error.h"
#include "importing/formats.h"
#include "importing/json_text.h"
#include "text/language_names.h"

namespace dhyan {

namespace {

constexpr std::string_view kMetadataFile = "metadata.json";

// A package has its files in one folder; its own folder has them at once.
std::optional<SourceFiles> package_of(const SourceFiles& files) {
  const auto is_package = [](const SourceFiles& one) { return one.has(kMetadataFile) && one.has("model/model.bin"); };
  if (is_package(files)) return files;
  const std::vector<std::string> names = files.names();
  const auto metadata = std::ranges::find_if(names, [](const std::string& name) {
    return name.ends_with(cat('/', kMetadataFile)) && std::ranges::count(name, '/') == 1;
  });
  if (metadata == names.end()) return std::nullopt;
  SourceFiles below = files.below(metadata->substr(0, metadata->find('/')));
  return is_package(below) ? std::optional(below) : std::nullopt;
}

std::string language_code(const JsonReader& read, const char* name) {
  const std::string code = read.text(name, "");
  return is_language_code(code) ? code : "";
}

}  // namespace

bool is_argos_package(const SourceFiles& files) { return package_of(files).has_value(); }

ImportedModel read_argos_package(const SourceFiles& files, const GivenFiles& given) {
  const std::optional<SourceFiles> package = package_of(files);
  if (!package) throw ModelFileError(cat(files.path().string(), ": has no ", kMetadataFile, " and model/model.bin"));
  const nlohmann::json metadata = parsed_json(package->where(kMetadataFile), package->text(kMetadataFile));
  const JsonReader read{package->where(kMetadataFile), metadata};
  if (read.text("type", "translate") != "translate") {
    throw ModelFileError(
        cat(read.where, ": the package is of the type '", read.text("type", ""), "', expected 'translate'"));
  }
  if (!read.text("target_prefix", "").empty()) {
    throw ModelFileError(cat(read.where, ": the package has a target prefix, which dhyan does not set by itself"));
  }
  if (package->has("bpe.model") && !package->has("sentencepiece.model")) {
    throw ModelFileError(
        cat(package->where("bpe.model"), ": its words are cut by subword-nmt, which dhyan does not do"));
  }
  ImportedModel model = read_ctranslate2_folder(package->below("model"), given);
  if (given.source_pieces.empty()) {
    // The model's own folder has no SentencePiece model; the package has.
    const FoundPieceModels pieces = find_piece_models(*package, given);
    const auto tokens_of = [](const std::shared_ptr<const Tokenizer>& tokenizer) {
      VocabularyOrder order;
      for (TokenId id = 0; id < tokenizer->size(); ++id) order.tokens.emplace_back(tokenizer->piece(id));
      return order;
    };
    model.tokenizers =
        make_tokenizers(tokens_of(model.tokenizers.source), tokens_of(model.tokenizers.target), pieces.models);
  }
  model.config.data.source_language = language_code(read, "from_code");
  model.config.data.target_language = language_code(read, "to_code");
  model.origin = cat("Argos package, version ", read.text("package_version", "unknown"), ", of ", model.origin);
  if (package->has("README.md")) model.readme = package->text("README.md");
  return model;
}

}  // namespace dhyan
