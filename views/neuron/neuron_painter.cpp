#include "views/neuron/neuron_painter.hpp"

#include "views/derive/test_image.hpp"
#include "views/neuron/neuron_words.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

void paint_heading(QPainter& painter, const QRectF& box, const QString& words, const Theme& theme) {
    if (box.isNull()) return;
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink2);
    draw_text(painter, box, Qt::AlignLeft | Qt::AlignTop, TextMetrics(painter.font()).elidedText(words, Qt::ElideRight, box.width()));
}

QString longest_that_fits(const QRectF& box, const QString& in_full, const QString& in_brief) {
    return TextMetrics(text_font(metrics::small_text)).horizontalAdvance(in_full) <= box.width() ? in_full : in_brief;
}

void paint_image(QPainter& painter, const QRectF& where, const QImage& image, const Theme& theme) {
    painter.drawImage(where, image);
    painter.setPen(QPen(theme.ink3, 1)); // its edges may have the panel's own shade
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(where.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void paint_weights(QPainter& painter, const NeuronPicture& picture, const Theme& theme) {
    const NeuronGeometry& g = picture.geometry;
    if (g.weights.isNull()) return;
    paint_heading(painter, g.weights_heading, neuron_words::weights_heading(picture), theme);
    const ColorMap map = signed_map(theme, picture.end);
    paint_image(painter, g.weights, picture.weights_image(map, theme.fault), theme);
    const bool lies = g.legend.width() > g.legend.height();
    QImage bar(lies ? 256 : 1, lies ? 1 : 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) bar.setPixel(lies ? i : 0, lies ? 0 : 255 - i, map.entries[static_cast<std::size_t>(i)]);
    const QRectF strip(g.legend.topLeft(), lies ? QSizeF(g.legend.width(), 10) : QSizeF(10, g.legend.height()));
    paint_image(painter, strip, bar, theme);
    painter.setFont(small_mono());
    painter.setPen(theme.ink2);
    if (lies) {
        const QRectF words(strip.left(), strip.bottom(), strip.width(), g.legend.bottom() - strip.bottom());
        draw_text(painter, words, Qt::AlignLeft | Qt::AlignBottom, neuron_words::number(-picture.end));
        draw_text(painter, words, Qt::AlignHCenter | Qt::AlignBottom, QStringLiteral("0"));
        draw_text(painter, words, Qt::AlignRight | Qt::AlignBottom, neuron_words::number(picture.end));
        return;
    }
    const double capital = TextMetrics(painter.font()).capHeight(), x = strip.right() + 5;
    draw_text(painter, QPointF(x, strip.top() + capital + 2), neuron_words::number(picture.end));
    draw_text(painter, QPointF(x, strip.bottom()), neuron_words::number(-picture.end));
    if (strip.height() > 5 * capital) draw_text(painter, QPointF(x, strip.center().y() + capital / 2), QStringLiteral("0"));
}

void paint_images(QPainter& painter, const NeuronPicture& picture, const Theme& theme) {
    const NeuronGeometry& g = picture.geometry;
    paint_heading(painter, g.images_heading, longest_that_fits(g.images_heading, neuron_words::images_heading(picture), neuron_words::images_heading_in_brief(picture)), theme);
    for (std::size_t i = 0; i < g.images.size(); ++i) {
        const Dim example = picture.strongest[i];
        const bool chosen = example == picture.example && !picture.secret;
        paint_image(painter, g.images[i].picture, test_image(*picture.field->wish.data, example), theme);
        if (chosen) paint_neuron_outline(painter, g.images[i].picture.adjusted(-2, -2, 2, 2), theme, 2);
        painter.setFont(small_mono(chosen ? QFont::Bold : QFont::Normal));
        const double z = picture.answers().z_of(example, picture.neuron);
        painter.setPen(std::isfinite(z) ? theme.ink : theme.fault);
        draw_text(painter, g.images[i].number.adjusted(0, 3, 0, 3), Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip, neuron_words::number(z));
    }
}

/// Neurons' numbers below their bars: the selected one, and as many others as stand clear of it and each other.
void paint_indices(QPainter& painter, const NeuronPicture& picture, const Theme& theme) {
    const NeuronGeometry& g = picture.geometry;
    const TextMetrics bold(small_mono(QFont::Bold));
    const double widest = bold.horizontalAdvance(QString::number(g.first + g.shown - 1)) + 6;
    Dim every = 1;
    for (const Dim step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000})
        if (every = step; g.slot * static_cast<double>(step) >= widest) break;
    const double selected = g.slot_of(picture.neuron).center().x();
    for (Dim i = g.first; i < g.first + g.shown; ++i) {
        const bool here = i == picture.neuron;
        const double x = g.slot_of(i).center().x();
        if (!here && (i % every != 0 || std::abs(x - selected) < widest)) continue;
        painter.setFont(small_mono(here ? QFont::Bold : QFont::Normal));
        painter.setPen(here ? theme.ink : theme.ink2);
        const QString text = QString::number(i);
        const double width = TextMetrics(painter.font()).horizontalAdvance(text);
        draw_text(painter, QPointF(x - width / 2, g.indices.bottom() - 3), text);
    }
}

void paint_bars(QPainter& painter, const NeuronPicture& picture, const Theme& theme) {
    const NeuronGeometry& g = picture.geometry;
    if (g.plot.isNull()) return;
    paint_heading(painter, g.bars_heading, longest_that_fits(g.bars_heading, neuron_words::bars_heading(picture), neuron_words::bars_heading_in_brief(picture)), theme);
    if (!g.chosen.isNull()) paint_image(painter, g.chosen, test_image(*picture.field->wish.data, picture.example), theme);
    const double zero = std::round(picture.bar_y(0));
    painter.setFont(small_mono());
    painter.setPen(theme.ink2);
    const double capital = TextMetrics(painter.font()).capHeight();
    const auto label = [&](double value, double base) {
        const QString text = value == 0 ? QStringLiteral("0") : neuron_words::number(value);
        draw_text(painter, QPointF(g.axis.right() - TextMetrics(painter.font()).horizontalAdvance(text), base), text);
    };
    const double top = g.plot.top() + capital, bottom = g.plot.bottom(), middle = std::clamp(zero + capital / 2, top, bottom);
    if (picture.greatest > 0 && (middle - top > capital + 3)) label(picture.greatest, top);
    if (picture.least < 0 && (bottom - middle > capital + 3)) label(picture.least, bottom);
    label(0, middle);
    for (Dim i = g.first; i < g.first + g.shown; ++i) {
        const double z = picture.answers().z_of(picture.example, i);
        if (std::isfinite(z)) {
            painter.fillRect(picture.bar_of(i), theme.data);
            continue;
        }
        painter.setPen(theme.fault);
        draw_text(painter, QRectF(g.slot_of(i).left() - 10, zero - 20, g.slot + 20, 20), Qt::AlignCenter, QStringLiteral("✕"));
    }
    painter.setPen(QPen(theme.ink2, 1));
    painter.drawLine(QPointF(g.plot.left(), zero + 0.5), QPointF(g.plot.right(), zero + 0.5));
    paint_neuron_outline(painter, g.slot_of(picture.neuron).adjusted(0.5, -2, -0.5, 2), theme, 2);
    paint_indices(painter, picture, theme);
}

} // namespace

void paint_neuron_outline(QPainter& painter, const QRectF& rect, const Theme& theme, double width) {
    if (rect.isNull()) return;
    painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, pen] : {std::pair(theme.surface, width + 2), std::pair(theme.ink, width)}) {
        painter.setPen(QPen(colour, pen));
        painter.drawRect(rect);
    }
}

void paint_neuron(QPainter& painter, const NeuronPicture& picture, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    paint_weights(painter, picture, theme);
    paint_images(painter, picture, theme);
    paint_bars(painter, picture, theme);
}

} // namespace gradus
