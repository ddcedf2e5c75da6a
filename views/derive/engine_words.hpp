#pragma once

#include <QString>
#include <string>

namespace gradus {

/// A sentence of the engine or of an experiment in the language of the window: forms that a learner can meet are known
/// with their places and translated; any other sentence stays as it is.
QString engine_words(const std::string& sentence);

} // namespace gradus
