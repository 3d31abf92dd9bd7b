#pragma once

#include <dhyan/export.h>
#include <stdexcept>

namespace dhyan {

// Base of every exception the library throws on purpose. Message = where: what; actual values; expected values.
class DHYAN_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The shapes of two tensors, or of a tensor and an operation, do not match.
class DHYAN_EXPORT ShapeError : public Error {
 public:
  using Error::Error;
};

// An operation cannot read tensors of this dtype.
class DHYAN_EXPORT DtypeError : public Error {
 public:
  using Error::Error;
};

// A setting has a value the code cannot work with.
class DHYAN_EXPORT ConfigError : public Error {
 public:
  using Error::Error;
};

// Text or examples given by the user are unusable.
class DHYAN_EXPORT DataError : public Error {
 public:
  using Error::Error;
};

// The operating system refused to read or write.
class DHYAN_EXPORT IoError : public Error {
 public:
  using Error::Error;
};

// Writing failed: a full disk, a missing permission. The input files are not at fault.
class DHYAN_EXPORT WriteError : public IoError {
 public:
  using IoError::IoError;
};

// A model file is damaged, hostile or belongs to another model.
class DHYAN_EXPORT ModelFileError : public Error {
 public:
  using Error::Error;
};

// The command line, or a call of the library, is wrong.
class DHYAN_EXPORT UsageError : public Error {
 public:
  using Error::Error;
};

// The caller asked for the end of the work.
class DHYAN_EXPORT Cancelled : public Error {
 public:
  using Error::Error;
};

}  // namespace dhyan
