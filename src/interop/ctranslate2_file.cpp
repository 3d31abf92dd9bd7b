#include "interop/ctranslate2_file.h"

#include <algorithm>
#include <array>
#include <functional>

#include "core/error.h"
#include "interop/byte_reader.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

constexpr std::array<std::string_view, 6> kCtranslate2Dtypes{"F32", "I8", "I16", "I32", "F16", "BF16"};
constexpr std::uint32_t kVersionWithDtypes = 4, kVersionWithAliases = 3;

// A length in 2 bytes, and as many bytes, of which the last is 0.
std::string read_name(ByteReader& in) {
  const auto length = in.number<std::uint16_t>();
  const std::string_view text = in.text(length);
  if (text.empty() || text.back() != '\0' || text.find('\0') + 1 != text.size()) {
    in.fail(cat("the text before byte ", in.position(), " does not end with its only 0"));
  }
  return std::string(text.substr(0, text.size() - 1));
}

Shape read_shape(ByteReader& in, const std::string& name) {
  const auto rank = in.number<std::uint8_t>();
  if (rank > Shape::kMaxRank)
    in.fail(cat("variable ", quoted_name(name), " has rank ", int{rank}, ", expected 0 to 4"));
  std::vector<Index> extents;
  for (int axis = 0; axis < rank; ++axis) extents.push_back(in.number<std::uint32_t>());
  try {
    return Shape(extents);
  } catch (const ShapeError& error) {
    in.fail(cat("variable ", quoted_name(name), ": ", error.what()));
  }
}

// Before version 4, files have the size of an element instead of its type.
const FileDtype* read_dtype(ByteReader& in, std::uint32_t version, const std::string& name) {
  const auto stated = in.number<std::uint8_t>();
  std::string_view dtype;
  if (version >= kVersionWithDtypes) {
    if (stated < kCtranslate2Dtypes.size()) dtype = kCtranslate2Dtypes[stated];
  } else {
    dtype = stated == 4 ? "F32" : stated == 2 ? "I16" : stated == 1 ? "I8" : "";
  }
  if (!dtype.empty()) return find_file_dtype(dtype);
  in.fail(cat("variable ", quoted_name(name), " is of the type ", int{stated}, ", expected ",
              version >= kVersionWithDtypes ? "0 to 5" : "1, 2 or 4 bytes"));
}

TensorEntry read_variable(ByteReader& in, std::uint32_t version) {
  TensorEntry entry;
  entry.name = read_name(in);
  entry.shape = read_shape(in, entry.name);
  entry.dtype = read_dtype(in, version, entry.name);
  std::uint64_t bytes = in.number<std::uint32_t>();
  if (version < kVersionWithDtypes) bytes *= static_cast<std::uint64_t>(entry.dtype->bytes);
  const auto expected = static_cast<std::uint64_t>(entry.shape.size()) * static_cast<std::uint64_t>(entry.dtype->bytes);
  if (bytes != expected) {
    in.fail(
        cat("variable ", quoted_name(entry.name), " has ", bytes, " bytes, expected ", expected, " for ", entry.shape));
  }
  entry.bytes = in.take(bytes);
  return entry;
}

void write_name(AtomicFile& out, std::string_view name) {
  if (name.size() >= 65'535) throw UsageError("save_ctranslate2: a name is too long");
  const auto length = static_cast<std::uint16_t>(name.size() + 1);
  out.write(std::as_bytes(std::span(&length, 1)));
  out.write(name);
  out.write(std::string_view("\0", 1));
}

template <class T>
void write_number(AtomicFile& out, T number) {
  out.write(std::as_bytes(std::span(&number, 1)));
}

void write_variable(AtomicFile& out, const TensorEntry& entry) {
  const auto dtype = std::ranges::find(kCtranslate2Dtypes, entry.dtype->name);
  if (dtype == kCtranslate2Dtypes.end() || entry.bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError(cat("save_ctranslate2: ", entry.name, " cannot be stored"));
  }
  write_name(out, entry.name);
  write_number(out, static_cast<std::uint8_t>(entry.shape.rank()));
  for (int axis = 0; axis < entry.shape.rank(); ++axis)
    write_number(out, static_cast<std::uint32_t>(entry.shape[axis]));
  write_number(out, static_cast<std::uint8_t>(dtype - kCtranslate2Dtypes.begin()));
  write_number(out, static_cast<std::uint32_t>(entry.bytes.size()));
  out.write(entry.bytes);
}

}  // namespace

bool is_ctranslate2(std::span<const std::byte> bytes) {
  try {
    ByteReader in("", bytes);
    const auto version = in.number<std::uint32_t>();
    return version >= 1 && version < 256 && read_name(in).ends_with("Spec");
  } catch (const ModelFileError&) {
    return false;
  }
}

Ctranslate2File parse_ctranslate2(std::string_view where, std::span<const std::byte> bytes) {
  ByteReader in(where, bytes);
  Ctranslate2File file;
  file.version = in.number<std::uint32_t>();
  if (file.version < kOldestCtranslate2 || file.version > kNewestCtranslate2) {
    in.fail(
        cat("is of the binary version ", file.version, ", expected ", kOldestCtranslate2, " to ", kNewestCtranslate2));
  }
  file.specification = read_name(in);
  file.revision = in.number<std::uint32_t>();
  const auto variables = in.number<std::uint32_t>();
  std::map<std::string, int, std::less<>> names;
  for (std::uint32_t i = 0; i < variables; ++i) {
    file.variables.push_back(read_variable(in, file.version));
    if (++names[file.variables.back().name] > 1) {
      in.fail(cat("variable ", quoted_name(file.variables.back().name), " occurs twice"));
    }
  }
  if (file.version >= kVersionWithAliases) {
    const auto aliases = in.number<std::uint32_t>();
    for (std::uint32_t i = 0; i < aliases; ++i) {
      std::string alias = read_name(in), name = read_name(in);
      if (!names.contains(name))
        in.fail(cat(quoted_name(alias), " stands for ", quoted_name(name), ", which is missing"));
      file.aliases.insert_or_assign(std::move(alias), std::move(name));
    }
  }
  if (in.left() != 0) in.fail(cat(in.left(), " bytes after the last variable"));
  return file;
}

void save_ctranslate2(const std::filesystem::path& path, const Ctranslate2File& file) {
  AtomicFile out(path);
  write_number(out, kNewestCtranslate2);
  write_name(out, file.specification);
  write_number(out, file.revision);
  write_number(out, static_cast<std::uint32_t>(file.variables.size()));
  for (const TensorEntry& entry : file.variables) write_variable(out, entry);
  write_number(out, static_cast<std::uint32_t>(file.aliases.size()));
  for (const auto& [alias, name] : file.aliases) {
    write_name(out, alias);
    write_name(out, name);
  }
  out.commit();
}

}  // namespace dhyan
