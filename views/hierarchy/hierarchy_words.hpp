#pragma once

#include <QCoreApplication>
#include <QString>

namespace gradus::hierarchy_words {

/// What the memory hierarchy says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Hierarchy", text); }

} // namespace gradus::hierarchy_words
