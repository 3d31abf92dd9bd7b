#include "phrasebook/scene_words.h"

namespace dhyan::picturebook {

namespace {

using phrases::hindi::kF, phrases::hindi::kM;

// All in the order of their enums.
constexpr std::array<FigureName, kFigures> kFigureNames{{{"circle", "वृत्त", kM},
                                                         {"square", "वर्ग", kM},
                                                         {"triangle", "त्रिभुज", kM},
                                                         {"star", "तारा", kM},
                                                         {"heart", "दिल", kM},
                                                         {"moon", "चाँद", kM},
                                                         {"kite", "पतंग", kF},
                                                         {"drop", "बूँद", kF}}};

constexpr std::array<Name, kColours> kColourNames{{{"red", "लाल"},
                                                   {"orange", "नारंगी"},
                                                   {"yellow", "पीला"},
                                                   {"green", "हरा"},
                                                   {"blue", "नीला"},
                                                   {"purple", "बैंगनी"},
                                                   {"white", "सफ़ेद"},
                                                   {"black", "काला"}}};

constexpr std::array<Name, kSizes> kSizeNames{{{"small", "छोटा"}, {"large", "बड़ा"}}};

constexpr std::array<RelationName, kRelations> kRelationNames{{{"to the left of", "left", "के बाईं ओर", "बाईं"},
                                                               {"to the right of", "right", "के दाईं ओर", "दाईं"},
                                                               {"above", "above", "के ऊपर", "ऊपर"},
                                                               {"below", "below", "के नीचे", "नीचे"}}};

}  // namespace

const FigureName& name_of(Figure figure) { return kFigureNames[static_cast<std::size_t>(figure)]; }
const Name& name_of(Colour colour) { return kColourNames[static_cast<std::size_t>(colour)]; }
const Name& name_of(Size size) { return kSizeNames[static_cast<std::size_t>(size)]; }
const RelationName& name_of(Relation relation) { return kRelationNames[static_cast<std::size_t>(relation)]; }

}  // namespace dhyan::picturebook
