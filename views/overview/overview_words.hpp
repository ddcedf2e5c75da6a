#pragma once

#include <QCoreApplication>
#include <QString>

namespace gradus::overview_words {

/// What the strips say, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Strips", text); }

} // namespace gradus::overview_words
