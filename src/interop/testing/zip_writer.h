#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace dhyan {

// For tests: the bytes of a zip archive.
struct ZippedFile {
  std::string name, content;
  bool deflated = false;
};

inline void append_little_endian(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i, number >>= 8) to += static_cast<char>(number & 0xFF);
}

inline std::string deflated_bytes(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string zip_of(const std::vector<ZippedFile>& files) {
  std::string archive, directory;
  for (const ZippedFile& file : files) {
    const std::string packed = file.deflated ? deflated_bytes(file.content) : file.content;
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef*>(file.content.data()), static_cast<uInt>(file.content.size()));
    std::string common;  // of both headers
    append_little_endian(common, 20, 2);
    append_little_endian(common, 0, 2);
    append_little_endian(common, file.deflated ? 8 : 0, 2);
    append_little_endian(common, 0, 4);
    append_little_endian(common, sum, 4);
    append_little_endian(common, packed.size(), 4);
    append_little_endian(common, file.content.size(), 4);
    append_little_endian(common, file.name.size(), 2);
    append_little_endian(common, 0, 2);
    append_little_endian(directory, 0x02014b50, 4);
    append_little_endian(directory, 20, 2);
    directory += common;
    append_little_endian(directory, 0, 2 + 2 + 2 + 4);
    append_little_endian(directory, archive.size(), 4);
    directory += file.name;
    append_little_endian(archive, 0x04034b50, 4);
    archive += common + file.name + packed;
  }
  std::string end;
  append_little_endian(end, 0x06054b50, 4);
  append_little_endian(end, 0, 4);
  append_little_endian(end, files.size(), 2);
  append_little_endian(end, files.size(), 2);
  append_little_endian(end, directory.size(), 4);
  append_little_endian(end, archive.size(), 4);
  append_little_endian(end, 0, 2);
  return archive + directory + end;
}

inline std::span<const std::byte> bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

// One array of floats as NAME.npy.
inline ZippedFile npy_file(const std::string& name, const std::string& descr, const std::string& shape,
                           std::string_view content) {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize((header.size() + 10 + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01", 7) + '\0';
  append_little_endian(bytes, header.size(), 2);
  return {name + ".npy", bytes + header + std::string(content)};
}

}  // namespace dhyan
