#include "importing/marian_files.h"

#include <algorithm>

#include "core/error.h"
#include "interop/marian_vocabulary.h"
#include "text/sentencepiece_model.h"

namespace dhyan {

namespace {

struct NamedText {
  std::string name, where;
  std::string_view text;
};

bool is_piece_model(const std::string& name) { return name.ends_with(".spm"); }

bool is_yaml_vocabulary(const std::string& name) {
  return name.ends_with("vocab.yml") || name.ends_with("vocab.yaml") || name.ends_with("vocabs.yml");
}

std::vector<std::string> tokens_in(const NamedText& file) {
  if (!is_piece_model(file.name)) return parse_marian_vocabulary(file.where, file.text);
  std::vector<std::string> tokens;
  for (SubwordPiece& piece : parse_sentencepiece_model(file.where, file.text).pieces) {
    tokens.push_back(std::move(piece.text));
  }
  return tokens;
}

// One vocabulary, or two of which the name of the source's begins with "src": srcvocab.enja.spm, trgvocab.enja.spm.
std::vector<NamedText> found_in(const SourceFiles& files) {
  std::vector<NamedText> found;
  for (bool (*is_vocabulary)(const std::string&) : {is_yaml_vocabulary, is_piece_model}) {
    for (const std::string& name : files.names()) {
      if (!is_vocabulary(name) || name.find('/') != name.npos) continue;
      found.push_back({name, files.where(name), files.text(name)});
    }
    if (!found.empty()) break;  // pieces beside a vocabulary only cut lines
  }
  const bool two = found.size() == 2 && found[0].name.starts_with("src") && found[1].name.starts_with("trg");
  if (found.size() == 1 || two) return found;
  throw ModelFileError(cat(files.path().string(), ": has ", found.size(),
                           " vocabularies (*vocab.yml or *.spm), expected 1, or src*.spm and trg*.spm; name them by "
                           "--source-vocabulary and --target-vocabulary"));
}

}  // namespace

MarianVocabularies vocabularies_of_marian(const SourceFiles& files, const GivenFiles& given) {
  MarianVocabularies result;
  result.files.reserve(2);
  std::vector<NamedText> found;
  for (const std::string& path : {given.source_vocabulary, given.target_vocabulary}) {
    if (path.empty()) continue;
    const std::span<const std::byte> bytes = result.files.emplace_back(path).bytes();
    found.push_back({path, path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
  }
  if (given.source_vocabulary.empty()) found = found_in(files);
  const NamedText &source = found.front(), &target = found.back();
  result.source = tokens_in(source);
  result.target = found.size() == 1 ? result.source : tokens_in(target);
  if (is_piece_model(source.name)) result.pieces.source = source.text, result.pieces.where_source = source.where;
  if (is_piece_model(target.name)) result.pieces.target = target.text, result.pieces.where_target = target.where;
  return result;
}

std::optional<std::string> shortlist_of_marian(const SourceFiles& files) {
  std::vector<std::string> names = files.names();
  std::erase_if(names, [&](const std::string& name) {
    return name.find('/') != name.npos || !name.ends_with(".bin") || !is_marian_shortlist(files.bytes(name));
  });
  return names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

}  // namespace dhyan
