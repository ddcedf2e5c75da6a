#pragma once

#include "engine/simt/source_places.hpp"

#include <elfutils/libdw.h>

namespace gradus::simt {

/// Adds what debug information says of the types of __shared__ variables: which kind of number, in an array of which sizes, and where they are declared.
void describe_shared(Dwarf* dwarf, std::vector<NamedVariable>& shared);

} // namespace gradus::simt
