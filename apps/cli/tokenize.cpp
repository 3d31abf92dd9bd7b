#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "cli/choice_option.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "cli/text_input.h"
#include "cli/tokenizer_option.h"
#include "core/error.h"
#include "core/number_text.h"
#include "data/lines.h"
#include "data/text_writer.h"
#include "runs/learn_tokenizers.h"
#include "text/vocabulary.h"
#include "text/word_tokenizer.h"
#include "translator/model_folder.h"

namespace dhyan::cli {

namespace {

enum class ModelSide { kSource, kTarget };
constexpr std::array kModelSides{Choice{"source", ModelSide::kSource}, Choice{"target", ModelSide::kTarget}};

struct TokenizeOptions {
  std::string model;
  ModelSide side = ModelSide::kSource;
  bool ids = false;
  std::string input = "-";
  std::string output = "-";
};

// Converts line by line, to a file that appears at the end or to standard output, flushed when no input is waiting.
template <class Transform>
void transform_lines(const TokenizeOptions& options, const char* what, Output& output, const Transform& transform) {
  constexpr std::size_t kBlock = 1 << 16;
  const std::unique_ptr<TextSink> file = options.output == "-" ? nullptr : open_text_file(options.output);
  LineReader input(options.input, {.poll = throw_if_interrupted});
  // Interactive use needs no progress bar.
  std::optional<ProgressBar> bar;
  std::optional<std::uint64_t> total;
  if (file != nullptr || !output.is_terminal()) total = count_lines(options.input);
  if (total) bar.emplace(what);
  std::string block;
  const auto write = [&] {
    file != nullptr ? file->write(block) : output.write(block);
    block.clear();
    if (bar) bar->update(input.number(), total, "lines");
  };
  for (std::string_view line; input.next(line);) {
    block += transform(line, input);
    block += '\n';
    if (block.size() >= kBlock || !input.ready(std::chrono::milliseconds(0))) write();
  }
  write();
  if (file != nullptr) file->commit();
}

std::shared_ptr<const Tokenizer> tokenizer_of(const TokenizeOptions& options) {
  const TokenizerPair pair = tokenizers_of_model(options.model);
  return options.side == ModelSide::kSource ? pair.source : pair.target;
}

void encode_lines(const TokenizeOptions& options, Output& output) {
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(options);
  transform_lines(options, "encoding", output, [&](std::string_view line, const LineReader&) {
    std::string text;
    for (const TokenId id : tokenizer->encode(line).ids) {
      text += cat(text.empty() ? "" : " ", options.ids ? number_text(id) : escape_token(tokenizer->piece(id)));
    }
    return text;
  });
}

class TokenReader {
 public:
  TokenReader(const Tokenizer& tokenizer, bool ids) : tokenizer_(tokenizer), by_number_(ids) {
    if (ids) return;
    for (TokenId id = 0; id < tokenizer.size(); ++id) ids_.emplace(escape_token(tokenizer.piece(id)), id);
  }

  TokenId read(std::string_view word, const LineReader& input) const {
    return by_number_ ? number(word, input) : piece(word, input);
  }

 private:
  TokenId number(std::string_view word, const LineReader& input) const {
    const std::optional<TokenId> id = parse_number<TokenId>(word);
    if (id && *id >= 0 && *id < tokenizer_.size()) return *id;
    input.fail(cat("'", word, "' is not a token id; expected a number from 0 to ", tokenizer_.size() - 1));
  }

  TokenId piece(std::string_view word, const LineReader& input) const {
    if (const auto found = ids_.find(word); found != ids_.end()) return found->second;
    input.fail(cat("'", word, "' is not in the vocabulary of ", tokenizer_.size(),
                   " tokens; expected tokens as dhyan encode writes them"));
  }

  const Tokenizer& tokenizer_;
  bool by_number_;
  TokenMap<TokenId> ids_;
};

void decode_lines(const TokenizeOptions& options, Output& output) {
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(options);
  const TokenReader tokens(*tokenizer, options.ids);
  transform_lines(options, "decoding", output, [&](std::string_view line, const LineReader& input) {
    std::vector<TokenId> ids;
    for (const ByteRange& word : word_ranges(line)) ids.push_back(tokens.read(part(line, word), input));
    return tokenizer->decode(ids);
  });
}

Runner add_tokenize_options(CLI::App& command, const char* input, const char* ids,
                            void (*run)(const TokenizeOptions&, Output&)) {
  const auto options = std::make_shared<TokenizeOptions>();
  command.add_option("-m,--model", options->model, "Folder of the model whose tokenizer to use")
      ->type_name("DIR")
      ->required();
  add_choice(command, "--side", kModelSides, options->side, "Side whose vocabulary to use")
      ->type_name("SIDE")
      ->default_str("source");
  command.add_flag("--ids", options->ids, ids);
  command
      .add_option("-o,--output", options->output, "Where to write; .gz and .zst are compressed, - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command.add_option("input", options->input, input)->type_name("FILE");
  return [options, run](Output& output) { run(*options, output); };
}

}  // namespace

TokenizerPair tokenizers_of_model(const std::string& folder) {
  return load_tokenizers(load_config(folder).tokenizer, folder);
}

Command encode_command() {
  return {
      "encode",
      "Split text into the tokens of a model, line by line",
      {"dhyan encode -m model/ test.hi > test.pieces", "echo \"I am eating\" | dhyan encode -m model/ --side target",
       "dhyan encode -m model/ --ids test.hi -o test.ids"},
      [](CLI::App& command) {
        return add_tokenize_options(command, "Text file, one sentence per line (default: standard input)",
                                    "Write token ids instead of tokens", encode_lines);
      }};
}

Command decode_command() {
  return {"decode",
          "Join the tokens of a model into text, the inverse of encode",
          {"dhyan decode -m model/ --side target test.pieces", "dhyan decode -m model/ --ids test.ids -o test.hi",
           "dhyan encode -m model/ test.hi | dhyan decode -m model/"},
          [](CLI::App& command) {
            return add_tokenize_options(
                command,
                "File of tokens, as encode writes them, one sentence per line; by default standard "
                "input",
                "Read token ids instead of tokens", decode_lines);
          }};
}

}  // namespace dhyan::cli
