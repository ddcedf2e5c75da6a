#pragma once

#include <QString>
#include <string>

namespace gradus {

/// The engine's text as Qt's.
inline QString q(const std::string& text) { return QString::fromStdString(text); }

} // namespace gradus
