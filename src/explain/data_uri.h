#pragma once

#include <string>
#include <string_view>

namespace dhyan {

// "data:image/png;base64,iVBORw0…": a file inside of a picture or page.
std::string data_uri(std::string_view media_type, std::string_view bytes);

}  // namespace dhyan
