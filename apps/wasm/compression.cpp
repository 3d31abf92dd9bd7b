// Instead of zlib and zstd: the files inside a page are not compressed. Whatever begins to use them is refused, so that
// nothing gets further.
#include <string_view>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"

namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw dhyan::DataError(dhyan::cat("a page without a server reads and writes no ", what, "; dhyan serve does"));
}

}  // namespace

extern "C" {

int inflateInit2_(z_streamp, int, const char*, int) { refuse("gzip"); }
int inflate(z_streamp, int) { refuse("gzip"); }
int inflateReset(z_streamp) { refuse("gzip"); }
int inflateEnd(z_streamp) { return Z_OK; }
int deflateInit2_(z_streamp, int, int, int, int, int, const char*, int) { refuse("gzip"); }
uLong deflateBound(z_streamp, uLong) { refuse("gzip"); }
int deflate(z_streamp, int) { refuse("gzip"); }
int deflateEnd(z_streamp) { return Z_OK; }

ZSTD_DStream* ZSTD_createDStream() { refuse("zstd"); }
size_t ZSTD_decompressStream(ZSTD_DStream*, ZSTD_outBuffer*, ZSTD_inBuffer*) { refuse("zstd"); }
size_t ZSTD_freeDStream(ZSTD_DStream*) { return 0; }
unsigned ZSTD_isError(size_t) { return 1; }
const char* ZSTD_getErrorName(size_t) { return "absent"; }

}  // extern "C"
