#include "explain/png.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "explain/svg.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr double kScale = 2;  // pixels per unit of the picture

// librsvg and its dependencies (cairo, pango, glib), through their stable C interfaces. They are loaded at run time
// because linking 35 libraries would double the start time of every command. One thread draws at a time: a picture may
// take 256 MB.
class Library {
 public:
  explicit Library(const std::function<void()>& poll = {})
      : lock_(locked(poll)), handle_(::dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), ::dlclose) {
    if (!handle_) throw ConfigError("png: librsvg is not on this machine; on Debian: apt-get install librsvg2-2");
  }

  template <class Function>
  Function* find(const char* name) const {
    void* found = ::dlsym(handle_.get(), name);
    if (found == nullptr) throw ConfigError(cat("png: the librsvg of this machine has no ", name));
    return reinterpret_cast<Function*>(found);
  }

  // Owns an object of the library; `release` is the name of the function that frees it.
  using Object = std::unique_ptr<void, void (*)(void*)>;
  Object own(void* object, const char* release) const {
    if (object == nullptr) throw Error("png: librsvg could not read the picture");
    return {object, find<void(void*)>(release)};
  }

 private:
  // A drawing takes seconds, and many may wait for it.
  static std::unique_lock<std::mutex> locked(const std::function<void()>& poll) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!poll) lock.lock();
    while (!lock.owns_lock() && !lock.try_lock()) {
      poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return lock;
  }

  static inline std::mutex mutex_;
  const std::unique_lock<std::mutex> lock_;
  std::unique_ptr<void, int (*)(void*)> handle_;
};

struct Rectangle {  // RsvgRectangle
  double x, y, width, height;
};

int append(void* text, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return 0;  // CAIRO_STATUS_SUCCESS
}

// Pixels per unit; less than kScale for pictures that would exceed cairo's limit, or 256 MB of memory.
double scale_for(double width, double height) {
  constexpr double kPixels = 32'000;  // cairo's limit is 32,767
  constexpr double kArea = 64e6;
  return std::min({kScale, kPixels / std::max(width, height), std::sqrt(kArea / (width * height))});
}

}  // namespace

std::string to_png(const Explanation& explanation, const RenderOptions& options) {
  return svg_to_png(to_svg(explanation), options);
}

std::string svg_to_png(const std::string& svg, const RenderOptions& options) {
  const Library library(options.poll);
  const Library::Object picture = library.own(library.find<void*(const char*, std::size_t, void**)>(
                                                  "rsvg_handle_new_from_data")(svg.data(), svg.size(), nullptr),
                                              "g_object_unref");
  Rectangle page{};
  library.find<int(void*, double*, double*)>("rsvg_handle_get_intrinsic_size_in_pixels")(picture.get(), &page.width,
                                                                                         &page.height);
  const double scale = scale_for(page.width, page.height);
  page.width *= scale;
  page.height *= scale;

  constexpr int kArgb32 = 0;  // CAIRO_FORMAT_ARGB32
  const Library::Object pixels = library.own(library.find<void*(int, int, int)>("cairo_image_surface_create")(
                                                 kArgb32, static_cast<int>(page.width), static_cast<int>(page.height)),
                                             "cairo_surface_destroy");
  const Library::Object pen = library.own(library.find<void*(void*)>("cairo_create")(pixels.get()), "cairo_destroy");
  const int drawn = library.find<int(void*, void*, const Rectangle*, void**)>("rsvg_handle_render_document")(
      picture.get(), pen.get(), &page, nullptr);
  std::string png;
  const int failed = library.find<int(void*, decltype(&append), void*)>("cairo_surface_write_to_png_stream")(
      pixels.get(), append, &png);
  if (drawn == 0 || failed != 0) throw Error(cat("png: a picture of ", page.width, " x ", page.height, " failed"));
  return png;
}

std::string png_warning(const Explanation& explanation) {
  std::vector<std::string> labels = explanation.source_units;
  labels.insert(labels.end(), explanation.target_units.begin(), explanation.target_units.end());
  return font_warning(labels);
}

std::string font_warning(std::span<const std::string> labels) {
  const Library library;
  const Library::Object context = library.own(library.find<void*(void*)>("pango_font_map_create_context")(
                                                  library.find<void*()>("pango_cairo_font_map_get_default")()),
                                              "g_object_unref");
  const Library::Object layout =
      library.own(library.find<void*(void*)>("pango_layout_new")(context.get()), "g_object_unref");
  const auto set_text = library.find<void(void*, const char*, int)>("pango_layout_set_text");
  const auto unknown_glyphs = library.find<int(void*)>("pango_layout_get_unknown_glyphs_count");
  for (const std::string& label : labels) {
    const std::string text = shown(label);
    set_text(layout.get(), text.data(), static_cast<int>(text.size()));
    if (unknown_glyphs(layout.get()) == 0) continue;
    return cat("png: no font on this machine has all of '", text,
               "'; for Devanagari on Debian: apt-get install fonts-lohit-deva");
  }
  return {};
}

}  // namespace dhyan
