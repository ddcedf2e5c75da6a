#pragma once

#include "engine/backend/registry.hpp"

#include <memory>
#include <string>

namespace gradus {

/// A device of one thread on which what is derived from a Run is computed: with the Run's own instruction set, which gives the
/// Run's own bits, or with this machine's where the Run was recorded on another.
std::shared_ptr<Device> run_device(const std::string& isa);

} // namespace gradus
