#include <algorithm>

#include "core/error.h"
#include "importing/formats.h"
#include "importing/json_text.h"
#include "interop/safetensors_header.h"
#include "text/language_names.h"

namespace dhyan {

namespace {

constexpr std::string_view kMetadataFile = "metadata.json";

// An archive has its package in one folder; a folder is a package, or has one.
struct FoundPackage {
  std::string folder;  // empty: the source itself
  SourceFiles files;
};

std::vector<FoundPackage> packages_in(const SourceFiles& files) {
  const auto is_package = [](const SourceFiles& one) { return one.has(kMetadataFile) && one.has("model/model.bin"); };
  if (is_package(files)) return {{"", files}};
  std::vector<FoundPackage> found;
  for (const std::string& name : files.names()) {
    if (!name.ends_with(cat('/', kMetadataFile)) || std::ranges::count(name, '/') != 1) continue;
    std::string folder = name.substr(0, name.find('/'));
    SourceFiles below = files.below(folder);
    if (is_package(below)) found.push_back({std::move(folder), std::move(below)});
  }
  return found;
}

SourceFiles the_package_in(const SourceFiles& files) {
  const std::vector<FoundPackage> found = packages_in(files);
  if (found.size() == 1) return found.front().files;
  const std::string where = files.path().string();
  if (found.empty()) throw ModelFileError(cat(where, ": has no ", kMetadataFile, " and model/model.bin"));
  throw ModelFileError(cat(where, ": has ", found.size(), " packages, ", quoted_name(found[0].folder), " and ",
                           quoted_name(found[1].folder), found.size() > 2 ? " among them" : "",
                           "; name the folder of one"));
}

std::string language_code(const JsonReader& read, const char* name) {
  const std::string code = read.text(name, "");
  return is_language_code(code) ? code : "";
}

}  // namespace

bool is_argos_package(const SourceFiles& files) { return !packages_in(files).empty(); }

ImportedModel read_argos_package(const SourceFiles& files, const GivenFiles& given) {
  const SourceFiles package = the_package_in(files);
  const nlohmann::json metadata = parsed_json(package.where(kMetadataFile), package.text(kMetadataFile));
  const JsonReader read{package.where(kMetadataFile), metadata};
  if (read.text("type", "translate") != "translate") {
    throw ModelFileError(
        cat(read.where, ": the package is of the type '", read.text("type", ""), "', expected 'translate'"));
  }
  if (!read.text("target_prefix", "").empty()) {
    throw ModelFileError(cat(read.where, ": the package has a target prefix, which dhyan does not set by itself"));
  }
  if (package.has("bpe.model") && !package.has("sentencepiece.model")) {
    throw ModelFileError(
        cat(package.where("bpe.model"), ": its words are cut by subword-nmt, which dhyan does not do"));
  }
  ImportedModel model = read_ctranslate2_folder(package.below("model"), given);
  if (given.source_pieces.empty()) {
    // The model's own folder has no SentencePiece model; the package has.
    const FoundPieceModels pieces = find_piece_models(package, given);
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
  if (package.has("README.md")) model.readme = package.text("README.md");
  return model;
}

}  // namespace dhyan
