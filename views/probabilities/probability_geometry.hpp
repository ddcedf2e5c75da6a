#pragma once

#include <QPointF>
#include <QRectF>
#include <array>
#include <cstddef>
#include <vector>

namespace gradus {

constexpr double below_title = 6; ///< pixels from a row's title to what is below it: clear of its descenders

/// What a row of bars shows: the logits, their softmax, or the gradient at the logits.
enum class ProbabilityQuantity { z, p, dz };

/// What there is to lay out.
struct ProbabilityContents {
    std::size_t classes = 0;
    double z_end = 4;        ///< the logits' axis runs from -z_end to z_end
    bool gradient = true;    ///< the iteration has ∂z
    ProbabilityQuantity wanted = ProbabilityQuantity::p; ///< that row stays where two have room
    double line = 18;        ///< height of a line of text, pixels
    double number = 40;      ///< width of a number with three digits, pixels
};

/// Where bars and triangle stand. What has no room is left out: null rectangles, no rows.
struct ProbabilityGeometry {
    /// One quantity per class over a common axis. The bars of all rows stand in the same columns.
    struct Row {
        ProbabilityQuantity quantity = ProbabilityQuantity::z;
        QRectF area;  ///< all of it: its name, its numbers, the plot
        QRectF title; ///< a line above the plot; null: its name stands in the gutter
        QRectF plot;  ///< the axis runs over its height
        double low = 0, high = 1; ///< at the plot's bottom and top
        /// The pixel of a value, at most at the plot's edge.
        double y(double value) const;
    };
    ProbabilityContents contents;
    std::vector<Row> rows; ///< from the top; at least the logits where anything has room
    QRectF classes;        ///< their numbers, under the bars
    double bar = 0;        ///< width of a bar, pixels
    double number_line = 0; ///< pixels free over the bars (under those that hang) for their numbers; 0: no room
    QRectF triangle;       ///< the probability triangle with its corners' names and its words; null unless there are three classes
    QRectF words;          ///< below it; null where there is no room
    std::array<QPointF, 3> corners; ///< of classes 0, 1 and 2: left, right, top

    const Row* row(ProbabilityQuantity quantity) const; ///< null where it is left out
    /// The column of a class, as high as the row.
    QRectF column(const Row& row, std::size_t i) const;
    /// From 0 to the value.
    QRectF bar_of(const Row& row, std::size_t i, double value) const;
    /// The class in whose column of that row a pixel lies; -1: none.
    int class_at(const Row& row, QPointF pixel) const;
    /// The place of three probabilities: corner · p. They should add up to 1.
    QPointF at(const std::array<double, 3>& p) const;
    double side() const { return corners[1].x() - corners[0].x(); }
};

/// Places it all in a rectangle. With three classes the triangle stands left of the bars, or above them where the area
/// is upright.
ProbabilityGeometry lay_out_probabilities(const ProbabilityContents& contents, const QRectF& area);

/// Half the logits' axis: a round number with room above the largest |z|, at least 4.
double axis_end_of(const std::vector<double>& z);

/// A number without digits that a pixel cannot tell.
double rounded_to_pixel_of(double value, double per_pixel);

} // namespace gradus
