#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace dhyan {

// Base of every exception the library throws on purpose. Message = where: what; actual values; expected values.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The shapes of two tensors, or of a tensor and an operation, do not match.
class ShapeError : public Error {
 public:
  using Error::Error;
};

// An operation cannot read tensors of this dtype.
class DtypeError : public Error {
 public:
  using Error::Error;
};

// A setting has a value the code cannot work with.
class ConfigError : public Error {
 public:
  using Error::Error;
};

// Text or examples given by the user are unusable.
class DataError : public Error {
 public:
  using Error::Error;
};

// The operating system refused to read or write.
class IoError : public Error {
 public:
  using Error::Error;
};

// Writing failed: a full disk, a missing permission. The input files are not at fault.
class WriteError : public IoError {
 public:
  using IoError::IoError;
};

// A model file is damaged, hostile or belongs to another model.
class ModelFileError : public Error {
 public:
  using Error::Error;
};

// The command line, or a call of the library, is wrong.
class UsageError : public Error {
 public:
  using Error::Error;
};

// cat("a is ", 3, ", not ", 4) == "a is 3, not 4"; for messages, so that core needs no formatting library.
template <class... Parts>
std::string cat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return std::move(text).str();
}

}  // namespace dhyan
