#include "vision/write_picture.h"

#include <cstdio>  // jpeglib.h needs it
#include <cstdlib>
#include <jpeglib.h>
#include <png.h>

#include "core/error.h"
#include "vision/is_whole.h"
#include "vision/picture_files/long_jump.h"

namespace dhyan {

namespace {

void expect_pixels(const char* where, const Picture& picture) {
  if (!is_whole(picture)) {
    throw UsageError(cat(where, ": ", picture.width, " x ", picture.height, " pixels have ", picture.pixels.size(),
                         " values; expected three per pixel"));
  }
}

std::string png_bytes(Index height, Index width, unsigned format, const std::uint8_t* pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.height = static_cast<png_uint_32>(height);
  image.width = static_cast<png_uint_32>(width);
  image.format = format;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr) == 0) {
    throw Error(cat("to_png_bytes: ", image.message));
  }
  bytes.resize(size);
  return bytes;
}

class JpegWriter {
 public:
  JpegWriter() {
    writer_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr writer) {
      std::longjmp(static_cast<JpegWriter*>(writer->client_data)->jump_, 1);
    };
    writer_.client_data = this;
  }
  ~JpegWriter() {
    jpeg_destroy_compress(&writer_);
    std::free(bytes_);  // NOLINT: libjpeg allocates it by malloc
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  std::string bytes_of(const Picture& picture, int quality) {
    const bool done = comes_to_its_end(jump_, [&] {
      jpeg_create_compress(&writer_);
      jpeg_mem_dest(&writer_, &bytes_, &size_);
      writer_.image_height = static_cast<JDIMENSION>(picture.height);
      writer_.image_width = static_cast<JDIMENSION>(picture.width);
      writer_.input_components = 3;
      writer_.in_color_space = JCS_RGB;
      jpeg_set_defaults(&writer_);
      jpeg_set_quality(&writer_, quality, TRUE);
      writer_.comp_info[0].h_samp_factor = writer_.comp_info[0].v_samp_factor = 1;  // colours as sharp as brightness
      writer_.optimize_coding = TRUE;
      jpeg_start_compress(&writer_, TRUE);
      while (writer_.next_scanline < writer_.image_height) {
        const auto row = static_cast<std::size_t>(writer_.next_scanline) * writer_.image_width * 3;
        auto* next = const_cast<JSAMPROW>(picture.pixels.data() + row);
        jpeg_write_scanlines(&writer_, &next, 1);
      }
      jpeg_finish_compress(&writer_);
    });
    if (!done) {
      char what[JMSG_LENGTH_MAX];
      errors_.format_message(reinterpret_cast<j_common_ptr>(&writer_), what);
      throw UsageError(cat("to_jpeg_bytes: ", what));
    }
    return {reinterpret_cast<const char*>(bytes_), size_};
  }

 private:
  jpeg_compress_struct writer_{};
  jpeg_error_mgr errors_{};
  std::jmp_buf jump_{};
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace

std::string to_png_bytes(const Picture& picture) {
  expect_pixels("to_png_bytes", picture);
  return png_bytes(picture.height, picture.width, PNG_FORMAT_RGB, picture.pixels.data());
}

std::string to_png_bytes(const Picture& picture, std::span<const std::uint8_t> alpha) {
  expect_pixels("to_png_bytes", picture);
  if (alpha.size() * 3 != picture.pixels.size()) {
    throw UsageError(
        cat("to_png_bytes: alpha has ", alpha.size(), " values for ", picture.pixels.size() / 3, " pixels"));
  }
  std::vector<std::uint8_t> rgba;
  rgba.reserve(alpha.size() * 4);
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    for (std::size_t colour = 0; colour < 3; ++colour) rgba.push_back(picture.pixels[i * 3 + colour]);
    rgba.push_back(alpha[i]);
  }
  return png_bytes(picture.height, picture.width, PNG_FORMAT_RGBA, rgba.data());
}

std::string to_jpeg_bytes(const Picture& picture, int quality) {
  expect_pixels("to_jpeg_bytes", picture);
  return JpegWriter().bytes_of(picture, quality);
}

}  // namespace dhyan
