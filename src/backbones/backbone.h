#pragma once

#include "autograd/tape.h"
#include "core/grid_shape.h"

namespace dhyan {

// A network that turns pictures of one size into grids of annotations. The result for a picture is the same bytes with
// any other pictures in the batch.
class Backbone {
 public:
  virtual ~Backbone() = default;
  Backbone(const Backbone&) = delete;
  Backbone& operator=(const Backbone&) = delete;

  // Takes the result of pixels() in ops/pixels.h. [B*picture().cells(),3] -> [B*grid().cells(),width()]
  virtual Var operator()(const Var& pixels) const = 0;

  GridShape picture() const { return picture_; }
  virtual GridShape grid() const = 0;
  virtual Index width() const = 0;

 protected:
  explicit Backbone(GridShape picture) : picture_(picture) {}

 private:
  GridShape picture_;
};

}  // namespace dhyan
