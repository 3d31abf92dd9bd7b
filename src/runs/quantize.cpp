#include "runs/quantize.h"

#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "interop/checksum.h"
#include "interop/parameter_file.h"
#include "runs/folder_lock.h"
#include "runs/merge_adapters.h"
#include "runs/readme.h"
#include "translator/model_folder.h"
#include "translator/model_languages.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

std::string int8_readme(const fs::path& folder, const fs::path& output, const QuantizedModel& quantized) {
  std::string use;
  for (const std::string& command : what_to_type(quantized.config, output.string())) use += cat("    ", command, '\n');
  return cat(kReadmeHeading, kReadmeIsRewritten, "\nThe model of ", folder.string(),
             " with 8-bit weights, for inference. Made by\n\n    dhyan quantize ", folder.string(), " -o ",
             output.string(), "\n\nmodel.safetensors has ", grouped(quantized.bytes_after), " bytes instead of ",
             grouped(quantized.bytes_before), ".\n\n## Use\n\n", use);
}

}  // namespace

QuantizedModel quantize_model(const fs::path& folder, const fs::path& output, Existing existing,
                              const std::function<void()>& poll) {
  expect_another_folder(folder, output);
  const FolderLock lock(output);
  std::vector<std::string> notes = check_model_folder(output, existing);
  if (!lock.warning().empty()) notes.push_back(lock.warning());
  LoadedModel adapted = load_model(folder);
  expect_full_precision(folder / kWeightsFile);
  expect_intact(folder / kWeightsFile);
  const LoadedModel loaded = without_adapters(std::move(adapted));
  if (poll) poll();
  const PreparedFolder prepared(output);
  const fs::path weights = prepared.path() / kWeightsFile;
  save_int8_parameters(weights, loaded.model->parameters(), {{"quantization", "int8"}});
  loaded.expect_weights_unchanged();
  QuantizedModel quantized{loaded.config, fs::file_size(folder / kWeightsFile), fs::file_size(weights)};
  quantized.notes = std::move(notes);
  save_tokenizers(loaded.tokenizers, prepared.path());
  copy_trigrams(folder, prepared.path());
  if (loaded.config.tokenizer.shortlist) copy_shortlist(folder, prepared.path());
  write_file(prepared.path() / kReadmeFile, int8_readme(folder, output, quantized));
  save_config(prepared.path(), loaded.config);
  if (poll) poll();
  prepared.commit_model();
  return quantized;
}

}  // namespace dhyan
