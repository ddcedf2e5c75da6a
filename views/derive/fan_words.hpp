#pragma once

#include "views/state/fan.hpp"

#include <QString>

namespace gradus {

/// "η"
QString setting_symbol(const Fan& fan);

/// "η 0.05"
QString future_name(const Fan& fan, std::size_t future);

} // namespace gradus
