#pragma once

#include "core/error.h"

namespace dhyan {

// A picture is damaged, truncated, too large or of an unknown format. "photo.jpg: Premature end of JPEG file".
class PictureError : public DataError {
 public:
  using DataError::DataError;
};

}  // namespace dhyan
