#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace gradus {

/// What every failure of the engine is. what() is one sentence for a person, naming the place.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An op was given shapes it cannot take; the sentence names the op, what it expects and what came.
class ShapeError : public Error {
    using Error::Error;
};

/// A parameter, flag or edit is unusable; the sentence names it and what it may be.
class ArgumentError : public Error {
    using Error::Error;
};

/// A file is missing, damaged or cannot be written; the sentence names the file and the place in it.
class FileError : public Error {
    using Error::Error;
};

/// There is nothing to read under that name: no such file, a folder, no permission.
class NoFileError : public FileError {
    using FileError::FileError;
};

/// A device, backend, op or data set that is not here; the sentence says why and what would help.
class UnavailableError : public Error {
    using Error::Error;
};

/// What was computed is no longer wanted: somebody asked for a stop in the middle of it. No failure, and no Error.
class Interrupted : public std::exception {
public:
    const char* what() const noexcept override { return "interrupted"; }
};

} // namespace gradus
