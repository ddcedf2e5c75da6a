#pragma once

#include <QCoreApplication>
#include <QString>

namespace gradus::listing_words {

/// What the listing says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Listing", text); }

} // namespace gradus::listing_words
