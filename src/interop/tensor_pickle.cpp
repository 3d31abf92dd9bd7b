#include "interop/tensor_pickle.h"

#include <bit>
#include <map>
#include <unordered_map>

#include "core/error.h"
#include "interop/byte_reader.h"
#include "interop/safetensors_header.h"

namespace dhyan {

namespace {

// A value on the machine's stack. Values refer to others by their numbers, so that nothing is nested in memory.
struct PickleValue {
  // An object is what a class or function that is not known here would make of its items: arguments, then keys and
  // values in turn, or elements.
  enum class Kind {
    kNone,
    kNumber,
    kFlag,
    kReal,
    kText,
    kName,
    kSequence,
    kDictionary,
    kObject,
    kStorage,
    kTensor,
    kOther
  };

  Kind kind = Kind::kNone;
  std::int64_t number = 0;
  double real = 0;
  std::string text = {};                // of texts and names; a storage's file
  std::vector<std::size_t> items = {};  // of sequences; of dictionaries, keys and values in turn
  PickledTensor tensor = {};
};
using Kind = PickleValue::Kind;

constexpr std::size_t kMostValues = 1'000'000, kMostTensors = 200'000, kDeepest = 8, kDeepestSetting = 32,
                      kMostSettingBytes = 1 << 26;

class PickleMachine {
 public:
  PickleMachine(std::string_view where, std::span<const std::byte> bytes, PickledObjects objects)
      : in_(where, bytes), inert_(objects == PickledObjects::kInert) {}

  void run(std::vector<PickledTensor>& tensors, nlohmann::json& settings) {
    while (step(in_.number<std::uint8_t>())) {
    }
    const std::size_t root = pop();
    collect(root, "", 0);
    tensors = std::move(found_);
    if (!inert_) return;
    visited_ = 0;
    settings = json_of(root, 0);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { in_.fail(cat("the pickle ", what)); }

  std::size_t add(PickleValue value) {
    if (values_.size() == kMostValues) fail("has too many values");
    values_.push_back(std::move(value));
    return values_.size() - 1;
  }
  void push(PickleValue value) { stack_.push_back(add(std::move(value))); }
  void push_number(std::int64_t number) { push({.kind = Kind::kNumber, .number = number}); }
  void push_text(std::string_view text) { push({.kind = Kind::kText, .text = std::string(text)}); }

  std::size_t pop() {
    const std::size_t base = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= base) fail("takes a value from an empty stack");
    const std::size_t top = stack_.back();
    stack_.pop_back();
    return top;
  }

  std::size_t top() {
    const std::size_t value = pop();
    stack_.push_back(value);
    return value;
  }

  std::vector<std::size_t> pop_to_mark() {
    if (marks_.empty()) fail("has no mark");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<std::size_t> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  void push_tuple(std::size_t count) {
    std::vector<std::size_t> items(count);
    for (std::size_t i = count; i > 0; --i) items[i - 1] = pop();
    push({.kind = Kind::kSequence, .items = std::move(items)});
  }

  // Appends to the sequence or dictionary below the items.
  void append(const std::vector<std::size_t>& items) {
    PickleValue& to = values_[top()];
    // Others: the state of an object without meaning.
    if (to.kind != Kind::kSequence && to.kind != Kind::kDictionary && to.kind != Kind::kObject) return;
    if (to.items.size() + items.size() > kMostValues) fail("has too many values");
    to.items.insert(to.items.end(), items.begin(), items.end());
  }

  std::string_view line() {
    std::size_t length = 0;
    ByteReader ahead = in_;
    while (ahead.number<char>() != '\n') ++length;
    const std::string_view text = in_.text(length);
    in_.take(1);
    return text;
  }

  void remember(std::size_t place) { memo_[place] = top(); }
  void recall(std::size_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end()) fail("recalls a value that it did not keep");
    stack_.push_back(found->second);
  }

  const PickleValue& item(const PickleValue& sequence, std::size_t i, Kind kind) const {
    if (i >= sequence.items.size() || values_[sequence.items[i]].kind != kind)
      fail("describes a tensor in an unknown way");
    return values_[sequence.items[i]];
  }

  std::vector<std::int64_t> numbers_of(const PickleValue& sequence) const {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < sequence.items.size(); ++i) numbers.push_back(item(sequence, i, Kind::kNumber).number);
    return numbers;
  }

  // ('storage', torch.FloatStorage, file, device, elements)
  void push_storage(std::size_t id) {
    const PickleValue tuple = values_[id];
    if (tuple.kind != Kind::kSequence || item(tuple, 0, Kind::kText).text != "storage")
      fail("refers to something that is no storage");
    PickleValue storage{.kind = Kind::kStorage};
    storage.tensor.type = item(tuple, 1, Kind::kName).text;
    storage.tensor.storage = item(tuple, 2, Kind::kText).text;
    storage.tensor.elements = item(tuple, 4, Kind::kNumber).number;
    push(std::move(storage));
  }

  static bool is_known(std::string_view function) {
    return function == "collections OrderedDict" || function == "torch._utils _rebuild_parameter" ||
           function == "torch._utils _rebuild_tensor_v2";
  }

  void push_object() { push({.kind = Kind::kObject}); }

  // The state of an object: a dictionary of its attributes, in a pair if some of them are slots.
  void build(std::size_t state) {
    const std::size_t to = top();
    if (!inert_ || values_[to].kind != Kind::kObject) return;
    std::vector<std::size_t> parts{state};
    if (values_[state].kind == Kind::kSequence) parts = values_[state].items;
    for (const std::size_t part : parts) {
      if (values_[part].kind != Kind::kDictionary) continue;
      const std::vector<std::size_t> items = values_[part].items;
      append(items);
    }
  }

  // The functions that a pickle of tensors names.
  void reduce(std::size_t function, std::size_t arguments) {
    const PickleValue name = values_[function], given = values_[arguments];
    if (inert_ && (name.kind != Kind::kName || !is_known(name.text))) return push_object();
    if (name.kind != Kind::kName || given.kind != Kind::kSequence) fail("calls something that is no function");
    if (name.text == "collections OrderedDict") return push({.kind = Kind::kDictionary});
    if (name.text == "torch._utils _rebuild_parameter") {
      if (given.items.empty()) fail("describes a tensor in an unknown way");
      return stack_.push_back(given.items.front());
    }
    if (name.text != "torch._utils _rebuild_tensor_v2") {
      fail(cat("calls ", quoted_name(name.text), "; dhyan reads tensors and calls nothing"));
    }
    PickleValue tensor{.kind = Kind::kTensor, .tensor = item(given, 0, Kind::kStorage).tensor};
    tensor.tensor.offset = item(given, 1, Kind::kNumber).number;
    tensor.tensor.extents = numbers_of(item(given, 2, Kind::kSequence));
    tensor.tensor.strides = numbers_of(item(given, 3, Kind::kSequence));
    push(std::move(tensor));
  }

  double big_endian_real() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | in_.number<std::uint8_t>();
    return std::bit_cast<double>(bits);
  }

  std::int64_t long_number() {
    const auto length = in_.number<std::uint8_t>();
    if (length > 8) fail("has a number of more than 64 bits");
    std::uint64_t value = 0;
    std::uint8_t last = 0;
    for (int i = 0; i < length; ++i) value |= std::uint64_t{last = in_.number<std::uint8_t>()} << (8 * i);
    if (length > 0 && length < 8 && (last & 0x80) != 0) value |= ~std::uint64_t{0} << (8 * length);
    return static_cast<std::int64_t>(value);
  }

  bool step(std::uint8_t code) {
    switch (code) {
      case '.':
        return false;
      case 0x80:  // PROTO
        in_.take(1);
        return true;
      case 0x95:  // FRAME
        in_.take(8);
        return true;
      case '(':
        marks_.push_back(stack_.size());
        if (marks_.size() > kMostValues) fail("has too many marks");
        return true;
      case '}':
        push({.kind = Kind::kDictionary});
        return true;
      case ']':
      case ')':
        push({.kind = Kind::kSequence});
        return true;
      case 'c': {  // GLOBAL
        const std::string module(line());
        push({.kind = Kind::kName, .text = cat(module, " ", line())});
        return true;
      }
      case 'Q':  // BINPERSID
        push_storage(pop());
        return true;
      case 'R': {  // REDUCE
        const std::size_t arguments = pop();
        reduce(pop(), arguments);
        return true;
      }
      case 'b':  // BUILD: the state of an object, such as the versions of modules
        build(pop());
        return true;
      case '0':
        pop();
        return true;
      default:
        return step_of_value(code) || (inert_ && step_of_object(code)) || step_of_memory(code);
    }
  }

  bool step_of_value(std::uint8_t code) {
    switch (code) {
      case 'N':
        push({});
        return true;
      case 0x88:
      case 0x89:
        push({.kind = Kind::kFlag, .number = code == 0x88 ? 1 : 0});
        return true;
      case 'J':
        push_number(in_.number<std::int32_t>());
        return true;
      case 'K':
        push_number(in_.number<std::uint8_t>());
        return true;
      case 'M':
        push_number(in_.number<std::uint16_t>());
        return true;
      case 0x8a:
        push_number(long_number());
        return true;
      case 'G':  // a double, big-endian
        push({.kind = Kind::kReal, .real = big_endian_real()});
        return true;
      case 'X':
        push_text(in_.text(in_.number<std::uint32_t>()));
        return true;
      case 0x8c:
        push_text(in_.text(in_.number<std::uint8_t>()));
        return true;
      case 't':
      case 'l': {
        std::vector<std::size_t> items = pop_to_mark();
        push({.kind = Kind::kSequence, .items = std::move(items)});
        return true;
      }
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(code - 0x84u);
        return true;
      default:
        return false;
    }
  }

  // Opcodes that weights do without.
  bool step_of_object(std::uint8_t code) {
    switch (code) {
      case 0x81:  // NEWOBJ: class and arguments
        pop();
        pop();
        push_object();
        return true;
      case 0x92:  // NEWOBJ_EX: class, arguments and named arguments
        for (int i = 0; i < 3; ++i) pop();
        push_object();
        return true;
      case 0x8f:  // EMPTY_SET
        push({.kind = Kind::kSequence});
        return true;
      case 0x90:  // ADDITEMS
        append(pop_to_mark());
        return true;
      case 0x91: {  // FROZENSET
        std::vector<std::size_t> items = pop_to_mark();
        push({.kind = Kind::kSequence, .items = std::move(items)});
        return true;
      }
      case 'C':  // bytes
      case 'U':
        in_.take(in_.number<std::uint8_t>());
        push({.kind = Kind::kOther});
        return true;
      case 'B':
      case 'T':
        in_.take(in_.number<std::uint32_t>());
        push({.kind = Kind::kOther});
        return true;
      case '1':  // POP_MARK
        pop_to_mark();
        return true;
      case '2':  // DUP
        stack_.push_back(top());
        return true;
      default:
        return false;
    }
  }

  bool step_of_memory(std::uint8_t code) {
    switch (code) {
      case 'q':
        remember(in_.number<std::uint8_t>());
        return true;
      case 'r':
        remember(in_.number<std::uint32_t>());
        return true;
      case 0x94:
        remember(memo_.size());
        return true;
      case 'h':
        recall(in_.number<std::uint8_t>());
        return true;
      case 'j':
        recall(in_.number<std::uint32_t>());
        return true;
      case 's': {
        const std::size_t value = pop(), key = pop();
        append({key, value});
        return true;
      }
      case 'a':
        append({pop()});
        return true;
      case 'u':
      case 'e':
        append(pop_to_mark());
        return true;
      case 0x93: {  // STACK_GLOBAL
        const std::size_t name = pop(), module = pop();
        push({.kind = Kind::kName, .text = cat(values_[module].text, " ", values_[name].text)});
        return true;
      }
      default:
        fail(cat("has the opcode ", int{code}, ", which is none for tensors"));
    }
  }

  void collect(std::size_t id, const std::string& name, std::size_t depth) {
    const PickleValue& value = values_[id];
    if (value.kind == Kind::kTensor) {
      if (found_.size() == kMostTensors) fail("has too many tensors");
      found_.push_back(value.tensor);
      found_.back().name = name;
    }
    if (value.kind != Kind::kDictionary || depth == kDeepest) return;
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const PickleValue& key = values_[value.items[i]];
      if (key.kind != Kind::kText) continue;
      if (++visited_ > kMostValues) fail("has too many values");
      collect(value.items[i + 1], name.empty() ? key.text : cat(name, ".", key.text), depth + 1);
    }
  }

  // A text that is kept once may be recalled many times.
  void expect_little_text(const std::string& text) {
    setting_bytes_ += text.size();
    if (setting_bytes_ > kMostSettingBytes) fail("has too many texts");
  }

  nlohmann::json json_of(std::size_t id, std::size_t depth) {
    if (++visited_ > kMostValues) fail("has too many values");
    const PickleValue& value = values_[id];
    switch (value.kind) {
      case Kind::kNumber:
        return value.number;
      case Kind::kFlag:
        return value.number != 0;
      case Kind::kReal:
        return value.real;
      case Kind::kText:
        expect_little_text(value.text);
        return value.text;
      default:
        break;
    }
    if (depth == kDeepestSetting) return nullptr;
    if (value.kind == Kind::kSequence) {
      nlohmann::json array = nlohmann::json::array();
      for (const std::size_t item : value.items) array.push_back(json_of(item, depth + 1));
      return array;
    }
    if (value.kind != Kind::kDictionary && value.kind != Kind::kObject) return nullptr;
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const PickleValue& key = values_[value.items[i]];
      if (key.kind != Kind::kText) continue;
      expect_little_text(key.text);
      object[key.text] = json_of(value.items[i + 1], depth + 1);
    }
    return object;
  }

  ByteReader in_;
  bool inert_;
  std::vector<PickleValue> values_;
  std::vector<std::size_t> stack_, marks_;
  std::unordered_map<std::size_t, std::size_t> memo_;
  std::vector<PickledTensor> found_;
  std::size_t visited_ = 0, setting_bytes_ = 0;
};

}  // namespace

TensorPickle::TensorPickle(std::string_view where, std::span<const std::byte> bytes, PickledObjects objects) {
  PickleMachine(where, bytes, objects).run(tensors, settings);
}

}  // namespace dhyan
