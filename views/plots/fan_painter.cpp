#include "views/plots/fan_painter.hpp"

#include "views/derive/fan_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

namespace gradus {

namespace {

void paint_cross(QPainter& painter, QPointF at, const Theme& theme) {
    painter.setPen(QPen(theme.fault, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at - QPointF(4, 4), at + QPointF(4, 4));
    painter.drawLine(at - QPointF(4, -4), at + QPointF(4, -4));
}

void paint_line(QPainter& painter, const FanLine& line, bool chosen, const Theme& theme) {
    painter.setPen(QPen(chosen ? theme.ink : theme.ink2, chosen ? 2.4 : 1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line.points.data(), static_cast<int>(line.points.size()));
}

} // namespace

void paint_fan(QPainter& painter, const Fan& fan, const FanCurves& curves, const FanPicture& picture, const QRectF& area,
               const Theme& theme) {
    const auto chosen = fan.chosen >= 0 ? static_cast<std::size_t>(fan.chosen) : picture.lines.size();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    for (std::size_t i = 0; i < picture.lines.size(); ++i)
        if (i != chosen) paint_line(painter, picture.lines[i], false, theme);
    if (chosen < picture.lines.size()) paint_line(painter, picture.lines[chosen], true, theme);
    painter.restore();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < picture.lines.size(); ++i) {
        const FanLine& line = picture.lines[i];
        const bool bold = i == chosen;
        if (line.labelled) {
            const QPointF foot(line.label.left() - 3, line.label.center().y());
            painter.setPen(QPen(bold ? theme.ink : theme.ink3, 1, bold ? Qt::SolidLine : Qt::DotLine)); // it is no curve
            painter.drawLine(line.end + QPointF(line.broken ? 7 : 2, 0), foot);
            painter.setFont(mono_font(metrics::small_text, bold ? QFont::Bold : QFont::Normal));
            painter.setPen(bold ? theme.ink : theme.ink2);
            QString text = future_name(fan, i);
            const auto& curve = curves.curves[i];
            if (line.left && !line.broken) text += QStringLiteral(" ↑");
            if (bold) text += "  " + (line.broken ? QStringLiteral("✕ NaN") : curve.empty() ? QStringLiteral("…") : three_digits(curve.back().value));
            const TextMetrics fm(painter.font());
            QRectF ground(line.label.left() - 2, line.label.center().y() - fm.height() / 2, fm.horizontalAdvance(text) + 4, fm.height());
            painter.fillRect(ground, theme.surface); // no line of the grid through a name
            draw_text(painter, line.label, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
        }
        if (line.broken) paint_cross(painter, line.end, theme);
        else if (bold && !line.points.empty()) {
            painter.setPen(QPen(theme.ink, 2));
            painter.setBrush(theme.surface);
            painter.drawEllipse(line.end, 4, 4);
        }
    }
    painter.restore();
}

} // namespace gradus
