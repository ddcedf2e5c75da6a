#pragma once

#include "views/neuron/neuron_field.hpp"
#include "views/neuron/neuron_geometry.hpp"
#include "views/state/app_state.hpp"
#include "views/theme/color_map.hpp"

#include <QImage>
#include <memory>
#include <vector>

namespace gradus {

/// The neuron of the first layer that what is selected belongs to: a column of W1, x·W1, z1 or a1, an entry of b1, or of
/// their gradients. -1: it belongs to none.
Dim neuron_of(const Selection& selection, const FirstLayer& layer);

/// The same of another neuron: W1 keeps its row, z1 its example. Where nothing of a neuron is selected, the weight of the
/// `inputs` in the middle.
Selection with_neuron(const Selection& selection, const FirstLayer& layer, Dim neuron, Dim inputs);

/// Everything that the view paints: a function of the field, the selection and the example.
struct NeuronPicture {
    std::shared_ptr<const NeuronField> field;
    Dim neuron = 0;
    Dim example = 0;            ///< whose answers the bars are
    std::vector<Dim> strongest; ///< examples
    double end = 1;             ///< of the weights' map: the largest |w| of the neuron
    double least = 0, greatest = 1; ///< of the bars: 0 lies between
    NeuronGeometry geometry;
    bool secret = false; ///< the images are covered: no ring stands out

    const NeuronAnswers& answers() const { return field->answers; }
    /// Takes over what changed; `chosen` is the example that one looks at, -1 for the strongest.
    void look(std::shared_ptr<const NeuronField> field, const Selection& selection, Dim chosen);
    void lay_out(const QRectF& area, bool few);
    double bar_y(double z) const;      ///< pixels
    QRectF bar_of(Dim neuron) const;   ///< from zero to its z; null where it is not finite or not shown
    double weight(Dim pixel) const { return answers().weight.at(pixel, neuron); }
    Dim pixel_at(QPointF point) const; ///< of the weights; -1: none
    QImage weights_image(const ColorMap& map, const QColor& fault) const;
};

constexpr std::size_t strongest_shown = 6;

} // namespace gradus
