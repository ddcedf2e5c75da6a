#include "views/plots/fan_painter.hpp"

#include "views/derive/fan_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <cmath>

namespace gradus {

namespace {

void paint_cross(QPainter& painter, QPointF at, const Theme& theme) {
    painter.setPen(QPen(theme.fault, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at - QPointF(4, 4), at + QPointF(4, 4));
    painter.drawLine(at - QPointF(4, -4), at + QPointF(4, -4));
}

enum class Weight : std::uint8_t { other, now, chosen };

void paint_line(QPainter& painter, const FanLine& line, Weight weight, Role role, const Theme& theme) {
    const double width = weight == Weight::other ? 1 : weight == Weight::now ? 1.6 : 2.4;
    const QColor hue = theme.hue(role);
    painter.setPen(QPen(weight == Weight::other && hue == theme.ink ? theme.ink2 : hue, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line.points.data(), static_cast<int>(line.points.size()));
}

/// What stands for the lines of a name: of the chosen one also where it ends.
QString text_of(const Fan& fan, const FanCurves& curves, const FanPicture& picture, const FanName& name) {
    if (!name.holds(fan.chosen)) {
        const FanLine& line = picture.lines[name.first];
        const QString mark = line.broken ? QStringLiteral(" ✕") : line.left ? QStringLiteral(" ↑") : QString();
        return futures_name(fan, name.first, name.last) + mark;
    }
    const auto chosen = static_cast<std::size_t>(fan.chosen);
    const FanLine& line = picture.lines[chosen];
    const auto& curve = curves.curves[chosen];
    return future_name(fan, chosen) + (line.left && !line.broken ? QStringLiteral(" ↑") : QString()) + "  " +
           (line.broken ? QStringLiteral("✕ NaN") : curve.empty() ? QStringLiteral("…") : three_digits(curve.back().value));
}

/// From where its lines end to a name: from the outermost two, if one can tell them apart.
void paint_leaders(QPainter& painter, const Fan& fan, const FanPicture& picture, const FanName& name, const Theme& theme) {
    const QPointF foot(name.rect.left() - 3, name.rect.center().y());
    const auto leader = [&](std::size_t future) {
        const FanLine& line = picture.lines[future];
        painter.drawLine(line.end + QPointF(line.broken ? 7 : 2, 0), foot);
    };
    if (name.holds(fan.chosen)) {
        painter.setPen(QPen(theme.ink, 1));
        return leader(static_cast<std::size_t>(fan.chosen));
    }
    painter.setPen(QPen(theme.ink3, 1, Qt::DotLine)); // it is no curve
    leader(name.first);
    if (std::abs(picture.lines[name.first].end.y() - picture.lines[name.last].end.y()) > 2) leader(name.last);
}

} // namespace

void paint_fan(QPainter& painter, const Fan& fan, const FanCurves& curves, const FanPicture& picture, const QRectF& area,
               Role role, const Theme& theme) {
    const auto weight = [&](std::size_t i) {
        return static_cast<int>(i) == fan.chosen ? Weight::chosen : fan.is_now(i) ? Weight::now : Weight::other;
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    for (const Weight layer : {Weight::other, Weight::now, Weight::chosen})
        for (std::size_t i = 0; i < picture.lines.size(); ++i)
            if (weight(i) == layer) paint_line(painter, picture.lines[i], layer, role, theme);
    painter.restore();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FanName& name : picture.names) {
        const bool chosen = name.holds(fan.chosen), now = name.first == name.last && fan.is_now(name.first);
        paint_leaders(painter, fan, picture, name, theme);
        painter.setFont(mono_font(metrics::small_text, chosen ? QFont::Bold : now ? QFont::DemiBold : QFont::Normal));
        painter.setPen(chosen || now ? theme.ink : theme.ink2);
        const QString text = text_of(fan, curves, picture, name);
        const TextMetrics fm(painter.font());
        const QRectF ground(name.rect.left() - 2, name.rect.center().y() - fm.height() / 2, fm.horizontalAdvance(text) + 4, fm.height());
        painter.fillRect(ground, theme.surface); // no line of the grid through a name
        draw_text(painter, name.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    }
    for (std::size_t i = 0; i < picture.lines.size(); ++i) {
        const FanLine& line = picture.lines[i];
        if (line.broken) paint_cross(painter, line.end, theme);
        else if (weight(i) == Weight::chosen && !line.points.empty()) {
            painter.setPen(QPen(theme.ink, 2));
            painter.setBrush(theme.surface);
            painter.drawEllipse(line.end, 4, 4);
        }
    }
    painter.restore();
}

} // namespace gradus
