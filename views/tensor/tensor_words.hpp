#pragma once

#include <QCoreApplication>
#include <QString>

namespace gradus::tensor_words {

/// What the view of a tensor says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Tensor", text); }

} // namespace gradus::tensor_words
