#include <memory>
#include <webp/decode.h>
#include <webp/demux.h>

#include "core/error.h"
#include "vision/picture_files/alpha.h"
#include "vision/picture_files/exif.h"
#include "vision/picture_files/formats.h"

namespace dhyan {

namespace {

using Demuxer = std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)>;

struct WebpFrame : WebPIterator {
  explicit WebpFrame(const WebPDemuxer* demuxer) : WebPIterator{} { WebPDemuxGetFrame(demuxer, 1, this); }
  ~WebpFrame() { WebPDemuxReleaseIterator(this); }
  WebpFrame(const WebpFrame&) = delete;
  WebpFrame& operator=(const WebpFrame&) = delete;
};

int webp_orientation(const WebPDemuxer* demuxer) {
  WebPChunkIterator found{};
  int orientation = 1;
  if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &found) != 0) {
    orientation = exif_orientation(std::as_bytes(std::span(found.chunk.bytes, found.chunk.size)));
  }
  WebPDemuxReleaseChunkIterator(&found);
  return orientation;
}

// The first frame, which may cover only a part of the canvas, on white.
Picture picture_of(const PictureFile& file, const WebpFrame& frame, Index height, Index width) {
  const Index left = frame.x_offset, top = frame.y_offset, columns = frame.width, rows = frame.height;
  const bool is_inside =
      left >= 0 && top >= 0 && columns >= 1 && rows >= 1 && left + columns <= width && top + rows <= height;
  if (!is_inside) throw PictureError(cat(file.name, ": WebP: the first frame is not inside the picture"));
  std::vector<std::uint8_t> rgba(static_cast<std::size_t>(rows * columns * 4));
  const auto stride = static_cast<int>(columns * 4);
  if (WebPDecodeRGBAInto(frame.fragment.bytes, frame.fragment.size, rgba.data(), rgba.size(), stride) == nullptr) {
    throw PictureError(cat(file.name, ": WebP: the picture's data is broken or cut short"));
  }
  Picture picture{height, width, std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * 3), 255)};
  for (Index y = 0; y < rows; ++y) {
    blend_with_white(std::span(rgba).subspan(static_cast<std::size_t>(y * stride), static_cast<std::size_t>(stride)),
                     std::span(picture.pixels).subspan(static_cast<std::size_t>(((top + y) * width + left) * 3)));
  }
  return picture;
}

}  // namespace

bool is_webp(std::span<const std::byte> bytes) {
  return begins_with(bytes, "RIFF") && bytes.size() >= 12 && begins_with(bytes.subspan(8), "WEBP");
}

Picture decode_webp(const PictureFile& file) {
  const WebPData data{reinterpret_cast<const std::uint8_t*>(file.bytes.data()), file.bytes.size()};
  const Demuxer demuxer(WebPDemux(&data), WebPDemuxDelete);
  if (!demuxer) throw PictureError(cat(file.name, ": WebP: the file is broken or cut short"));
  const auto height = static_cast<Index>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT));
  const auto width = static_cast<Index>(WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH));
  expect_picture_size(file, height, width);
  const WebpFrame frame(demuxer.get());
  return upright(picture_of(file, frame, height, width), webp_orientation(demuxer.get()));
}

}  // namespace dhyan
