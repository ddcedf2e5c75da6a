#pragma once

#include "engine/core/shape.hpp"

#include <QPointF>
#include <QRectF>
#include <vector>

namespace gradus {

/// What the geometry must know of what is shown. Sizes in pixels.
struct NeuronSizes {
    Dim neurons = 16, selected = 0;
    int rows = 28, columns = 28; ///< of an image
    int images = 6;              ///< at most so many
    double line = 16;            ///< of numbers
    double heading = 16;         ///< height of a line of words, which is more in Korean
    double number = 32;          ///< width of the widest number under an image
    double legend = 40;          ///< of the widest beside the map
    double axis = 40;            ///< of the widest beside the bars
    bool few = false;            ///< a class sees little at a time: the weights large, the rest where it leaves them so
};

/// Where everything lies: the weight picture on the left, the images that the neuron answers most strongly beside it, and a
/// bar for each neuron below. What has no room is null or missing. The legend stands beside the weights, or lies below them where
/// it is wider than high.
struct NeuronGeometry {
    struct Image {
        QRectF picture, number;
        QRectF all() const { return picture.united(number); }
    };
    QRectF weights_heading, weights, legend;
    QRectF images_heading, strongest; ///< strongest: all of `images`
    std::vector<Image> images;        ///< strongest first
    QRectF bars_heading, answers;     ///< answers: all of what follows
    QRectF chosen;                    ///< the image whose answers the bars are
    QRectF axis, plot, indices;       ///< numbers beside, bars, neurons' numbers below
    Dim first = 0, shown = 0;         ///< neurons that have a bar
    double slot = 0;                  ///< width of one

    /// What a prediction covers, in line with each other and with the weights: all images as wide as their heading, all bars with
    /// theirs, which says what is strongest.
    QRectF images_cover() const;
    QRectF bars_cover() const;

    QRectF slot_of(Dim neuron) const; ///< null if it has none
    Dim neuron_at(QPointF point) const; ///< -1: none
    int image_at(QPointF point) const;  ///< -1: none
};

NeuronGeometry lay_out_neuron(const QRectF& area, const NeuronSizes& sizes);

} // namespace gradus
