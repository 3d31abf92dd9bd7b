#include "importing/checkpoint_files.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "text/merges_tokenizer.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

bool is_checkpoint_name(const std::string& name) { return name.ends_with(".pt") || name.ends_with(".pth"); }

// The best one first, then the last one.
int rank_of_checkpoint(const std::string& name) {
  const std::string file = std::filesystem::path(name).filename().string();
  return file.find("best") != file.npos ? 0 : file.find("last") != file.npos ? 1 : 2;
}

// Codes of subword-nmt.
struct FoundCodes {
  std::string text, where;
};

FoundCodes find_codes(const SourceFiles& files, const std::string& given) {
  if (!given.empty()) {
    const MappedFile file(given);
    return {{reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, given};
  }
  for (const std::string& name : files.names()) {
    const std::string file = std::filesystem::path(name).filename().string();
    const bool is_codes = file == "code" || file == "codes" || file == "bpecodes" || file == "bpe.code" ||
                          file == "bpe.codes" || file == "codes.bpe" || file == "bpe-codes";
    if (is_codes) return {std::string(files.text(name)), files.where(name)};
  }
  return {};
}

std::shared_ptr<const Tokenizer> subword_nmt(const VocabularyOrder& order, const FoundCodes& codes) {
  if (PairMerges::is_first_version(codes.text)) {
    throw ModelFileError(cat(codes.where, ": codes of version 0.1; expected a first line \"#version: 0.2\""));
  }
  return std::make_shared<const SubwordNmtTokenizer>(order.vocabulary(), PairMerges::parse(codes.where, codes.text));
}

}  // namespace

std::string checkpoint_that_mentions(const SourceFiles& files, std::string_view text) {
  std::vector<std::string> names = files.names();
  if (!files.main().empty()) names = {files.main()};
  std::erase_if(names, [](const std::string& name) { return !is_checkpoint_name(name); });
  std::ranges::stable_sort(names, {}, rank_of_checkpoint);
  for (const std::string& name : names) {
    if (TorchFile::mentions(files.where(name), files.bytes(name), text)) return name;
  }
  return {};
}

ForeignTensors ForeignCheckpoint::tensors(std::initializer_list<std::string_view> beginnings) const {
  std::vector<TensorEntry> kept;
  for (const TensorEntry& tensor : file_.tensors()) {
    const auto begins = [&](std::string_view beginning) { return tensor.name.starts_with(beginning); };
    if (std::ranges::any_of(beginnings, begins)) kept.push_back(tensor);
  }
  return {where_, std::move(kept)};
}

void set_piece_or_word_tokenizers(ImportedModel& model, const VocabularyOrder& source, const VocabularyOrder& target,
                                  const SourceFiles& files, const GivenFiles& given) {
  const bool shared = source.tokens == target.tokens;
  model.config.tokenizer.shared = shared;
  const auto any = [&](auto&& is_so) {
    return std::ranges::any_of(source.tokens, is_so) || std::ranges::any_of(target.tokens, is_so);
  };
  if (any([](const std::string& token) { return token.size() > 2 && token.ends_with("@@"); })) {
    const FoundCodes of_source = find_codes(files, given.source_pieces);
    const FoundCodes of_target = given.target_pieces.empty() ? of_source : find_codes(files, given.target_pieces);
    if (of_source.where.empty()) {
      throw ModelFileError(cat(files.path().string(), ": the tokens are of subword-nmt (@@), and there are no codes",
                               " (bpe.codes); name them by --source-pieces"));
    }
    model.config.tokenizer.kind = SubwordNmtTokenizer::kKind;
    model.tokenizers.source = subword_nmt(source, of_source);
    model.tokenizers.target = shared ? model.tokenizers.source : subword_nmt(target, of_target);
    return;
  }
  if (any([](const std::string& token) { return token.starts_with("▁"); })) {
    model.tokenizers = make_tokenizers(source, target, find_piece_models(files, given).models);
    return;
  }
  model.config.tokenizer.kind = WordTokenizer::kKind;
  model.tokenizers.source = std::make_shared<const WordTokenizer>(source.vocabulary());
  model.tokenizers.target =
      shared ? model.tokenizers.source : std::make_shared<const WordTokenizer>(target.vocabulary());
}

}  // namespace dhyan
