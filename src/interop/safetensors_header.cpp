#include "interop/safetensors_header.h"

#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"

namespace dhyan {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";

// Accepts the one form that a header may have and throws at the first deviation, which bounds memory and depth.
class HeaderReader final : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(std::string_view where) : where_(where) {}

  StatedHeader take() { return std::move(header_); }

  bool null() override { unexpected("null"); }
  bool boolean(bool) override { unexpected("a boolean"); }
  bool number_integer(number_integer_t value) override { unexpected(cat("the number ", value).c_str()); }
  bool number_float(number_float_t, const std::string& text) override { unexpected(cat("the number ", text).c_str()); }
  bool binary(binary_t&) override { unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ != 3) unexpected(cat("the number ", value).c_str());
    std::vector<std::uint64_t>& numbers = field_ == "shape" ? tensor().shape : tensor().data_offsets;
    const std::size_t limit = field_ == "shape" ? Shape::kMaxRank : 2;
    if (numbers.size() == limit) fail(cat("'", field_, "' has more than ", limit, " numbers, expected at most that"));
    numbers.push_back(value);
    return true;
  }

  bool string(std::string& value) override {
    if (depth_ == 2 && in_metadata_) {
      header_.metadata[field_] = std::move(value);
    } else if (depth_ == 2 && field_ == "dtype") {
      tensor().dtype = std::move(value);
    } else {
      unexpected("a string");
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (depth_ >= 2) unexpected("an object");
    if (++depth_ == 2 && !in_metadata_) header_.tensors.emplace_back().name = name_;
    fields_.clear();
    return true;
  }

  bool key(std::string& text) override {
    std::set<std::string>& keys = depth_ == 1 ? names_ : fields_;
    if (!keys.insert(text).second) fail(cat("the key ", quoted_name(text), " occurs twice"));
    if (depth_ == 1) {
      in_metadata_ = text == kMetadata;
      name_ = text;
      return true;
    }
    if (!in_metadata_ && text != "dtype" && text != "shape" && text != "data_offsets") {
      fail(cat("the key ", quoted_name(text), " is none of dtype, shape, data_offsets"));
    }
    field_ = text;
    return true;
  }

  bool end_object() override {
    if (depth_ == 2 && !in_metadata_) {
      for (const char* field : {"dtype", "shape", "data_offsets"}) {
        if (!fields_.contains(field)) fail(cat("the key '", field, "' is missing"));
      }
      const std::size_t offsets = tensor().data_offsets.size();
      if (offsets != 2) fail(cat("'data_offsets' has ", offsets, " numbers, expected 2"));
    }
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || field_ == "dtype") unexpected("an array");
    ++depth_;
    return true;
  }

  bool end_array() override {
    --depth_;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw ModelFileError(cat(where_, ": the header is not JSON at its byte ", position));
  }

 private:
  StatedTensor& tensor() { return header_.tensors.back(); }

  [[noreturn]] void fail(const std::string& what) const {
    if (depth_ < 2) throw ModelFileError(cat(where_, ": header: ", what));
    throw ModelFileError(cat(where_, ": ", in_metadata_ ? "" : "tensor ", quoted_name(name_), ": ", what));
  }

  [[noreturn]] void unexpected(const char* found) const {
    if (depth_ == 1) fail(cat(quoted_name(name_), " is ", found, ", expected an object"));
    if (depth_ == 3) fail(cat("'", field_, "' holds ", found, ", expected numbers that are not negative"));
    const bool text = in_metadata_ || field_ == "dtype";
    fail(cat(quoted_name(field_), " is ", found, ", expected ", text ? "a string" : "an array"));
  }

  std::string_view where_;
  StatedHeader header_;
  int depth_ = 0;  // 1 in the header, 2 in a tensor or in the metadata, 3 in an array
  std::string name_;
  std::string field_;
  bool in_metadata_ = false;
  std::set<std::string> names_;
  std::set<std::string> fields_;
};

}  // namespace

StatedHeader parse_safetensors_header(std::string_view where, std::string_view json) {
  if (!json.starts_with('{')) throw ModelFileError(cat(where, ": the header does not begin with '{'"));
  HeaderReader reader(where);
  Json::sax_parse(json, &reader);
  return reader.take();
}

std::string format_safetensors_header(std::span<const TensorEntry> entries, const Metadata& metadata) {
  auto header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  std::size_t end = 0;
  for (const TensorEntry& entry : entries) {
    if (entry.name == kMetadata || header.contains(entry.name)) {
      throw UsageError(cat("save_tensors: the name ", quoted_name(entry.name), " is taken"));
    }
    auto extents = nlohmann::ordered_json::array();
    for (int axis = 0; axis < entry.shape.rank(); ++axis) extents.push_back(entry.shape[axis]);
    const std::size_t begin = end;
    end += entry.bytes.size();
    header[entry.name] = {{"dtype", entry.dtype->name}, {"shape", extents}, {"data_offsets", {begin, end}}};
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::type_error&) {
    throw UsageError("save_tensors: a name or an entry of the metadata is not UTF-8");
  }
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

std::string quoted_name(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  std::string text = "'";
  for (const char c : name.substr(0, kLongest)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text + (name.size() > kLongest ? "...'" : "'");
}

}  // namespace dhyan
