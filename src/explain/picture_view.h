#pragma once

#include <span>

#include "explain/formats.h"
#include "explain/picture_maps.h"

namespace dhyan {

// Attention over a picture. All throw ShapeError if a map does not fit the grid.

// For each word the picture in half-blocks, bright where the model looks; without colour, the grid in shades.
std::string picture_text(const PictureMaps& maps, const RenderOptions& options);
// draw_picture_maps() as a file; complete in itself.
std::string picture_svg(const PictureMaps& maps, const RenderOptions& options);
std::string picture_png(const PictureMaps& maps, const RenderOptions& options);
// A word under the pointer or the keyboard's focus shows its map over the picture; below are panels for all words.
std::string picture_html(const PictureMaps& maps, const RenderOptions& options);
// The weights of each word as [row][column].
std::string picture_json(const PictureMaps& maps, const RenderOptions& options);

// The output formats; the first is text.
struct PictureViewFormat {
  std::string_view name;
  std::string_view extension;  // of its files
  std::string_view description;
  std::string (*render)(const PictureMaps& maps, const RenderOptions& options);
  // Names a problem with its appearance on this machine; empty if there is none. nullptr if there can be none.
  std::string (*warning)(const PictureMaps& maps);
};
std::span<const PictureViewFormat> picture_view_formats();

}  // namespace dhyan
