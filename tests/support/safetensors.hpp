#pragma once

#include "engine/core/tensor.hpp"

#include <map>
#include <stdexcept>
#include <string>

namespace gradus::test {

/// A golden file: tensors by name, and what its maker wrote about it. Throws std::runtime_error for a damaged file.
struct Golden {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, std::string> metadata;

    /// Throws naming the tensor if it is missing.
    const Tensor& at(const std::string& name) const;
    bool has(const std::string& name) const { return tensors.contains(name); }
};

/// Reads tests/golden/NAME.safetensors.
Golden read_golden(const std::string& name);

/// A path below the source folder; the environment variable GRADUS_SOURCE_FOLDER names another one.
std::string source_path(const std::string& relative);

} // namespace gradus::test
