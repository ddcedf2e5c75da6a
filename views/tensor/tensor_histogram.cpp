#include "views/tensor/tensor_histogram.hpp"

#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
using tensor_words::tr;
constexpr double words_line = 15, caret_height = 7;
} // namespace

QRectF HistogramGeometry::bar(const TensorStatistics& s, std::size_t bin) const {
    const double most = static_cast<double>(*std::max_element(s.bins.begin(), s.bins.end()));
    const double height = most > 0 ? box.height() * std::log1p(static_cast<double>(s.bins[bin])) / std::log1p(most) : 0;
    const double width = box.width() / static_cast<double>(s.bins.size());
    const double gap = width >= 4 ? 1 : 0;
    return QRectF(box.left() + static_cast<double>(bin) * width, box.bottom() - height, width - gap, height);
}

double HistogramGeometry::x_of(const TensorStatistics& s, double value) const {
    if (!(s.high > 0)) return box.left();
    const double share = s.low < 0 ? (value / s.high + 1) / 2 : value / s.high; // the range itself may overflow
    return box.left() + std::clamp(share, 0.0, 1.0) * box.width();
}

QString count_text(const TensorStatistics& s, Dim unwritten) { return tr("%1 values, log count").arg(grouped(s.count - unwritten)); }

QString zeros_text(const TensorStatistics& s) {
    if (s.zeros == 0) return {};
    return s.zeros == 1 ? tr("1 is 0") : tr("%1 are 0").arg(grouped(s.zeros));
}

QString unwritten_text(Dim count) { return count ? tr("%1 not written").arg(grouped(count)) : QString(); }

QString faults_text(const TensorStatistics& s, Dim unwritten) {
    QString text;
    if (s.nans > unwritten) text = grouped(s.nans - unwritten) + " NaN";
    if (s.infinities > 0) text += (text.isEmpty() ? QString() : QString(", ")) + grouped(s.infinities) + " inf";
    return text.isEmpty() ? text : QString(QChar(0x2715)) + ' ' + text;
}

void paint_histogram(QPainter& painter, const TensorScene& scene, std::optional<double> value) {
    const TensorStatistics& s = scene.shown.statistics;
    QRectF room = scene.geometry.histogram;
    if (room.isNull() || s.bins.empty()) return;
    const Theme& theme = scene.theme;
    const Dim unwritten = scene.shown.unwritten_count;
    QStringList others{unwritten_text(unwritten), zeros_text(s)};
    others.removeAll(QString());
    const QString zeros = others.join(QStringLiteral(" · ")), faults = faults_text(s, unwritten);
    const bool third = !zeros.isEmpty() || !faults.isEmpty();
    room.setBottom(room.bottom() - words_line * (third ? 3 : 2) - caret_height);
    const HistogramGeometry histogram{room.adjusted(0, 2, 0, -1)};
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t bin = 0; bin < s.bins.size(); ++bin)
        if (s.bins[bin] > 0) painter.fillRect(histogram.bar(s, bin), theme.hue(scene.shown.model.recorded.role));
    painter.setPen(QPen(theme.ink3, 1));
    painter.drawLine(room.bottomLeft(), room.bottomRight());
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont mono = mono_font(metrics::small_text), text = text_font(metrics::small_text);
    painter.setFont(mono);
    painter.setPen(theme.ink2);
    const TextMetrics fm(mono);
    const double base = room.bottom() + caret_height + words_line - 3;
    const QString low = three_digits(s.low), high = three_digits(s.high);
    draw_text(painter, QPointF(room.left(), base), low);
    draw_text(painter, QPointF(room.right() - fm.horizontalAdvance(high), base), high);
    if (s.low < 0 && fm.horizontalAdvance(low) < room.width() / 2 - 12)
        draw_text(painter, QPointF(room.center().x() - fm.horizontalAdvance("0") / 2, base), "0");
    if (value && std::isfinite(*value)) {
        const double x = histogram.x_of(s, *value), top = room.bottom() + 1;
        const QPointF caret[3] = {{x, top}, {x - 4.5, top + caret_height}, {x + 4.5, top + caret_height}};
        painter.setPen(QPen(theme.surface, 1.5));
        painter.setBrush(theme.ink);
        painter.drawConvexPolygon(caret, 3);
    }
    const auto centred = [&](const QString& words, double at, const QColor& colour, const QFont& font) {
        const TextMetrics metrics(font);
        const QString shown = metrics.elidedText(words, Qt::ElideRight, room.width());
        painter.setFont(font);
        painter.setPen(colour);
        draw_text(painter, QPointF(room.center().x() - metrics.horizontalAdvance(shown) / 2, at), shown);
    };
    centred(count_text(s, unwritten), base + words_line, theme.ink2, text);
    if (faults.isEmpty()) {
        centred(zeros, base + 2 * words_line, theme.ink2, text);
    } else { // a fault is never cut for the zeros
        const TextMetrics wide(text);
        const QString both = zeros.isEmpty() ? faults : faults + QString(" · ") + zeros;
        centred(wide.horizontalAdvance(both) <= room.width() ? both : faults, base + 2 * words_line, theme.fault, text_font(metrics::small_text, QFont::DemiBold));
    }
}

} // namespace gradus
