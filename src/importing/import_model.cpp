#include "importing/import_model.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/number_text.h"
#include "interop/parameter_file.h"
#include "runs/folder_lock.h"
#include "runs/readme.h"
#include "text/piece_tokenizer.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

// Fills the parameters of a new model. Every weight must have its parameter, and every parameter its weight.
void fill(const std::map<std::string, ForeignMatrix>& weights, ParameterSet& parameters) {
  std::set<std::string_view> used;
  for (Parameter& parameter : parameters) {
    const auto found = weights.find(parameter.name);
    if (found == weights.end())
      throw ModelFileError(cat("import: the model has no weights for '", parameter.name, "'"));
    const ForeignMatrix& weight = found->second;
    const Shape& shape = parameter.value.shape();
    if (weight.rows != shape.rows() || weight.cols != shape.cols()) {
      throw ModelFileError(
          cat("import: '", parameter.name, "' is [", weight.rows, ",", weight.cols, "], expected ", shape));
    }
    std::ranges::transform(weight.values, parameter.value.data(), [](float x) { return static_cast<Real>(x); });
    if (!std::ranges::all_of(parameter.value.span(), [](Real x) { return std::isfinite(x); })) {
      throw ModelFileError(cat("import: '", parameter.name, "' has weights that are NaN or infinite"));
    }
    used.insert(parameter.name);
  }
  for (const auto& [name, weight] : weights) {
    if (!used.contains(name)) throw ModelFileError(cat("import: there is no parameter '", name, "'"));
  }
}

std::map<std::string, Int8Values, std::less<>> int8_values(const std::map<std::string, ForeignMatrix>& weights) {
  std::map<std::string, Int8Values, std::less<>> result;
  for (const auto& [name, weight] : weights) {
    if (weight.int8.empty()) continue;
    result.emplace(name, Int8Values{weight.int8, weight.scales, weight.activation});
  }
  return result;
}

// Without sentences of the phrasebook, which a model that was trained elsewhere does not know.
std::vector<std::string> commands_for_imported(Config config, const fs::path& output) {
  config.data.train = {"elsewhere"};
  return what_to_type(config, output.string());
}

// The licence in a folder or package; the folder of a single file may hold the licence of something else.
std::string licence_of(const SourceFiles& files) {
  constexpr std::size_t kLongest = 100'000;
  if (!files.main().empty()) return {};
  for (const std::string& name : files.names()) {
    const std::string stem = fs::path(name).stem().string();
    const bool is_licence = stem == "LICENSE" || stem == "LICENCE" || stem == "COPYING" || stem == "license";
    if (is_licence && files.bytes(name).size() <= kLongest) return std::string(files.text(name));
  }
  return {};
}

// A warning for the user; empty if there is none.
std::string note_of(const TokenizerPair& tokenizers) {
  const auto* pieces = dynamic_cast<const PieceTokenizer*>(tokenizers.source.get());
  if (pieces == nullptr || pieces->segmenter() != nullptr) return {};
  return "warning: the source has no SentencePiece model: lines are cut into pieces that are likely, which may differ "
         "from those that the model was trained with; --source-pieces names a SentencePiece model";
}

std::string readme_of(const ImportedModel& model, const fs::path& source, const fs::path& output, Index weights) {
  std::string use;
  for (const std::string& command : commands_for_imported(model.config, output)) use += cat("    ", command, '\n');
  std::string text = cat(kReadmeHeading, kReadmeIsRewritten, "\nImported from ", source.filename().string(), " (",
                         model.origin, "); ", grouped(static_cast<std::uint64_t>(weights)),
                         " weights. Every option that applies is in config.json.\n\n## Use\n\n", use);
  if (!model.readme.empty()) text += cat("\n## What came with it\n\n", model.readme, '\n');
  if (!model.licence.empty()) text += cat("\n## Licence\n\n", model.licence, '\n');
  return text;
}

}  // namespace

ImportReport import_model(const fs::path& source, const fs::path& output, const ImportOptions& options) {
  if (fs::is_directory(source)) expect_another_folder(source, output);
  const SourceFiles files(source);
  ImportedModel imported = import_format(files, options.from).read(files, options.files);
  imported.licence = licence_of(files);
  imported.config.tokenizer.shortlist = imported.shortlist.has_value();
  if (options.poll) options.poll();
  const auto model = make_model(imported.config, imported.tokenizers, Rng::unused());
  fill(imported.weights, model->parameters());
  if (options.poll) options.poll();
  const FolderLock lock(output);
  ImportReport report{.config = imported.config,
                      .origin = imported.origin,
                      .weights = model->parameters().element_count(),
                      .commands = commands_for_imported(imported.config, output),
                      .notes = imported.notes};
  if (std::string note = note_of(imported.tokenizers); !note.empty()) report.notes.push_back(std::move(note));
  for (std::string& note : check_model_folder(output, options.existing)) report.notes.push_back(std::move(note));
  if (!lock.warning().empty()) report.notes.push_back(lock.warning());
  const PreparedFolder prepared(output);
  save_tokenizers(imported.tokenizers, prepared.path());
  if (imported.shortlist) write_file(prepared.path() / kShortlistFile, to_bytes(*imported.shortlist));
  if (options.weights == ImportedWeights::kInt8) {
    const auto int8 = int8_values(imported.weights);
    if (int8.empty()) throw ModelFileError(cat(source.string(), ": its weights are not int8"));
    save_stored_int8_parameters(prepared.path() / kWeightsFile, model->parameters(), int8, {{"quantization", "int8"}});
  } else {
    save_parameters(prepared.path() / kWeightsFile, model->parameters());
  }
  write_file(prepared.path() / kReadmeFile, readme_of(imported, source, output, report.weights));
  save_config(prepared.path(), imported.config);
  if (options.poll) options.poll();
  prepared.commit_model();
  return report;
}

}  // namespace dhyan
