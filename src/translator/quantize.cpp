#include "translator/quantize.h"

#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"
#include "interop/parameter_file.h"
#include "translator/model_folder.h"
#include "translator/readme.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

void check_folders(const fs::path& folder, const fs::path& output, Existing existing) {
  if (fs::exists(folder) && fs::exists(output) && fs::equivalent(folder, output)) {
    throw UsageError(cat(output.string(), ": is the model itself; -o names another folder"));
  }
  if (existing != Existing::kOverwrite && holds_a_model(output)) {
    throw UsageError(cat(output.string(), ": holds a model; --overwrite replaces it, -o names another folder"));
  }
}

std::string int8_readme(const fs::path& folder, const fs::path& output, const QuantizedModel& quantized) {
  std::string use;
  for (const std::string& command : what_to_type(quantized.config, output.string())) use += cat("    ", command, '\n');
  return cat("# A model of dhyan\n\nThe model of ", folder.string(),
             " with weights of 8 bits, for use; it cannot be trained. Made by\n\n    dhyan quantize ", folder.string(),
             " -o ", output.string(), "\n\nmodel.safetensors has ", grouped(quantized.bytes_after),
             " bytes instead of ", grouped(quantized.bytes_before), ".\n\n## Use\n\n", use);
}

}  // namespace

QuantizedModel quantize_model(const fs::path& folder, const fs::path& output, Existing existing) {
  check_folders(folder, output, existing);
  const LoadedModel loaded = load_model(folder);
  expect_full_precision(folder / kWeightsFile);
  const PreparedFolder prepared(output);
  const fs::path weights = prepared.path() / kWeightsFile;
  save_int8_parameters(weights, loaded.model->parameters(), {{"quantization", "int8"}});
  const QuantizedModel quantized{loaded.config, fs::file_size(folder / kWeightsFile), fs::file_size(weights)};
  save_tokenizers(loaded.tokenizers, prepared.path());
  write_file(prepared.path() / "README.md", int8_readme(folder, output, quantized));
  save_config(prepared.path(), loaded.config);
  prepared.commit_model();
  return quantized;
}

}  // namespace dhyan
