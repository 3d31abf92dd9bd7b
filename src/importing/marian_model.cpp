#include <algorithm>

#include "core/error.h"
#include "importing/formats.h"
#include "importing/marian_files.h"
#include "importing/marian_int8.h"
#include "importing/marian_networks.h"
#include "importing/shortlist_order.h"
#include "interop/npz.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::string_view kMarianConfig = "special:model.yml";

// The tensors of an .npz or a .bin and what they point into.
struct MarianFile {
  std::optional<NpzFile> npz;
  ForeignTensors tensors;
};

std::string model_file_of(const SourceFiles& files) {
  const auto is_model = [&](const std::string& name) {
    return name.ends_with(".npz") || (name.ends_with(".bin") && is_marian_bin(files.bytes(name)));
  };
  if (!files.main().empty()) return is_model(files.main()) ? files.main() : "";
  std::vector<std::string> names = files.names();
  std::erase_if(names, [&](const std::string& name) { return name.find('/') != name.npos || !is_model(name); });
  return names.size() == 1 ? names.front() : "";
}

MarianFile open_marian(const std::string& where, std::span<const std::byte> bytes) {
  if (is_zip(bytes)) {
    NpzFile npz(where, bytes);
    std::vector<TensorEntry> arrays = npz.arrays();
    return {std::move(npz), ForeignTensors(where, std::move(arrays))};
  }
  return {std::nullopt, tensors_of_marian_bin(where, parse_marian_bin(where, bytes))};
}

constexpr MarianNetwork kMarianNetworks[] = {
    {"transformer", "decoder_ff_logit_out", read_marian_transformer},
    {"s2s", "decoder_ff_logit_l2", read_marian_recurrent},
};

const MarianNetwork& marian_network(const std::string& where, const MarianSettings& settings) {
  const std::string type = settings.text("type", "transformer");
  const auto found = std::ranges::find(kMarianNetworks, type, &MarianNetwork::type);
  if (found != std::end(kMarianNetworks)) return *found;
  throw ModelFileError(
      cat(where, ": type is '", type, "', which dhyan does not import; expected 'transformer' or 's2s'"));
}

std::string first_of(const ForeignTensors& tensors, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (tensors.has(name)) return name;
  }
  return *names.begin();
}

VocabularyOrder order_of_marian(const std::vector<std::string>& tokens, Index rows) {
  SpecialPlaces special{.pad = std::nullopt,
                        .unknown = place_of(tokens, kSpecialTokens[kUnknown]),
                        .end = place_of(tokens, kSpecialTokens[kEnd]),
                        .start = std::nullopt};
  if (!special.end) throw ModelFileError("marian: a vocabulary has no </s>");
  return our_order(tokens, rows, special);
}

// Reads the tables. The decoder starts with a zero embedding.
std::pair<VocabularyOrder, VocabularyOrder> read_marian_words(ForeignTensors& tensors, ImportedModel& model,
                                                              const MarianVocabularies& tokens,
                                                              std::string_view output_name) {
  const std::string source_name = first_of(tensors, {"encoder_Wemb", "Wemb"}),
                    target_name = first_of(tensors, {"decoder_Wemb", "Wemb"});
  const ForeignMatrix encoder = tensors.matrix(source_name), decoder = tensors.matrix(target_name);
  const std::string plain = cat(output_name, "_W"), turned = cat(output_name, "_Wt"),
                    bias_name = cat(output_name, "_b");
  const bool transposed = tensors.has(plain);
  const bool tied = !transposed && !tensors.has(turned);
  const ForeignMatrix output = tied         ? decoder
                               : transposed ? tensors.matrix(plain).transposed()
                                            : tensors.matrix(turned);
  const VocabularyOrder source = order_of_marian(tokens.source, encoder.rows),
                        target = order_of_marian(tokens.target, decoder.rows);
  const bool one_table = source_name == target_name && source.tokens == target.tokens;
  model.config.common.tying = !tied ? Tying::kNone : one_table ? Tying::kAll : Tying::kDecoder;
  const ForeignMatrix bias = tensors.has(bias_name) ? tensors.vector(bias_name, decoder.rows) : zeros(1, decoder.rows);
  set_words(model, {.source = source.table(encoder),
                    .target = target.table(decoder),
                    .output = target.table(output),
                    .output_bias = target.output_bias(bias)});
  return {source, target};
}

// Pieces with space marks, or a SentencePiece model: subwords; otherwise words between spaces.
void set_marian_tokenizers(ImportedModel& model, const VocabularyOrder& source, const VocabularyOrder& target,
                           const PieceModels& pieces) {
  const auto is_piece = [](const std::string& token) { return token.starts_with(kSpaceMark); };
  if (pieces.source.empty() && std::ranges::none_of(source.tokens, is_piece)) {
    model.config.tokenizer.kind = "word";
    model.tokenizers.source = std::make_shared<const WordTokenizer>(source.vocabulary());
    model.tokenizers.target = std::make_shared<const WordTokenizer>(target.vocabulary());
    return;
  }
  model.tokenizers = make_tokenizers(source, target, pieces);
}

}  // namespace

bool is_marian_model(const SourceFiles& files) { return !model_file_of(files).empty(); }

ImportedModel read_marian_model(const SourceFiles& files, const GivenFiles& given) {
  const std::string name = model_file_of(files);
  if (name.empty()) throw ModelFileError(cat(files.path().string(), ": has no single .npz or .bin of Marian"));
  const std::string where = files.where(name);
  MarianFile file = open_marian(where, files.bytes(name));
  ForeignTensors& tensors = file.tensors;
  ImportedModel model{.config = config_of_imported_transformer()};
  const MarianSettings settings(where, tensors.take(kMarianConfig));
  const MarianNetwork& network = marian_network(where, settings);
  network.read(settings, tensors, model);
  const MarianVocabularies vocabularies = vocabularies_of_marian(files, given);
  const auto [source, target] = read_marian_words(tensors, model, vocabularies, network.output);
  if (const auto rest = tensors.unread(); !rest.empty())
    tensors.fail(rest.front()->name, "dhyan does not know what it is for");
  FoundPieceModels pieces = find_piece_models(files, given);
  if (pieces.models.source.empty()) pieces.models = vocabularies.pieces;
  set_marian_tokenizers(model, source, target, pieces.models);
  model.config.tokenizer.shared = source.tokens == target.tokens;
  if (const auto list = shortlist_of_marian(files)) {
    const std::string of = files.where(*list);
    model.shortlist = in_our_order(parse_marian_shortlist(of, files.bytes(*list)), source, target, of);
  }
  model.origin = cat("Marian ", settings.text("version", "of an unknown version"));
  return model;
}

}  // namespace dhyan
