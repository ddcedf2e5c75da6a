#pragma once

#include "engine/backend/interface.h"

namespace gradus {

/// The processor as a backend: our own loops, one set per ISA path, chosen when it is opened.
const GradusBackend& cpu_backend();

} // namespace gradus
