#include "interop/npz.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/number_text.h"
#include "interop/byte_reader.h"
#include "interop/safetensors_header.h"
#include "interop/zip.h"

namespace dhyan {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY", kEnding = ".npy";

// The text that follows 'key': in the header, which is a Python dictionary on one line; empty if it is missing.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::string quoted = cat("'", key, "'");
  const std::size_t at = header.find(quoted);
  if (at == header.npos) return {};
  const std::size_t colon = header.find_first_not_of(' ', at + quoted.size());
  if (colon == header.npos || header[colon] != ':') return {};
  const std::size_t begin = header.find_first_not_of(' ', colon + 1);
  return begin == header.npos ? std::string_view() : header.substr(begin);
}

// "<f4" in quotes. Arrays of bytes have no byte order.
const FileDtype* dtype_of(std::string_view text) {
  struct Name {
    std::string_view numpy, ours;
  };
  constexpr std::array kNames{Name{"'<f8'", "F64"},  Name{"'<f4'", "F32"}, Name{"'<f2'", "F16"}, Name{"'<i8'", "I64"},
                              Name{"'<i4'", "I32"},  Name{"'<i2'", "I16"}, Name{"'|i1'", "I8"},  Name{"'|u1'", "U8"},
                              Name{"'|b1'", "BOOL"}, Name{"'<i1'", "I8"},  Name{"'|c1'", "I8"}};
  for (const Name& name : kNames) {
    if (text.starts_with(name.numpy)) return find_file_dtype(name.ours);
  }
  return nullptr;
}

// "(3, 4)", "(3,)", "()"
std::optional<std::vector<Index>> extents_of(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::size_t close = text.find(')');
  if (close == text.npos) return std::nullopt;
  std::string_view inside = text.substr(1, close - 1);
  std::vector<Index> extents;
  while (true) {
    inside.remove_prefix(std::min(inside.find_first_not_of(' '), inside.size()));
    if (inside.empty()) return extents;
    const std::size_t end = std::min(inside.find(','), inside.size());
    const auto extent = parse_number<Index>(inside.substr(0, end));
    if (!extent || *extent < 0 || extents.size() == Shape::kMaxRank) return std::nullopt;
    extents.push_back(*extent);
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
}

}  // namespace

TensorEntry parse_npy(std::string_view where, std::string_view name, std::span<const std::byte> bytes) {
  ByteReader in(where, bytes);
  const auto fail = [&](const std::string& what) { in.fail(cat("array ", quoted_name(name), ": ", what)); };
  if (in.text(kMagic.size()) != kMagic) fail("is no array of NumPy");
  const auto version = in.number<std::uint8_t>();
  in.take(1);
  if (version < 1 || version > 3) fail(cat("is of version ", int{version}, ", expected 1 to 3"));
  const std::uint64_t length = version == 1 ? in.number<std::uint16_t>() : in.number<std::uint32_t>();
  const std::string_view header = in.text(length);
  TensorEntry entry;
  entry.name = name;
  entry.dtype = dtype_of(value_of(header, "descr"));
  if (entry.dtype == nullptr) fail("holds no little-endian numbers");
  const auto extents = extents_of(value_of(header, "shape"));
  if (!extents) fail("has no shape of at most 4 extents");
  try {
    entry.shape = Shape(*extents);
  } catch (const ShapeError& error) {
    fail(error.what());
  }
  if (!value_of(header, "fortran_order").starts_with("False") && entry.shape.rank() > 1) {
    fail("is in Fortran's order");
  }
  const auto expected = static_cast<std::uint64_t>(entry.shape.size()) * static_cast<std::uint64_t>(entry.dtype->bytes);
  if (in.left() != expected) fail(cat("has ", in.left(), " bytes, expected ", expected, " for ", entry.shape));
  entry.bytes = in.take(expected);
  return entry;
}

NpzFile::NpzFile(std::string_view where, std::span<const std::byte> bytes) {
  const ZipArchive archive(where, bytes);
  unpacked_.reserve(archive.entries().size());
  for (const auto& [name, entry] : archive.entries()) {
    if (!name.ends_with(kEnding)) continue;
    std::vector<std::byte> storage;
    std::span<const std::byte> content = archive.content(name, storage);
    if (!storage.empty()) content = unpacked_.emplace_back(std::move(storage));
    arrays_.push_back(parse_npy(where, std::string_view(name).substr(0, name.size() - kEnding.size()), content));
  }
}

}  // namespace dhyan
