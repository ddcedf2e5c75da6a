#pragma once

#include <QString>
#include <string>

namespace gradus {

/// What a person calls a series: "Test accuracy" for `test_accuracy`; a name nobody gave words to stays as it is.
QString series_words(const std::string& name);

} // namespace gradus
