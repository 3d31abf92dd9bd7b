#include <cstring>
#include <iterator>
#include <png.h>
#include <utility>

#include "core/error.h"
#include "vision/picture_files/alpha.h"
#include "vision/picture_files/exif.h"
#include "vision/picture_files/formats.h"
#include "vision/picture_files/long_jump.h"

namespace dhyan {

namespace {

// Throws PictureError if a chunk is longer than the file: libpng allocates the length of some chunks before it reads
// them. A chunk is its length, its kind, its data and a checksum.
void expect_whole_chunks(const PictureFile& file) {
  constexpr std::size_t kSignature = 8, kAroundData = 12;
  auto rest = file.bytes.subspan(kSignature);
  while (rest.size() >= kAroundData) {
    const std::size_t length = png_get_uint_32(reinterpret_cast<png_const_bytep>(rest.data()));
    if (length > rest.size() - kAroundData) break;
    if (begins_with(rest.subspan(4), "IEND")) return;
    rest = rest.subspan(length + kAroundData);
  }
  throw PictureError(cat(file.name, ": PNG: the file ends before the picture"));
}

class PngReader {
 public:
  explicit PngReader(const PictureFile& file) : file_(file), rest_(file.bytes) {
    expect_whole_chunks(file);
    png_.reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, leave, ignore);
    png_.info = png_.reader == nullptr ? nullptr : png_create_info_struct(png_.reader);
    if (png_.info == nullptr) throw Error("libpng: cannot start");
    run([this] {
      skip_texts_and_profiles();
      png_set_read_fn(png_.reader, this, read);
      png_read_info(png_.reader, png_.info);
    });
    expect_picture_size(file_, height(), width());
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Picture upright_picture() {
    const bool has_alpha = ask_for_bytes();
    const std::size_t count = static_cast<std::size_t>(height() * width());
    std::vector<std::uint8_t> pixels(count * (has_alpha ? 4 : 3));
    std::vector<png_bytep> rows;
    for (std::size_t y = 0; y < static_cast<std::size_t>(height()); ++y) {
      rows.push_back(pixels.data() + y * (pixels.size() / static_cast<std::size_t>(height())));
    }
    run([this, &rows] {
      png_read_image(png_.reader, rows.data());
      png_read_end(png_.reader, png_.info);
    });
    Picture picture{height(), width(), {}};
    if (has_alpha) {
      picture.pixels.resize(count * 3);
      blend_with_white(pixels, picture.pixels);
    } else {
      picture.pixels = std::move(pixels);
    }
    return upright(std::move(picture), orientation());
  }

 private:
  // Frees libpng's memory, also when the constructor of its owner throws.
  struct Owned {
    png_structp reader = nullptr;
    png_infop info = nullptr;
    ~Owned() { png_destroy_read_struct(&reader, &info, nullptr); }
  };

  Index height() const { return static_cast<Index>(png_get_image_height(png_.reader, png_.info)); }
  Index width() const { return static_cast<Index>(png_get_image_width(png_.reader, png_.info)); }

  [[noreturn]] static void leave(png_structp png, png_const_charp what) {
    auto& reader = *static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader.what_, what, std::size(reader.what_) - 1);
    std::longjmp(reader.jump_, 1);
  }
  static void ignore(png_structp, png_const_charp) {}

  static void read(png_structp png, png_bytep to, std::size_t count) {
    auto& rest = static_cast<PngReader*>(png_get_io_ptr(png))->rest_;
    if (rest.size() < count) png_error(png, "the last chunk is not the end");
    std::memcpy(to, rest.data(), count);
    rest = rest.subspan(count);
  }

  template <class Work>
  void run(const Work& work) {
    if (!comes_to_its_end(jump_, work)) throw PictureError(cat(file_.name, ": PNG: ", what_));
  }

  // A few bytes of compressed text may become megabytes.
  void skip_texts_and_profiles() {
    static constexpr png_byte kSkipped[] = "iCCP\0iTXt\0tEXt\0zTXt\0sPLT";
    png_set_keep_unknown_chunks(png_.reader, PNG_HANDLE_CHUNK_NEVER, kSkipped, std::size(kSkipped) / 5);
  }

  // Asks libpng for three bytes per pixel, or four with alpha; returns whether there is alpha.
  bool ask_for_bytes() {
    const bool has_alpha = (png_get_color_type(png_.reader, png_.info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                           png_get_valid(png_.reader, png_.info, PNG_INFO_tRNS) != 0;
    run([this] {
      png_set_expand(png_.reader);  // palettes, transparent colours and fewer than 8 bits
      png_set_scale_16(png_.reader);
      png_set_gray_to_rgb(png_.reader);
      png_set_interlace_handling(png_.reader);
      png_read_update_info(png_.reader, png_.info);
    });
    const std::size_t row = png_get_rowbytes(png_.reader, png_.info);
    if (row != static_cast<std::size_t>(width()) * (has_alpha ? 4 : 3)) {
      throw PictureError(cat(file_.name, ": PNG: a row has ", row, " bytes for ", width(), " pixels"));
    }
    return has_alpha;
  }

  int orientation() const {
    png_uint_32 size = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(png_.reader, png_.info, &size, &exif) == 0) return 1;
    return exif_orientation(std::as_bytes(std::span(exif, size)));
  }

  PictureFile file_;
  std::span<const std::byte> rest_;  // not yet read
  char what_[128] = "";              // the error
  std::jmp_buf jump_{};
  Owned png_;
};

}  // namespace

bool is_png(std::span<const std::byte> bytes) { return begins_with(bytes, "\x89PNG\r\n\x1A\n"); }

Picture decode_png(const PictureFile& file) { return PngReader(file).upright_picture(); }

}  // namespace dhyan
