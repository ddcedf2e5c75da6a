#include "views/roofline/roofline_painter.hpp"

#include "views/roofline/roofline_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using roofline_words::tr;

QFont label_font() { return text_font(metrics::text - 1); }
QFont tick_font() { return mono_font(metrics::small_text); }
QFont number_font(bool here) { return mono_font(metrics::text - 1, here ? QFont::Bold : QFont::Normal); }

struct Part {
    QString text;
    Provenance provenance = Provenance::computed;
};

double width_of(const Part& part, const QFont& font) {
    const TextMetrics fm(font);
    return part.text.isEmpty() ? 0 : fm.horizontalAdvance(part.text) + provenance_width(part.provenance, fm.capHeight());
}

void paint_part(QPainter& painter, QPointF base, const Part& part, const QFont& font, const QColor& colour) {
    const TextMetrics fm(font);
    painter.setFont(font);
    painter.setPen(colour);
    paint_provenance(painter, base, part.provenance, fm.capHeight(), colour);
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, base + QPointF(provenance_width(part.provenance, fm.capHeight()), 0), part.text);
}

/// What is said of the dot one stands on.
std::vector<Part> told(const RooflineDot& dot, const QString& chip) {
    std::vector<Part> out{{dot.name, Provenance::computed}, {intensity_text(dot), Provenance::counted}};
    if (dot.measured) out.push_back({tr("%1 here").arg(with_prefix(*dot.measured, "FLOP/s")), Provenance::measured});
    if (dot.modelled) out.push_back({tr("%1 on %2").arg(with_prefix(*dot.modelled, "FLOP/s"), chip), Provenance::modelled});
    return out;
}

QString best_text(const RooflineModel& model) { return tr("each sector once: %1").arg(three_digits(model.best.value_or(0)) + QStringLiteral(" FLOP/B")); }

const RooflineDot* here(const RooflineModel& model) {
    for (const RooflineDot& dot : model.dots)
        if (dot.here) return &dot;
    return nullptr;
}

/// A power of ten with its prefix: "10 G".
QString rate_tick(int power) {
    const QString one = with_prefix(std::pow(10, power - power % 3), QString()); // "1.00 G"
    return QString::number(std::lround(std::pow(10, power % 3))) + ' ' + one.section(' ', 1);
}

/// One tick for every decade, or for every few where they are close.
int stride(double pixels, int count, double wanted) { return std::max(1, static_cast<int>(std::ceil(wanted * count / std::max(1.0, pixels)))); }

void paint_axes(QPainter& painter, const RooflineGeometry& g, const Theme& theme, bool sparse) {
    const QFont ticks = tick_font(), names = label_font();
    const TextMetrics fm(ticks);
    const double right = g.plot.right();
    const int across = stride(g.plot.width(), g.x_to - g.x_from, fm.horizontalAdvance(QStringLiteral("10000")) + 12), up = stride(g.plot.height(), g.y_to - g.y_from, fm.height() + 8);
    for (int i = g.x_from; i <= g.x_to; ++i) {
        const double x = std::round(g.x_of(std::pow(10, i))) + 0.5;
        painter.setPen(QPen(theme.line, 1));
        painter.drawLine(QPointF(x, g.plot.top()), QPointF(x, g.plot.bottom()));
        if ((i - g.x_from) % across) continue;
        painter.setPen(theme.ink2);
        painter.setFont(ticks);
        const QString text = decade_label(i);
        const double width = fm.horizontalAdvance(text);
        draw_text(painter, QPointF(std::clamp(x - width / 2, g.plot.left(), std::max(g.plot.left(), right - width)), g.plot.bottom() + fm.ascent() + 4), text);
    }
    for (int i = g.y_from; i <= g.y_to; ++i) {
        const double y = std::round(g.y_of(std::pow(10, i))) + 0.5;
        painter.setPen(QPen(theme.line, 1));
        painter.drawLine(QPointF(g.plot.left(), y), QPointF(right, y));
        if ((i - g.y_from) % up) continue;
        painter.setPen(theme.ink2);
        painter.setFont(ticks);
        const QString text = rate_tick(i);
        const double base = std::max(g.plot.top() + fm.capHeight(), y + fm.capHeight() / 2);
        draw_text(painter, QPointF(g.plot.left() - 8 - fm.horizontalAdvance(text), base), text);
    }
    painter.setFont(names);
    painter.setPen(theme.ink2);
    const QString x_name = sparse ? tr("FLOP per byte") : tr("FLOP per byte asked of global memory");
    const TextMetrics name(names);
    draw_text(painter, QPointF(right - name.horizontalAdvance(x_name), g.plot.bottom() + fm.height() + 4 + name.ascent()), x_name);
    draw_text(painter, QPointF(g.plot.left() + 6, g.plot.top() + name.ascent() + 2), QStringLiteral("FLOP/s"));
}

/// Whether a and b lie on one straight piece of a roof.
bool on_roof(const RooflineGeometry& g, QPointF a, QPointF b) {
    const auto near = [](QPointF point, QPointF from, QPointF to) {
        const QPointF way = to - from;
        const double length = std::hypot(way.x(), way.y()), along = QPointF::dotProduct(point - from, way) / std::max(1.0, length);
        const double aside = (way.x() * (point.y() - from.y()) - way.y() * (point.x() - from.x())) / std::max(1.0, length);
        return std::abs(aside) < 1.5 && along > -1.5 && along < length + 1.5;
    };
    for (const QPolygonF& roof : g.roofs)
        for (qsizetype i = 0; i + 1 < roof.size(); ++i)
            if (near(a, roof[i], roof[i + 1]) && near(b, roof[i], roof[i + 1])) return true;
    return false;
}

/// From dot to dot; where both are on a roof it joins them, and a second dashed line on it would make it look measured.
void paint_path(QPainter& painter, const RooflineGeometry& g, QPointF RooflineGeometry::Dot::*which, const QPen& pen) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    QPointF before;
    for (const RooflineGeometry::Dot& dot : g.dots) {
        const QPointF at = dot.*which;
        if (at.isNull()) continue;
        if (!before.isNull() && !on_roof(g, before, at)) painter.drawLine(before, at);
        before = at;
    }
}

/// Measured: a disc; modelled: a ring. The cursor's mark is one more ring.
void paint_dot(QPainter& painter, QPointF at, bool measured, bool here, const Theme& theme) {
    constexpr double radius = dot_radius;
    if (at.isNull()) return;
    painter.setPen(QPen(theme.ink, 1.6));
    painter.setBrush(measured ? theme.ink : theme.surface);
    painter.drawEllipse(at, radius, radius);
    if (!here) return;
    painter.setPen(QPen(theme.ink, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, radius + 4, radius + 4);
}

} // namespace

QString intensity_text(const RooflineDot& dot) { return three_digits(dot.intensity) + QStringLiteral(" FLOP/B"); }

void lay_out_roofline(RooflinePicture& p, const QRectF& area, bool sparse) {
    RooflineRoom room;
    const TextMetrics tick(tick_font()), label(label_font()), number(number_font(true));
    double widest = 0;
    for (const int power : {6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) widest = std::max(widest, tick.horizontalAdvance(rate_tick(power)));
    room.left = widest + 12;
    room.line = label.lineHeight(QStringLiteral("가"));
    room.bottom = tick.height() + room.line + 8;
    room.dot = dot_radius + 5;
    for (const RooflineRoof& roof : p.model.roofs) {
        const auto size = [&](const QString& text) { return text.isEmpty() ? QSizeF() : QSizeF(width_of({text, roof.provenance}, label_font()) + 1, label.height()); };
        room.slopes.push_back(size(sparse ? roof.slope_brief : roof.slope)), room.flats.push_back(size(sparse ? roof.brief : roof.flat));
    }
    double wide = 0;
    for (const RooflineDot& dot : p.model.dots) wide = std::max(wide, number.horizontalAdvance(dot.label));
    room.label = {wide + 2, number.capHeight() + 4};
    if (p.model.best && !sparse) room.best = {width_of({best_text(p.model), Provenance::counted}, label_font()) + 1, label.height()};
    const double words = room.line + 8;
    const bool tells = here(p.model) && area.height() > 8 * words;
    p.told = tells ? QRectF(area.left(), area.bottom() - words, area.width(), words) : QRectF();
    p.geometry = lay_out_roofline(p.model, room, tells ? area.adjusted(0, 0, 0, -words) : area);
}

void paint_roofline(QPainter& painter, const RooflinePicture& p, const Theme& theme, bool sparse) {
    const RooflineGeometry& g = p.geometry;
    if (g.plot.isNull()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paint_axes(painter, g, theme, sparse);
    constexpr double line = 1.5;
    if (!g.best_top.isNull() && !sparse) {
        painter.setPen(QPen(theme.ink2, 1, Qt::DotLine));
        painter.drawLine(g.best_bottom, g.best_top);
    }
    for (std::size_t i = 0; i < g.roofs.size(); ++i) {
        const RooflineRoof& roof = p.model.roofs[i];
        painter.setPen(QPen(theme.ink2, line, roof.provenance == Provenance::measured ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(g.roofs[i]);
    }
    paint_path(painter, g, &RooflineGeometry::Dot::modelled, QPen(theme.ink3, line / 2, Qt::DashLine));
    paint_path(painter, g, &RooflineGeometry::Dot::measured, QPen(theme.ink3, line / 2));
    for (std::size_t i = 0; i < g.dots.size(); ++i) {
        const bool here = p.model.dots[i].here;
        paint_dot(painter, g.dots[i].modelled, false, here, theme);
        paint_dot(painter, g.dots[i].measured, true, here, theme);
    }
    const TextMetrics label(label_font());
    for (std::size_t i = 0; i < g.roofs.size(); ++i) {
        const RooflineRoof& roof = p.model.roofs[i];
        for (const auto& [box, text] : {std::pair(g.flats[i], sparse ? roof.brief : roof.flat), std::pair(g.slopes[i], sparse ? roof.slope_brief : roof.slope)})
            if (!box.isNull()) paint_part(painter, QPointF(box.left(), box.center().y() + label.capHeight() / 2), {text, roof.provenance}, label_font(), theme.ink2);
    }
    if (!g.best_label.isNull())
        paint_part(painter, QPointF(g.best_label.left(), g.best_label.center().y() + label.capHeight() / 2), {best_text(p.model), Provenance::counted}, label_font(), theme.ink2);
    for (std::size_t i = 0; i < g.dots.size(); ++i)
        for (const QRectF& box : {g.dots[i].measured_label, g.dots[i].modelled_label}) {
            if (box.isNull()) continue;
            painter.setFont(number_font(p.model.dots[i].here));
            painter.setPen(p.model.dots[i].here ? theme.ink : theme.ink2);
            draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, p.model.dots[i].label);
        }
    if (p.told.isNull()) return;
    const QFont font = sparse ? label_font() : text_font(metrics::text);
    double x = p.told.left();
    const double base = p.told.bottom() - 4, gap = 18;
    bool first = true;
    for (const Part& part : told(*here(p.model), p.model.chip)) {
        const QFont with = first ? text_font(metrics::text, QFont::DemiBold) : font;
        if (x + width_of(part, with) > p.told.right()) break;
        paint_part(painter, {x, base}, part, with, theme.ink);
        x += width_of(part, with) + gap;
        first = false;
    }
}

} // namespace gradus
