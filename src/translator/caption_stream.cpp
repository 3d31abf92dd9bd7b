#include "translator/caption_stream.h"

#include <algorithm>

#include "core/error.h"
#include "translator/decoded_pictures.h"

namespace dhyan {

namespace {

// A picture in the bytes that the model reads, or why there are none.
struct DecodedOne {
  std::vector<std::byte> bytes;
  std::string failure;
};

std::vector<DecodedOne> decode_all(std::span<const NamedPicture> pictures, const PictureFormat& format,
                                   const Workers& workers) {
  std::vector<DecodedOne> decoded(pictures.size());
  const auto decode = [&](Index i, int) {
    if (workers.poll) workers.poll();
    const auto at = static_cast<std::size_t>(i);
    DecodedOne& one = decoded[at];
    try {
      one.bytes.resize(format.bytes());
      copy_pixels(load_picture(pictures[at], {.wanted_height = format.size.height, .wanted_width = format.size.width}),
                  format, one.bytes);
    } catch (const Error& error) {
      one.failure = error.what();
    }
  };
  if (workers.pool != nullptr) {
    workers.pool->run(std::ssize(pictures), decode);
  } else {
    for (Index i = 0; i < std::ssize(pictures); ++i) decode(i, 0);
  }
  return decoded;
}

}  // namespace

void caption_stream(const Translator& translator, const std::function<std::vector<NamedPicture>(Index most)>& take,
                    const CaptionStreamOptions& options,
                    const std::function<void(const std::vector<CaptionedResult>& window)>& give) {
  const PictureFormat format{.size = translator.model().pictures().pixels};
  const auto fit = static_cast<Index>(options.largest_bytes / std::max<std::size_t>(1, format.bytes()));
  const Index most = std::clamp<Index>(fit, 1, std::max<Index>(1, options.largest_window));
  TranslationOptions translation = options.translation;
  for (Index size = std::min(options.first_window, most);; size = std::min(2 * size, most)) {
    std::vector<NamedPicture> pictures = take(size);
    if (pictures.empty()) return;
    std::vector<DecodedOne> decoded = decode_all(pictures, format, options.workers);
    std::vector<CaptionedResult> window;
    DecodedPictures readable(format.size);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      CaptionedResult& result = window.emplace_back();
      result.picture = std::move(pictures[i]);
      result.failure = std::move(decoded[i].failure);
      if (!result.failure.empty()) continue;
      names.push_back(result.picture.name);
      readable.add(std::move(decoded[i].bytes));
    }
    auto captions = translator.translate_with(Inputs(names, &readable), translation, options.workers);
    translation.first_line += names.size();
    for (auto next = captions.begin(); CaptionedResult & result : window) {
      if (result.failure.empty()) result.n_best = std::move(*next++);
    }
    give(window);
  }
}

}  // namespace dhyan
