#pragma once

#include "explain/drawing.h"
#include "explain/picture_maps.h"

namespace dhyan {

// The size of a panel: all have the same area, whatever the shape of the picture.
struct PanelSize {
  double width = 0;
  double height = 0;
};
PanelSize panel_size(const Picture& picture);

// The images that panels consist of, each embedded once: "photo", "lit" and "veil-0" on, one for each word.
// "corners" rounds a panel's corners.
std::string panel_definitions(const PictureMaps& maps);

// The elements of the picture as it is, and of the picture under the veil of a word; a panel clips them.
std::string plain_elements();
std::string word_elements(std::size_t word);
std::string clipped_panel(std::string_view elements);

// "α ≤ 0.31": the greatest weight of a word.
std::string peak_label(const PictureMaps& maps, const WordMap& word);

// The picture, then a panel for each word in reading order, as in the figures of [xu2015].
Drawing draw_picture_maps(const PictureMaps& maps);

// How to read the panels; for a model without attention, why there are none.
extern const std::string_view kPanelsReading, kNoPanelsReading;

}  // namespace dhyan
