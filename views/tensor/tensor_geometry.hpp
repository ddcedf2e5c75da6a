#pragma once

#include "views/tensor/cell_source.hpp"

#include <QPointF>
#include <QRectF>
#include <optional>
#include <utility>

namespace gradus {

/// What there is to lay out.
struct TensorContents {
    enum class Form { number, matrix, pictures };
    Form form = Form::matrix;
    Dim rows = 1, columns = 1;     ///< of the matrix on screen
    Dim pictures = 0, side = 0;    ///< entries as square pictures
    bool labelled = false;         ///< pictures have a class
    bool sliced = false;           ///< some axes are cut: a selector stands above
    bool toggles = false;          ///< pictures or matrix: a button offers the other
    bool unpointed = false;        ///< nobody points at one number: nothing is said about one
    bool explained = false;        ///< one number is pointed at for a class: what is said about it has the room of the histogram
    bool row_letter = false;       ///< the rows' axis has a name of one letter, which stands left of their numbers
    bool named = false;            ///< the columns' axis has a name, which stands below their numbers
    double number = 0;             ///< width of the widest number in a cell, pixels; 0: unknown
    double aspect = 0;             ///< of a grid of points, a row's step over a column's: its picture is true to it; 0: it is none
};

/// How a person looks at it. Nothing of it is in the Run.
struct TensorZoom {
    double cell = 0;             ///< pixels per cell at least; 0: as many as the room gives
    Dim row = 0, column = 0;     ///< first of the framed part
    Dim picture = 0;             ///< first one shown
    bool operator==(const TensorZoom&) const = default;
};

/// Where everything of a tensor stands. Rectangles are null where there is no room for them.
struct TensorGeometry {
    TensorContents contents;
    QRectF slices;          ///< selector of the axes that are cut
    QRectF overview, frame; ///< the whole and what of it is magnified; null where all fits
    QRectF map;             ///< the framed part, or the pictures
    CellWindow window;      ///< rows and columns on the map
    double cell_width = 0, cell_height = 0;
    QRectF bars;            ///< over a single row of few numbers: each as high as it is large
    bool numbered = false;  ///< the cells under them say their numbers and have no colour: one picture is enough
    QRectF row_name, column_name; ///< what its axes are called: a row's only of a grid
    QRectF row_labels, column_labels, legend, caption, toggle;
    QRectF number;          ///< a scalar, large
    QRectF card, histogram;

    // Pictures stand in rows, each `scale` pixels per pixel, with a line for its number above.
    double scale = 0;
    QSizeF tile;
    Dim across = 0, shown = 0, first = 0;

    QRectF cell(Dim row, Dim column) const;
    std::optional<std::pair<Dim, Dim>> cell_at(QPointF point) const;
    QRectF picture(Dim which) const; ///< null if it is not on screen
    /// (picture, pixel)
    std::optional<std::pair<Dim, Dim>> pixel_at(QPointF point) const;
    QRectF pixel(Dim which, Dim at) const;
    /// The middle of a place between rows, or columns, of a grid: row 0.5 lies between the first two.
    double x_of_column(double column) const { return map.left() + (column - static_cast<double>(window.column) + 0.5) * cell_width; }
    double y_of_row(double row) const { return map.top() + (row - static_cast<double>(window.row) + 0.5) * cell_height; }
    /// Cells that a pixel of the screen stands for, down and across; 1 where cells are larger.
    std::pair<Dim, Dim> cells_per_pixel() const;
};

/// Text in cells needs them so wide, and so high.
constexpr double cell_for_numbers = 34, cell_height_for_numbers = 16;

/// Places it all in a rectangle; what has no room is left out, the map last.
TensorGeometry lay_out(const TensorContents& contents, const TensorZoom& zoom, const QRectF& area);

/// The zoom that brings a cell, or a picture, onto the map, changed as little as possible.
TensorZoom bring_into_view(const TensorGeometry& geometry, TensorZoom zoom, Dim row, Dim column);
/// So that the framed part begins there, inside the matrix.
TensorZoom moved_to(const TensorGeometry& geometry, TensorZoom zoom, Dim row, Dim column);

} // namespace gradus
