#pragma once

#include "views/state/fan.hpp"

#include <QString>

namespace gradus {

/// "η"
QString setting_symbol(const Fan& fan);

/// "η 0.05"; "now η 0.1"
QString future_name(const Fan& fan, std::size_t future);
/// "η 0.025–0.06"
QString futures_name(const Fan& fan, std::size_t first, std::size_t last);

} // namespace gradus
