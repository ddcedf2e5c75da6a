#include "views/folds/fold_matrix_painter.hpp"

#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr Dim largest_shown = 128; // rows or columns: of more, a box shows nothing that could be told apart

QImage image_of(const Tensor& tensor, const ColorMap& map, const QColor& fault) {
    if (!tensor.defined() || tensor.shape().rank() != 2) return {};
    const Dim rows = tensor.shape()[0], columns = tensor.shape()[1];
    if (rows < 1 || columns < 1 || rows > largest_shown || columns > largest_shown) return {};
    QImage out(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_RGB32);
    for (Dim r = 0; r < rows; ++r) {
        auto* line = reinterpret_cast<QRgb*>(out.scanLine(static_cast<int>(r)));
        for (Dim c = 0; c < columns; ++c) {
            const double value = tensor.at(r * columns + c);
            line[c] = std::isfinite(value) ? map.at(value) : fault.rgb();
        }
    }
    return out;
}

/// What stands at the two ends of the colours, as in the tensor view.
std::pair<QString, QString> legend_ends(double end, bool clips) {
    if (!clips) return {three_digits(-end), three_digits(end)};
    return {QStringLiteral("≤ ") + three_digits(-end), QStringLiteral("≥ ") + three_digits(end)};
}

QFont number_font() { return mono_font(metrics::small_text); }

void paint_numbers(QPainter& painter, const QRectF& where, const Tensor& numbers, const QImage& image, const Theme& theme) {
    const Dim rows = numbers.shape()[0], columns = numbers.shape()[1];
    const double width = where.width() / static_cast<double>(columns), height = where.height() / static_cast<double>(rows);
    const TextMetrics fm(number_font());
    if (height < fm.height() || width < fm.horizontalAdvance(QStringLiteral("0.00"))) return;
    std::vector<QString> texts;
    double widest = 0;
    for (const bool compact : {false, true}) { // all in one way: ".061" where one "0.0610" has no room
        texts.clear();
        widest = 0;
        for (Dim i = 0; i < numbers.elements(); ++i) {
            texts.push_back(three_digits(numbers.at(i)));
            if (compact && (texts.back().startsWith("0.") || texts.back().startsWith("−0."))) texts.back().remove(texts.back().indexOf('0'), 1);
            widest = std::max(widest, fm.horizontalAdvance(texts.back()));
        }
        if (widest + 6 <= width) break;
    }
    if (widest + 6 > width) return; // one that is cut would be another number
    painter.setFont(number_font());
    for (Dim r = 0; r < rows; ++r)
        for (Dim c = 0; c < columns; ++c) {
            painter.setPen(readable_on(image.pixel(static_cast<int>(c), static_cast<int>(r)), theme));
            draw_text(painter, QRectF(where.left() + static_cast<double>(c) * width, where.top() + static_cast<double>(r) * height, width, height),
                      Qt::AlignCenter, texts[static_cast<std::size_t>(r * columns + c)]);
        }
}

} // namespace

FoldImages fold_images(const FoldPicture& picture, const Theme& theme) {
    FoldImages out;
    if (!picture.result) return out;
    const ColorMap map = signed_map(theme, picture.end()), folded = signed_map(theme, picture.folded_end());
    for (const Tensor& weight : picture.result->weights) out.weights.push_back(image_of(weight, map, theme.fault));
    for (std::size_t g = 0; g < picture.result->matrices.size(); ++g)
        out.folded.push_back(picture.matrix(g) ? image_of(picture.matrix(g)->matrix, folded, theme.fault) : QImage());
    return out;
}

void paint_fold_matrix(QPainter& painter, const QRectF& box, const FoldMatrixLook& look, const Theme& theme) {
    painter.fillRect(box, theme.parameter_tint);
    const bool image = look.strip > 0 && look.image && !look.image->isNull();
    if (image) {
        const QRectF where = box.adjusted(0, look.strip, 0, 0);
        painter.drawImage(where, *look.image);
        if (look.numbers) paint_numbers(painter, where, *look.numbers, *look.image, theme);
        painter.setPen(QPen(theme.parameter, look.stroke));
        painter.drawLine(where.topLeft(), where.topRight());
    }
    painter.setPen(QPen(theme.parameter, look.stroke));
    painter.setBrush(Qt::NoBrush);
    const double half = look.stroke / 2;
    painter.drawRect(box.adjusted(half, half, -half, -half));
    const QRectF room = image ? QRectF(box.left() + 3, box.top(), box.width() - 6, look.strip) : box.adjusted(3, 0, -3, 0);
    QFont font = look.font;
    while (font.pixelSize() > text_font(metrics::small_text).pixelSize() && TextMetrics(font).horizontalAdvance(look.name) > room.width()) font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.setPen(theme.ink);
    draw_text(painter, room, Qt::AlignCenter, TextMetrics(font).elidedText(look.name, Qt::ElideRight, room.width()));
}

void paint_fold_legend(QPainter& painter, const QRectF& box, double end, bool clips, const Theme& theme) {
    if (box.isNull() || !(end > 0)) return;
    const TextMetrics fm(number_font());
    const auto [below, above] = legend_ends(end, clips);
    const double capital = fm.capHeight(), base = box.center().y() + capital / 2, thick = std::max(8.0, capital);
    painter.setFont(number_font());
    painter.setPen(theme.ink2);
    const double right = box.right() - fm.horizontalAdvance(above);
    draw_text(painter, QPointF(box.left(), base), below);
    draw_text(painter, QPointF(right, base), above);
    const ColorMap map = signed_map(theme, end);
    QImage bar(256, 1, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) bar.setPixel(i, 0, map.entries[static_cast<std::size_t>(i)]);
    const double from = box.left() + fm.horizontalAdvance(below) + 6;
    const QRectF strip(from, std::round(box.center().y() - thick / 2), right - 6 - from, thick);
    painter.drawImage(strip, bar);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(strip.adjusted(-0.5, -0.5, 0.5, 0.5));
}

double fold_legend_width(double end, bool clips) {
    const TextMetrics fm(number_font());
    const auto [below, above] = legend_ends(end, clips);
    return end > 0 ? std::ceil(fm.horizontalAdvance(below) + fm.horizontalAdvance(above) + 12 + 5 * fm.height()) : 0;
}

} // namespace gradus
