#include "explain/data_uri.h"

#include "core/base64.h"
#include "core/error.h"

namespace dhyan {

std::string data_uri(std::string_view media_type, std::string_view bytes) {
  return cat("data:", media_type, ";base64,", base64(bytes));
}

}  // namespace dhyan
