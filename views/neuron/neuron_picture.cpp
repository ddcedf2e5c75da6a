#include "views/neuron/neuron_picture.hpp"

#include "views/neuron/neuron_words.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// The name of what a gradient is of; other names as they are.
std::string without_d(const std::string& name, const std::string& wanted) { return name == 'd' + wanted ? wanted : name; }

/// A round number with room beyond a bar: one that is pulled is seen to grow, and the others to stay.
double axis_end(double longest) {
    constexpr double room = 1.15;
    if (!(longest > 0) || !std::isfinite(longest)) return 0;
    const double wanted = room * longest, ten = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (step * ten >= wanted * (1 - 1e-9)) return step * ten;
    return 10 * ten;
}

/// Where in an element of this tensor the neuron stands; -1: it has none.
int axis_of(const std::string& tensor, const FirstLayer& layer) {
    if (without_d(tensor, layer.bias) == layer.bias) return 0;
    for (const std::string* name : {&layer.weight, &layer.product, &layer.z, &layer.a})
        if (!name->empty() && without_d(tensor, *name) == *name) return 1;
    return -1;
}

} // namespace

Dim neuron_of(const Selection& selection, const FirstLayer& layer) {
    const int axis = selection.tensor.empty() ? -1 : axis_of(selection.tensor, layer);
    return axis < 0 || static_cast<std::size_t>(axis) >= selection.element.size() ? -1 : selection.element[static_cast<std::size_t>(axis)];
}

Selection with_neuron(const Selection& selection, const FirstLayer& layer, Dim neuron, Dim inputs) {
    const int axis = selection.tensor.empty() ? -1 : axis_of(selection.tensor, layer);
    if (axis < 0) return {layer.weight, {inputs / 2, neuron}};
    Selection out = selection;
    out.element.resize(static_cast<std::size_t>(axis) + 1, 0);
    out.element.back() = neuron;
    return out;
}

void NeuronPicture::look(std::shared_ptr<const NeuronField> latest, const Selection& selection, Dim chosen) {
    field = std::move(latest);
    if (!field || !field->refusal.empty() || answers().neurons < 1 || answers().examples < 1) return;
    const Dim wanted = neuron_of(selection, answers().layer);
    neuron = wanted >= 0 && wanted < answers().neurons ? wanted : 0;
    strongest = strongest_inputs(answers(), neuron, strongest_shown);
    example = chosen >= 0 && chosen < answers().examples ? chosen : strongest.front();
    end = 0;
    for (Dim pixel = 0; pixel < answers().weight.shape()[0]; ++pixel)
        if (const double w = std::abs(weight(pixel)); std::isfinite(w)) end = std::max(end, w);
    least = greatest = 0;
    for (Dim i = 0; i < answers().neurons; ++i)
        if (const double z = answers().z_of(example, i); std::isfinite(z)) least = std::min(least, z), greatest = std::max(greatest, z);
    if (!(greatest > least)) greatest = least + 1;
    greatest = axis_end(greatest), least = -axis_end(-least);
}

void NeuronPicture::lay_out(const QRectF& area, bool few) {
    geometry = {};
    if (!field || !field->refusal.empty() || answers().neurons < 1 || answers().examples < 1) return;
    const TextMetrics mono(mono_font(metrics::small_text, QFont::Bold)), text(text_font(metrics::small_text));
    NeuronSizes sizes;
    sizes.few = few;
    sizes.neurons = answers().neurons;
    sizes.selected = neuron;
    sizes.rows = field->wish.data->image_rows;
    sizes.columns = field->wish.data->image_columns;
    sizes.images = static_cast<int>(strongest.size());
    sizes.line = std::ceil(std::max(mono.height(), text.height())) + 1;
    sizes.heading = sizes.line;
    for (const QString& words : {neuron_words::weights_heading(*this), neuron_words::images_heading(*this)})
        sizes.heading = std::max(sizes.heading, std::ceil(text.lineHeight(words)));
    sizes.number = 0;
    for (const Dim each : strongest) sizes.number = std::max(sizes.number, std::ceil(mono.horizontalAdvance(neuron_words::number(answers().z_of(each, neuron)))) + 1);
    sizes.legend = std::ceil(mono.horizontalAdvance(neuron_words::number(-end))) + 1;
    sizes.axis = 0;
    for (const double each : {least, greatest}) sizes.axis = std::max(sizes.axis, std::ceil(mono.horizontalAdvance(neuron_words::number(each))) + 1);
    geometry = lay_out_neuron(area, sizes);
}

double NeuronPicture::bar_y(double z) const {
    return geometry.plot.bottom() - (z - least) / (greatest - least) * geometry.plot.height();
}

QRectF NeuronPicture::bar_of(Dim of) const {
    const QRectF slot = geometry.slot_of(of);
    if (slot.isNull()) return {}; // there is no such neuron, or no room for it
    const double z = answers().z_of(example, of);
    if (!std::isfinite(z)) return {};
    const double width = std::max(2.0, std::round(slot.width() * 0.6)), zero = std::round(bar_y(0));
    return QRectF(QPointF(std::round(slot.center().x() - width / 2), zero), QSizeF(width, std::round(bar_y(z)) - zero)).normalized();
}

Dim NeuronPicture::pixel_at(QPointF point) const {
    const QRectF& map = geometry.weights;
    if (map.isNull() || !map.contains(point)) return -1;
    const int rows = field->wish.data->image_rows, columns = field->wish.data->image_columns;
    const int row = std::min(rows - 1, static_cast<int>((point.y() - map.top()) / map.height() * rows));
    const int column = std::min(columns - 1, static_cast<int>((point.x() - map.left()) / map.width() * columns));
    return Dim{row} * columns + column;
}

QImage NeuronPicture::weights_image(const ColorMap& map, const QColor& fault) const {
    const int rows = field->wish.data->image_rows, columns = field->wish.data->image_columns;
    QImage image(columns, rows, QImage::Format_RGB32);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const double w = weight(Dim{row} * columns + column);
            image.setPixel(column, row, std::isfinite(w) ? map.at(w) : fault.rgb());
        }
    return image;
}

} // namespace gradus
