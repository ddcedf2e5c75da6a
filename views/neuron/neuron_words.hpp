#pragma once

#include "views/neuron/neuron_picture.hpp"
#include "views/theme/value_card.hpp"

#include <QString>
#include <vector>

namespace gradus::neuron_words {

QString tr(const char* text);
/// Three digits; with a cross where it is not finite.
QString number(double value);
QString image_name(const NeuronPicture& picture, Dim example); ///< "test image 13, class 3"
QString neuron_name(Dim neuron);                               ///< "neuron 8"
QString answer_lines(const NeuronPicture& picture, Dim example, Dim neuron); ///< "z₁ 5.23   a₁ 5.23"

QString weights_heading(const NeuronPicture& picture);
QString images_heading(const NeuronPicture& picture);
QString images_heading_in_brief(const NeuronPicture& picture); ///< where the other has no room
QString bars_heading(const NeuronPicture& picture);
QString bars_heading_in_brief(const NeuronPicture& picture);

std::vector<ValueCardLine> weight_card(const NeuronPicture& picture, Dim pixel);
std::vector<ValueCardLine> image_card(const NeuronPicture& picture, Dim example);
std::vector<ValueCardLine> bar_card(const NeuronPicture& picture, Dim neuron);

} // namespace gradus::neuron_words
