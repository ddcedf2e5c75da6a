#include "views/neuron/neuron_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double gap = 20, beside = 8, above = 5; // pixels: between blocks, between neighbours, from a heading to what it heads
constexpr double strip_width = 10, beside_strip = 5; // of the legend
constexpr double least_image = 28, least_plot = 36, least_slot = 3, widest_slot = 56;

/// The largest size of at most width × height in which a pixel of the image is a block of whole pixels, if one fits.
QSizeF image_size(double width, double height, const NeuronSizes& sizes) {
    const double scale = std::min(width / sizes.columns, height / sizes.rows);
    if (scale <= 0) return {};
    const double whole = scale >= 1 ? std::floor(scale) : scale;
    return {std::floor(sizes.columns * whole), std::floor(sizes.rows * whole)};
}

void lay_out_weights(NeuronGeometry& g, const QRectF& area, const NeuronSizes& sizes) {
    const double strip = strip_width + beside_strip + sizes.legend;
    const QSizeF size = image_size(std::min(area.width() * 0.36, area.width() - strip - beside), area.height() - sizes.line - above, sizes);
    if (size.width() < least_image) return;
    g.weights = QRectF(QPointF(area.left(), area.top() + sizes.heading + above), size);
    g.legend = QRectF(g.weights.right() + beside, g.weights.top(), strip, g.weights.height());
    g.weights_heading = QRectF(area.left(), area.top(), g.legend.right() - area.left(), sizes.heading);
}

/// As large as a third of the width for the images allows, the legend below.
void lay_out_large_weights(NeuronGeometry& g, const QRectF& area, const NeuronSizes& sizes) {
    const double below = beside + strip_width + sizes.line, top = area.top() + sizes.heading + above;
    const QSizeF size = image_size(area.width() * 0.62, area.bottom() - top - below, sizes);
    if (size.width() < 2 * least_image || size.width() < 2 * sizes.legend + 20) return;
    g.weights = QRectF(QPointF(area.left(), top), size);
    g.legend = QRectF(g.weights.left(), g.weights.bottom() + beside, size.width(), strip_width + sizes.line);
    g.weights_heading = QRectF(area.left(), area.top(), size.width(), sizes.heading);
}

/// In as few rows as leave them largest.
void lay_out_images(NeuronGeometry& g, const QRectF& area, const NeuronSizes& sizes) {
    const double top = area.top() + sizes.heading + above, room = area.bottom() - top;
    QSizeF best;
    int columns = 0, count = 0;
    const double narrowest = std::max(least_image, sizes.number) + beside;
    const int fit = static_cast<int>((area.width() + beside) / narrowest);
    const auto attempt = [&](int in_row, int rows) {
        if (in_row < 1 || in_row > fit) return;
        const double wide = (area.width() + beside) / in_row - beside, high = (room + beside) / rows - beside - sizes.line;
        const QSizeF size = image_size(wide, high, sizes);
        if (size.width() < least_image || size.width() <= best.width()) return;
        best = size;
        columns = in_row;
        count = std::min(in_row * rows, sizes.images);
    };
    attempt(sizes.images, 1);
    attempt((sizes.images + 1) / 2, 2);
    attempt((sizes.images + 2) / 3, 3);
    if (columns == 0) attempt(std::min(fit, (sizes.images + 1) / 2), 2); // fewer of them
    if (columns == 0) attempt(std::min(fit, sizes.images), 1);
    if (columns == 0) return;
    const double cell = std::max(best.width(), sizes.number), pitch = std::min((area.width() + beside) / columns, cell + 3 * beside);
    for (int i = 0; i < count; ++i) {
        const double x = area.left() + (i % columns) * pitch, y = top + (i / columns) * (best.height() + sizes.line + beside);
        NeuronGeometry::Image image;
        image.picture = QRectF(QPointF(std::round(x), std::round(y)), best);
        image.number = QRectF(image.picture.left(), image.picture.bottom() + 1, cell, sizes.line);
        g.strongest = g.strongest.united(image.all());
        g.images.push_back(image);
    }
    g.images_heading = QRectF(area.left(), area.top(), area.width(), sizes.heading);
}

void lay_out_bars(NeuronGeometry& g, const QRectF& area, const NeuronSizes& sizes) {
    const double top = area.top() + sizes.heading + above, bottom = area.bottom() - sizes.line;
    if (bottom - top < least_plot || area.width() < sizes.axis + 60 || sizes.neurons < 1) return;
    double left = area.left();
    const QSizeF size = image_size(56, std::min(56.0, bottom - top), sizes);
    if (area.width() >= 260 && size.width() >= least_image) {
        g.chosen = QRectF(QPointF(left, std::round(top)), size);
        left = g.chosen.right() + beside;
    }
    g.axis = QRectF(left, top, sizes.axis, bottom - top);
    g.plot = QRectF(QPointF(g.axis.right() + 6, top), QPointF(area.right(), bottom));
    g.shown = std::min<Dim>(sizes.neurons, static_cast<Dim>(g.plot.width() / least_slot));
    g.slot = std::min(widest_slot, g.plot.width() / static_cast<double>(g.shown));
    g.plot.setWidth(g.slot * static_cast<double>(g.shown));
    g.first = std::clamp<Dim>(sizes.selected - g.shown / 2, 0, sizes.neurons - g.shown);
    g.indices = QRectF(g.plot.left(), bottom, g.plot.width(), sizes.line);
    g.answers = QRectF(QPointF(area.left(), top), QPointF(std::max(g.plot.right(), g.chosen.right()), area.bottom()));
    g.bars_heading = QRectF(area.left(), area.top(), area.width(), sizes.heading);
}

} // namespace

QRectF NeuronGeometry::images_cover() const {
    QRectF out = strongest.adjusted(-1, -1, 0, 2); // numbers hang a little
    out.setRight(std::max(out.right(), images_heading.right()));
    if (legend.width() > legend.height()) out.setBottom(std::max(out.bottom(), weights.bottom() + 1)); // below there is nothing
    return out;
}

QRectF NeuronGeometry::bars_cover() const { return answers.united(bars_heading).adjusted(-1, 0, 0, 0); }

QRectF NeuronGeometry::slot_of(Dim neuron) const {
    if (neuron < first || neuron >= first + shown) return {};
    return {plot.left() + slot * static_cast<double>(neuron - first), plot.top(), slot, plot.height()};
}

Dim NeuronGeometry::neuron_at(QPointF point) const {
    if (shown == 0 || point.x() < plot.left() || point.x() >= plot.right() || point.y() < plot.top() || point.y() > indices.bottom()) return -1;
    return std::min(first + static_cast<Dim>((point.x() - plot.left()) / slot), first + shown - 1);
}

int NeuronGeometry::image_at(QPointF point) const {
    for (std::size_t i = 0; i < images.size(); ++i)
        if (images[i].all().contains(point)) return static_cast<int>(i);
    return -1;
}

NeuronGeometry lay_out_neuron(const QRectF& area, const NeuronSizes& sizes) {
    NeuronGeometry g;
    if (area.width() < 60 || area.height() < 60) return g;
    const double bars = sizes.line + sizes.heading + above; // what bars need beside their plot
    const bool wide = area.width() >= 1.3 * area.height() && area.width() >= 340;
    const bool has_bars = area.height() >= bars + least_plot + sizes.heading + above + least_image + sizes.line + gap;
    const double below = has_bars ? std::max(bars + (wide ? 56 : least_plot), std::floor(area.height() * (wide ? 0.3 : 0.38))) : 0;
    if (sizes.few && !wide) {
        lay_out_large_weights(g, area, sizes);
        if (!g.weights.isNull()) {
            const double bottom = g.legend.bottom();
            lay_out_images(g, QRectF(QPointF(g.weights.right() + gap, area.top()), QPointF(area.right(), bottom)), sizes);
            lay_out_bars(g, QRectF(QPointF(area.left(), bottom + gap), area.bottomRight()), sizes);
            return g;
        }
    }
    QRectF upper = area;
    if (has_bars) upper.setBottom(area.bottom() - below - gap);
    lay_out_weights(g, wide ? area : upper, sizes);
    QRectF right = upper;
    if (!g.legend.isNull()) right.setLeft(g.legend.right() + gap);
    lay_out_images(g, right, sizes);
    if (!has_bars) return g;
    QRectF lower(QPointF(wide ? right.left() : area.left(), upper.bottom() + gap), area.bottomRight());
    if (!g.strongest.isNull()) // what the images leave is the bars'
        lower.setTop(wide ? g.strongest.bottom() + gap : std::max(g.strongest.bottom(), g.weights.bottom()) + gap);
    lay_out_bars(g, lower, sizes);
    return g;
}

} // namespace gradus
