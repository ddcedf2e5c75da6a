#pragma once

#include <QCoreApplication>
#include <QString>

namespace gradus::roofline_words {

/// What the roofline says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Roofline", text); }

} // namespace gradus::roofline_words
