#pragma once

#include "engine/core/shape.hpp"

#include <QString>
#include <string>
#include <string_view>

namespace gradus {

/// A sentence of the engine or of an experiment in the language of the window: forms that a learner can meet are known
/// with their places and translated; any other sentence stays as it is.
QString engine_words(const std::string& sentence);

/// The name of an axis in the language of the window: "pixel", "class"; a letter stays a letter.
QString axis_word(std::string_view name);

/// "64×10"; of one number, the word for it.
QString shape_words(const Shape& shape);
/// "(B 64, class 10)".
QString named_shape_words(const Shape& shape);

} // namespace gradus
