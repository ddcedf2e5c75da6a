#include "views/valley/valley_painter.hpp"

#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using Kind = ObjectiveConstants::Kind;
constexpr double furthest = 1e5;    // pixels: nothing is painted farther away

void paint_arrow(QPainter& painter, const QLineF& line, const QColor& colour, double width, double head) {
    const double length = line.length();
    if (!(length > 1) || !std::isfinite(length)) return;
    const double tip = std::min(head, length);
    const QPointF along = (line.p2() - line.p1()) / length, aside(-along.y(), along.x());
    const QPointF end = line.p1() + along * std::min(length, furthest);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    if (length > tip) painter.drawLine(line.p1(), end - along * (tip - 1));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({end, end - along * tip + aside * (0.5 * tip), end - along * tip - aside * (0.5 * tip)}));
}

double end_radius(const ValleyGeometry& g) { return std::max(3.0, g.dot); } // of a future
QFont future_font() { return text_font(metrics::text - 1); }

/// Words on a thread of surface, so that they can be read over a fine line.
void paint_words(QPainter& painter, const QRectF& box, const QString& words, const QColor& colour, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(box.adjusted(-3, 0, 3, 0), 3, 3);
    painter.setPen(colour);
    draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, words);
}

QSizeF size_of(const QString& words) {
    const TextMetrics fm(valley_font());
    return {fm.horizontalAdvance(words), fm.height()};
}

/// As many as their numbers have room.
std::vector<double> ticks_across(const ValleyGeometry& g, const TextMetrics& fm) {
    constexpr double between = 14; // pixels
    for (int most = 9; most > 2; --most) {
        const auto ticks = round_ticks(g.range.left, g.range.right, most);
        double widest = 0;
        for (const double tick : ticks) widest = std::max(widest, fm.horizontalAdvance(valley_words::tick(tick)));
        if (ticks.size() < 2 || widest + between <= g.at(ticks[1], 0).x() - g.at(ticks[0], 0).x()) return ticks;
    }
    return round_ticks(g.range.left, g.range.right, 2);
}

void paint_axes(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    const QRectF& plot = g.plot;
    painter.setPen(QPen(theme.ink3, 1));
    if (scene.kind == Kind::parabola) {
        painter.drawLine(plot.bottomLeft(), plot.bottomRight());
        painter.setPen(QPen(theme.line, 1));
        painter.drawLine(plot.bottomLeft(), plot.topLeft());
    } else {
        painter.setPen(QPen(theme.line, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plot);
    }
    if (!g.axes) return;
    painter.setFont(valley_font());
    painter.setPen(theme.ink);
    draw_text(painter, g.across_name, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, valley_words::across(scene.kind));
    draw_text(painter, g.up_name, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, valley_words::up(scene.kind));
    painter.setFont(mono_font(metrics::small_text));
    const TextMetrics fm(painter.font());
    const double line = fm.height(), numbers_top = plot.bottom() + g.lane + 5;
    for (const double tick : ticks_across(g, fm)) {
        const double x = g.at(tick, g.range.bottom).x();
        const QString text = valley_words::tick(tick);
        const double half = fm.horizontalAdvance(text) / 2;
        painter.setPen(QPen(theme.ink3, 1));
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
        const QRectF box(x - half, numbers_top, 2 * half, line);
        if (box.adjusted(0, 0, 6, 0).intersects(g.across_name)) continue;
        painter.setPen(theme.ink2);
        draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, text);
    }
    for (const double tick : round_ticks(g.range.bottom, g.range.top, std::clamp(static_cast<int>(plot.height() / (2.4 * line)), 3, 7))) {
        const double y = g.at(g.range.left, tick).y();
        painter.setPen(QPen(theme.ink3, 1));
        painter.drawLine(QPointF(plot.left() - 4, y), QPointF(plot.left(), y));
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(plot.left() - 8 - 200, y - line / 2, 200, line), Qt::AlignRight | Qt::AlignVCenter, valley_words::tick(tick));
    }
}

void paint_field(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    if (!scene.field) return;
    if (scene.kind == Kind::parabola) {
        QPolygonF curve;
        for (const QPointF& place : scene.field->curve)
            if (std::isfinite(place.y())) curve << g.at(place.x(), place.y());
        painter.setPen(QPen(theme.ink, 1.8 * g.stroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(curve);
        return;
    }
    std::vector<QLineF> lines;
    lines.reserve(scene.field->contours.size());
    for (const QLineF& piece : scene.field->contours) lines.emplace_back(g.at(piece.x1(), piece.y1()), g.at(piece.x2(), piece.y2()));
    painter.setClipRect(g.plot.adjusted(0.5, 0.5, -0.5, -0.5), Qt::IntersectClip); // a ring ends at the frame
    painter.setPen(QPen(theme.ink3, 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    if (scene.kind != Kind::bowl) return;
    const QPointF middle = g.at(0, 0);
    painter.drawLine(middle - QPointF(4, 0), middle + QPointF(4, 0));
    painter.drawLine(middle - QPointF(0, 4), middle + QPointF(0, 4));
}

QPointF pixel_of(const ValleyPlace& place, Kind kind, const ValleyGeometry& g) {
    return kind == Kind::parabola ? g.at(place.w[0], place.f) : g.at(place.w[0], place.w[1]);
}

void paint_trail(QPainter& painter, const std::vector<ValleyPlace>& trail, Kind kind, const ValleyGeometry& g, const QColor& colour, bool filled,
                 const Theme& theme) {
    QPolygonF path;
    for (const ValleyPlace& place : trail) {
        const QPointF pixel = pixel_of(place, kind, g);
        if (std::isfinite(pixel.x()) && std::isfinite(pixel.y()) && std::hypot(pixel.x(), pixel.y()) < furthest) path << pixel;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, g.stroke, Qt::SolidLine, Qt::FlatCap));
    painter.drawPolyline(path);
    painter.setBrush(filled ? colour : theme.surface);
    if (filled) painter.setPen(QPen(theme.surface, 1.2)); // a rim: where they crowd one still counts them
    for (const QPointF& pixel : path)
        if (g.holds(pixel)) painter.drawEllipse(pixel, g.dot, g.dot);
}

/// The pixel, or one beyond the plot's edge on the same side.
QPointF kept_near(QPointF pixel) { return {pixel.x(), std::clamp(pixel.y(), -furthest, furthest)}; }

void paint_points(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    if (g.labels && scene.line.size() == scene.points.size()) {
        std::vector<QLineF> residuals;
        for (std::size_t i = 0; i < scene.points.size(); ++i)
            if (std::isfinite(scene.line[i].y()))
                residuals.emplace_back(g.at(scene.points[i].x(), scene.points[i].y()), kept_near(g.at(scene.line[i].x(), scene.line[i].y())));
        painter.setPen(QPen(theme.ink3, g.stroke > 1 ? 0.5 : 1, Qt::SolidLine, Qt::FlatCap)); // hairlines, also where all is larger
        painter.drawLines(residuals.data(), static_cast<int>(residuals.size()));
    }
    painter.setPen(QPen(theme.surface, 1));
    painter.setBrush(theme.data);
    for (const QPointF& point : scene.points) painter.drawEllipse(g.at(point.x(), point.y()), g.point, g.point);
    if (const auto ends = ends_of(scene.line)) {
        painter.setPen(QPen(theme.parameter, 2.4 * g.stroke, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(kept_near(g.at(ends->x1(), ends->y1())), kept_near(g.at(ends->x2(), ends->y2())));
    }
}

void paint_ring(QPainter& painter, QPointF pixel, const ValleyGeometry& g, const Theme& theme) {
    painter.setBrush(theme.surface);
    painter.setPen(QPen(theme.ink, 2 * g.stroke));
    painter.drawEllipse(pixel, g.ring, g.ring);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ink);
    painter.drawEllipse(pixel, 0.35 * g.ring, 0.35 * g.ring);
}

/// Of a bowl's two arrows; their numbers stand above the picture.
void paint_arrow_names(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    const ValleyWalk& walk = scene.walk;
    const ValleyPlace& at = *walk.here;
    const QPointF pixel = pixel_of(at, scene.kind, g);
    if (!g.holds(pixel)) return;
    struct Named {
        QLineF arrow;
        QString name;
        QColor colour;
    };
    std::vector<Named> arrows;
    if (walk.slope)
        arrows.push_back({g.uphill(at.w[0], at.w[1], (*walk.slope)[0], (*walk.slope)[1], walk.first_slope), QStringLiteral("∂w"), theme.gradient});
    if (walk.next) {
        const QPointF to = g.at((*walk.next)[0], (*walk.next)[1]);
        if (g.holds(to)) arrows.push_back({{pixel, to}, QStringLiteral("−η·∂w"), theme.optimizer});
    }
    std::vector<QRectF> taken{QRectF(pixel - QPointF(g.ring + 2, g.ring + 2), QSizeF(2 * g.ring + 4, 2 * g.ring + 4))};
    for (const Named& named : arrows)
        for (const QRectF& box : boxes_of(named.arrow, g.head / 2 + 1)) taken.push_back(box);
    for (const Named& named : arrows) {
        if (named.arrow.length() < g.ring + g.head) continue; // the ring hides it
        const QRectF box = g.name_of(named.arrow, size_of(named.name), taken);
        if (box.isNull()) continue;
        paint_words(painter, box, named.name, named.colour, theme);
        taken.push_back(box.adjusted(-3, 0, 3, 0));
    }
}

/// Slope, update and point; words beside them where there is room.
void paint_step(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    const ValleyWalk& walk = scene.walk;
    const double head = g.head;
    if (walk.here && std::isfinite(walk.here->f)) {
        const ValleyPlace& at = *walk.here;
        const QPointF pixel = pixel_of(at, scene.kind, g);
        const bool bowl = scene.kind == Kind::bowl && g.holds(pixel);
        const std::optional<QPointF> landing = walk.next && scene.landing ? std::optional(g.at((*walk.next)[0], *scene.landing)) : std::nullopt;
        const bool lands = landing && g.holds(*landing);
        painter.save();
        painter.setClipRect(scene.kind == Kind::parabola ? g.plot.adjusted(-1, -1, 1, head) : g.plot.adjusted(0.5, 0.5, -0.5, -0.5));
        if (scene.kind == Kind::parabola && g.holds(pixel)) {
            painter.setPen(QPen(theme.ink3, 1, Qt::DashLine, Qt::FlatCap));
            painter.drawLine(pixel, g.at(at.w[0], 0));
            if (lands) painter.drawLine(*landing, g.at((*walk.next)[0], 0));
        }
        if (walk.slope && scene.kind == Kind::parabola && g.holds(pixel)) {
            painter.save();
            painter.setClipRect(g.plot.adjusted(-1, -1, 1, 1)); // below the axis stands the update's number
            painter.setPen(QPen(theme.gradient, 2.6 * g.stroke, Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(g.tangent(at.w[0], at.f, (*walk.slope)[0]));
            painter.restore();
        }
        if (walk.slope && bowl)
            paint_arrow(painter, g.uphill(at.w[0], at.w[1], (*walk.slope)[0], (*walk.slope)[1], walk.first_slope), theme.gradient, 2.4 * g.stroke, head);
        if (walk.next && scene.kind == Kind::parabola) paint_arrow(painter, g.update(at.w[0], (*walk.next)[0]), theme.optimizer, 3 * g.stroke, head);
        if (walk.next && bowl)
            paint_arrow(painter, {pixel, g.at((*walk.next)[0], (*walk.next)[1])}, theme.optimizer, 2.6 * g.stroke, head);
        if (lands) {
            painter.setPen(QPen(theme.ink2, g.stroke));
            painter.setBrush(theme.surface);
            painter.drawEllipse(*landing, g.dot + 1, g.dot + 1);
        }
        painter.restore();
    }
    painter.setFont(valley_font());
    if (const auto& point = scene.point()) {
        const QPointF pixel = pixel_of(*point, scene.kind, g);
        if (g.holds(pixel)) paint_ring(painter, pixel, g, theme);
        else if (const auto edge = g.beyond(pixel)) {
            paint_arrow(painter, *edge, theme.ink, 2 * g.stroke, head);
            const QString words = valley_words::place(scene.kind, *point).section(QStringLiteral(", "), 0, scene.kind == Kind::parabola ? 0 : 1);
            const QSizeF size = size_of(words);
            if (size.width() + 40 < g.plot.width()) {
                QRectF box(edge->p1() - QPointF(size.width() + 6, size.height() / 2), size);
                if (edge->dx() < 0) box.moveLeft(edge->p1().x() + 6);
                if (edge->dx() == 0) box.moveTo(edge->p1().x() - size.width() / 2, edge->dy() < 0 ? edge->p1().y() + 4 : edge->p1().y() - size.height() - 4);
                box.moveLeft(std::clamp(box.left(), g.plot.left() + 4, g.plot.right() - 4 - box.width()));
                paint_words(painter, box, words, theme.ink, theme);
            }
        }
    }
    if (!g.labels || scene.kind == Kind::line || !walk.here || !std::isfinite(walk.here->f)) return;
    if (scene.kind == Kind::bowl) return paint_arrow_names(painter, scene, g, theme);
    const QPointF pixel = pixel_of(*walk.here, scene.kind, g);
    if (walk.slope && g.holds(pixel)) {
        QString words = valley_words::tr("slope %1").arg(valley_words::slope(scene.kind, *walk.slope));
        if (size_of(words).width() > 0.4 * g.plot.width()) words = valley_words::slope(scene.kind, *walk.slope);
        paint_words(painter, g.beside(pixel, size_of(words)), words, theme.gradient, theme);
    }
    if (walk.next) {
        const QString words = valley_words::step(scene.kind, walk.here->w, *walk.next);
        const QSizeF size = size_of(words);
        const bool finite = std::isfinite((*walk.next)[0]);
        const QPointF middle = finite ? g.update(walk.here->w[0], (*walk.next)[0]).center() : QPointF(g.plot.center().x(), g.plot.bottom());
        QRectF box(middle - QPointF(size.width() / 2, -g.ring - 2), size);
        box.moveLeft(std::clamp(box.left(), g.plot.left(), std::max(g.plot.left(), g.plot.right() - size.width())));
        paint_words(painter, box, words, finite ? theme.optimizer : theme.fault, theme);
    }
}

/// Over its end, where it has no place of its own, and over the names that stand there; where there is no room they give way.
void add_name_over(std::vector<FutureName>& names, const ValleyScene& scene, const ValleyGeometry& g, std::size_t future) {
    const QPointF end = scene.futures[future].back();
    const QSizeF size = size_of(scene.future_names[future]);
    QRectF box(end - QPointF(size.width() / 2, g.ring + 6 + size.height()), size);
    if (box.top() < g.plot.top()) box.moveTop(end.y() + g.ring + 6);
    box.moveLeft(std::clamp(box.left(), g.plot.left(), std::max(g.plot.left(), g.plot.right() - size.width())));
    const auto in_the_way = [&](const QRectF& place) {
        return std::find_if(names.begin(), names.end(), [&](const FutureName& name) { return name.rect.intersects(place); });
    };
    QRectF over = box;
    for (auto name = in_the_way(over); name != names.end() && over.top() >= g.plot.top(); name = in_the_way(over))
        over.moveBottom(name->rect.top() - 1);
    if (over.top() >= g.plot.top()) box = over;
    else std::erase_if(names, [&](const FutureName& name) { return name.rect.intersects(box); });
    names.push_back({future, box, {}});
}

void paint_futures(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    std::vector<FutureName> names = future_names(scene, g);
    const auto is_chosen = [&](std::size_t future) { return scene.chosen == static_cast<int>(future); };
    const auto chosen = static_cast<std::size_t>(std::max(0, scene.chosen));
    if (scene.chosen >= 0 && chosen < scene.futures.size() && !scene.futures[chosen].empty() &&
        std::none_of(names.begin(), names.end(), [&](const FutureName& name) { return is_chosen(name.future); }))
        add_name_over(names, scene, g, chosen);
    painter.setPen(QPen(theme.ink3, 1, Qt::DotLine));
    for (const FutureName& name : names)
        if (!name.leader.isNull()) painter.drawLine(name.leader);
    if (const auto& here = scene.walk.here; here && scene.kind != Kind::line)
        if (const QPointF pixel = pixel_of(*here, scene.kind, g); g.holds(pixel)) paint_ring(painter, pixel, g, theme);
    painter.save();
    painter.setClipRect(g.plot.adjusted(-8, -8, 8, 8));
    for (std::size_t i = 0; i < scene.futures.size(); ++i) {
        const auto& places = scene.futures[i];
        const double radius = is_chosen(i) ? g.ring : end_radius(g);
        painter.setPen(QPen(is_chosen(i) ? theme.ink : theme.ink3, (is_chosen(i) ? 2.4 : 1.2) * g.stroke));
        painter.setBrush(theme.surface);
        if (places.size() == 2) painter.drawLine(places[0], places[1]);
        else if (places.size() == 1) painter.drawEllipse(places[0], radius, radius);
    }
    painter.restore();
    painter.setFont(future_font());
    for (const FutureName& name : names) {
        const bool strong = is_chosen(name.future) || scene.now == static_cast<int>(name.future);
        if (strong) painter.setFont(valley_font());
        paint_words(painter, name.rect, scene.future_names[name.future], strong ? theme.ink : theme.ink2, theme);
        painter.setFont(future_font());
    }
}

} // namespace

std::optional<QLineF> ends_of(const std::vector<QPointF>& line) {
    if (line.empty()) return std::nullopt;
    const auto [first, last] = std::minmax_element(line.begin(), line.end(), [](QPointF a, QPointF b) { return a.x() < b.x(); });
    if (!std::isfinite(first->y()) || !std::isfinite(last->y())) return std::nullopt;
    return QLineF(*first, *last);
}

/// As wide as the strong face needs, whichever they stand in: what is chosen moves nothing.
std::vector<FutureName> future_names(const ValleyScene& scene, const ValleyGeometry& g) {
    if (!g.labels) return {};
    std::vector<FutureEnd> ends;
    for (std::size_t i = 0; i < std::min(scene.futures.size(), scene.future_names.size()); ++i)
        if (!scene.futures[i].empty()) ends.push_back({i, scene.futures[i].back(), size_of(scene.future_names[i])});
    FanRoom room{g.plot, {}, g.ring, end_radius(g), {}};
    if (scene.field && scene.kind == Kind::parabola)
        for (const QPointF& place : scene.field->curve)
            if (const QPointF pixel = g.at(place.x(), place.y()); g.holds(pixel)) room.line.push_back(pixel);
    if (const auto& here = scene.walk.here; here && scene.kind != Kind::line) room.cursor = pixel_of(*here, scene.kind, g);
    return place_future_names(ends, scene.now, room);
}

void paint_valley(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& g, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    paint_axes(painter, scene, g, theme);
    painter.save();
    painter.setClipRect(g.plot.adjusted(-1, -1, 1, 1));
    if (scene.kind == Kind::line) paint_points(painter, scene, g, theme);
    else paint_field(painter, scene, g, theme);
    if (scene.kind != Kind::line) {
        paint_trail(painter, scene.walk.left, scene.kind, g, theme.ink3, false, theme);
        paint_trail(painter, scene.walk.trail, scene.kind, g, theme.ink2, true, theme);
    }
    painter.restore();
    if (!scene.futures.empty()) paint_futures(painter, scene, g, theme);
    else if (scene.kind != Kind::line) paint_step(painter, scene, g, theme);
    painter.setFont(valley_font());
    const auto readouts = valley_words::readouts(scene.kind, scene.walk);
    const auto places = place_readouts(readouts, g.readouts, TextMetrics(painter.font()).height());
    for (std::size_t i = 0; i < readouts.size(); ++i) {
        if (places[i].isNull() || readouts[i].text.isEmpty()) continue;
        painter.setPen(readouts[i].text.contains(QStringLiteral("✕")) ? theme.fault : theme.hue(readouts[i].role));
        draw_text(painter, places[i], Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(painter.font()).elidedText(readouts[i].text, Qt::ElideRight, places[i].width()));
    }
}

} // namespace gradus
