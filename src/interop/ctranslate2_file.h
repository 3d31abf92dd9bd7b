#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interop/safetensors.h"

namespace dhyan {

// model.bin of CTranslate2: binary version, name and revision of the specification, variables, and (from version 3)
// aliases of them. Untrusted: every length is checked against the size of the file before it is used.
inline constexpr std::uint32_t kOldestCtranslate2 = 2, kNewestCtranslate2 = 6;

struct Ctranslate2File {
  std::uint32_t version = kNewestCtranslate2;
  std::string specification = {};  // "TransformerSpec"
  std::uint32_t revision = 1;
  std::vector<TensorEntry> variables = {};                       // point into the file's bytes
  std::map<std::string, std::string, std::less<>> aliases = {};  // the name of a variable by another name
};

// Whether the bytes begin like such a file.
bool is_ctranslate2(std::span<const std::byte> bytes);

// `where` is the file's name, for messages. ModelFileError for a damaged file or an unknown version.
Ctranslate2File parse_ctranslate2(std::string_view where, std::span<const std::byte> bytes);

// Writes one, of the newest version. The names of dtypes must be among those of CTranslate2: F32, I8, I16, I32, F16,
// BF16.
void save_ctranslate2(const std::filesystem::path& path, const Ctranslate2File& file);

}  // namespace dhyan
