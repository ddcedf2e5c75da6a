#pragma once

#include <QCoreApplication>
#include <QString>

namespace gradus::timeline_words {

/// What the timeline says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Timeline", text); }

} // namespace gradus::timeline_words
