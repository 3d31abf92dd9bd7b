#include <algorithm>
#include <cstdio>  // jpeglib.h needs it
#include <iterator>
#include <jerror.h>
#include <jpeglib.h>

#include "core/error.h"
#include "vision/picture_files/exif.h"
#include "vision/picture_files/formats.h"
#include "vision/picture_files/long_jump.h"

namespace dhyan {

namespace {

constexpr int kMaxScans = 200;  // a scan of a few bytes may cover a whole progressive picture
constexpr int kExifMarker = JPEG_APP0 + 1;

// Harmless warnings: bytes between markers, and headers of other versions. All other warnings mean that data is damaged
// or missing, and that libjpeg makes up pixels for it.
bool is_harmless(int warning) {
  constexpr int kHarmless[] = {JWRN_ADOBE_XFORM, JWRN_EXTRANEOUS_DATA, JWRN_JFIF_MAJOR, JWRN_TOO_MUCH_DATA};
  return std::ranges::find(kHarmless, warning) != std::end(kHarmless);
}

// Frees libjpeg's memory, also when the constructor of its owner throws.
struct Decompressor : jpeg_decompress_struct {
  Decompressor() : jpeg_decompress_struct{} {}
  ~Decompressor() { jpeg_destroy_decompress(this); }
};

class JpegReader {
 public:
  explicit JpegReader(const PictureFile& file) : file_(file) {
    reader_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr reader) { leave(reader); };
    errors_.emit_message = [](j_common_ptr reader, int level) {
      if (level < 0 && !is_harmless(reader->err->msg_code)) leave(reader);
    };
    reader_.client_data = this;
    progress_.progress_monitor = [](j_common_ptr common) {
      auto* reader = reinterpret_cast<j_decompress_ptr>(common);
      if (reader->input_scan_number > kMaxScans) leave(common);
    };
    run([this] {
      jpeg_create_decompress(&reader_);
      reader_.progress = &progress_;
      jpeg_save_markers(&reader_, kExifMarker, 0xFFFF);
      jpeg_mem_src(&reader_, reinterpret_cast<const unsigned char*>(file_.bytes.data()), file_.bytes.size());
      jpeg_read_header(&reader_, TRUE);
    });
    expect_picture_size(file_, static_cast<Index>(reader_.image_height), static_cast<Index>(reader_.image_width));
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  int orientation() const {
    for (auto marker = reader_.marker_list; marker != nullptr; marker = marker->next) {
      const auto bytes = std::as_bytes(std::span(marker->data, marker->data_length));
      if (marker->marker == kExifMarker && begins_with(bytes, "Exif")) return exif_orientation(bytes);
    }
    return 1;
  }

  Picture stored_picture(Index wanted_height, Index wanted_width) {
    const bool has_black = reader_.jpeg_color_space == JCS_CMYK || reader_.jpeg_color_space == JCS_YCCK;
    reader_.out_color_space = has_black ? JCS_CMYK : JCS_RGB;
    choose_scale(wanted_height, wanted_width);
    Picture picture{static_cast<Index>(reader_.output_height), static_cast<Index>(reader_.output_width), {}};
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(picture.height * picture.width * (has_black ? 4 : 3)));
    run([this, &pixels] {
      jpeg_start_decompress(&reader_);
      const std::size_t row = pixels.size() / reader_.output_height;
      while (reader_.output_scanline < reader_.output_height) {
        JSAMPROW next = pixels.data() + reader_.output_scanline * row;
        jpeg_read_scanlines(&reader_, &next, 1);
      }
      jpeg_finish_decompress(&reader_);
    });
    picture.pixels = has_black ? without_black(pixels) : std::move(pixels);
    return picture;
  }

 private:
  [[noreturn]] static void leave(j_common_ptr reader) {
    std::longjmp(static_cast<JpegReader*>(reader->client_data)->jump_, 1);
  }

  template <class Work>
  void run(const Work& work) {
    if (comes_to_its_end(jump_, work)) return;
    char what[JMSG_LENGTH_MAX];
    errors_.format_message(reinterpret_cast<j_common_ptr>(&reader_), what);
    if (reader_.input_scan_number > kMaxScans) {
      throw PictureError(cat(file_.name, ": JPEG: more than ", kMaxScans, " scans"));
    }
    throw PictureError(cat(file_.name, ": ", what));
  }

  // The largest of 1, 2, 4, 8 by which both sides can be divided without falling below the wanted size.
  void choose_scale(Index wanted_height, Index wanted_width) {
    const Index rows = static_cast<Index>(reader_.image_height), columns = static_cast<Index>(reader_.image_width);
    unsigned denominator = 1;
    for (const unsigned half : {2u, 4u, 8u}) {
      const bool is_wanted = wanted_height > 0 && wanted_width > 0;
      if (is_wanted && rows >= wanted_height * half && columns >= wanted_width * half) denominator = half;
    }
    reader_.scale_num = 1;
    reader_.scale_denom = denominator;
    run([this] { jpeg_calc_output_dimensions(&reader_); });
  }

  // Cyan, magenta, yellow and black as red, green and blue: r = (1 - c) (1 - k). Adobe stores 1 - c and 1 - k.
  std::vector<std::uint8_t> without_black(std::span<const std::uint8_t> cmyk) const {
    const int flip = reader_.saw_Adobe_marker ? 0 : 255;
    std::vector<std::uint8_t> rgb;
    rgb.reserve(cmyk.size() / 4 * 3);
    for (std::size_t i = 0; i < cmyk.size(); i += 4) {
      for (std::size_t k = 0; k < 3; ++k) {
        rgb.push_back(static_cast<std::uint8_t>(((cmyk[i + k] ^ flip) * (cmyk[i + 3] ^ flip) + 127) / 255));
      }
    }
    return rgb;
  }

  PictureFile file_;
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr progress_{};
  Decompressor reader_;
  std::jmp_buf jump_{};
};

}  // namespace

bool is_jpeg(std::span<const std::byte> bytes) { return begins_with(bytes, "\xFF\xD8\xFF"); }

Picture decode_jpeg(const PictureFile& file) {
  JpegReader reader(file);
  const int orientation = reader.orientation();
  Index height = file.options.wanted_height, width = file.options.wanted_width;
  if (is_turned(orientation)) std::swap(height, width);
  return upright(reader.stored_picture(height, width), orientation);
}

}  // namespace dhyan
