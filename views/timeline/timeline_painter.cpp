#include "views/timeline/timeline_painter.hpp"

#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using timeline_words::tr;

struct PhaseColours {
    QColor hue, tint;
};

PhaseColours colours_of(Phase phase, const Theme& theme) {
    switch (phase) {
    case Phase::data:
    case Phase::forward: return {theme.data, theme.data_tint};
    case Phase::backward: return {theme.gradient, theme.gradient_tint};
    case Phase::update: return {theme.optimizer, theme.optimizer_tint};
    case Phase::evaluate: break;
    }
    return {theme.ink2, theme.fill};
}

/// Made once per painting: a font that has been used knows its glyphs.
struct Fonts {
    QFont name = text_font(metrics::small_text + 1, QFont::DemiBold), number = mono_font(metrics::small_text);
    TextMetrics name_fm{name}, number_fm{number};
};

/// The name, and under or beside it the time, where they fit whole.
void paint_bar_text(QPainter& painter, const TimelineModel& model, const TimelineBar& bar, const QRectF& box,
                    const QColor& name_colour, const QColor& number_colour, const Fonts& fonts) {
    if (box.width() < 22 || box.height() < 14) return;
    const EventSite& site = model.site_of(bar);
    QString name = event_word(site);
    constexpr double aside = 7; // clear of a neighbour's cursor
    const double room = box.width() - aside - 4;
    if (site.level == Level::op && fonts.name_fm.horizontalAdvance(name) > room) name = QString::fromStdString(site.name);
    const double width = fonts.name_fm.horizontalAdvance(name);
    const QString time = with_prefix(bar.length(), "s", model.clock_step);
    const double time_width = fonts.number_fm.horizontalAdvance(time);
    const double thick = fonts.name_fm.ascent() + fonts.name_fm.descent();
    // A phase has three words that a class must read: upright rather than not at all. Modules and ops are in the table below.
    if (site.level == Level::phase && width > room && box.width() >= thick + 2 && width + 8 <= box.height()) {
        painter.save();
        painter.translate(box.center());
        painter.rotate(-90);
        painter.setFont(fonts.name);
        painter.setPen(name_colour);
        draw_text(painter, QPointF(-width / 2, (fonts.name_fm.ascent() - fonts.name_fm.descent()) / 2), name);
        return painter.restore();
    }
    if (width > room) { // the colour and what lies below it say the phase, but nothing else says how long it took
        if (site.level != Level::phase || time_width > room) return;
        painter.setFont(fonts.number);
        painter.setPen(number_colour);
        return draw_text(painter, QPointF(box.left() + aside, box.center().y() + (fonts.number_fm.ascent() - fonts.number_fm.descent()) / 2), time);
    }
    const bool below = box.height() >= 34 && time_width <= room;
    const bool beside = !below && width + 10 + time_width <= room;
    const double middle = box.center().y() + (fonts.name_fm.ascent() - fonts.name_fm.descent()) / 2;
    painter.setFont(fonts.name);
    painter.setPen(name_colour);
    draw_text(painter, QPointF(box.left() + aside, below ? middle - 8 : middle), name);
    if (!below && !beside) return;
    painter.setFont(fonts.number);
    painter.setPen(number_colour);
    draw_text(painter, QPointF(box.left() + aside + (below ? 0 : width + 10), below ? middle + 8 : middle), time);
}

/// Several bars too narrow to be told apart: hatched, with their number where there is room.
void paint_joined(QPainter& painter, const TimelineItem& item, const PhaseColours& colours, const Fonts& fonts, const Theme& theme) {
    painter.fillRect(item.rect, colours.tint);
    painter.fillRect(item.rect, QBrush(colours.hue, item.rect.width() > 4 ? Qt::BDiagPattern : Qt::SolidPattern));
    const QString count = QString::number(item.count);
    const double width = fonts.number_fm.horizontalAdvance(count) + 6;
    if (item.rect.width() < width + 8 || item.rect.height() < 14) return;
    QRectF ground(0, 0, width, 14);
    ground.moveCenter(item.rect.center());
    painter.fillRect(ground, theme.surface);
    painter.setFont(fonts.number);
    painter.setPen(theme.ink);
    draw_text(painter, ground, Qt::AlignCenter, count);
}

void paint_item(QPainter& painter, const TimelineModel& model, const TimelineItem& item, const Fonts& fonts, const Theme& theme) {
    const TimelineLane& lane = model.lanes[item.lane];
    const TimelineBar& bar = lane.bars[item.first];
    const PhaseColours colours = colours_of(bar.phase, theme);
    if (item.count > 1) return paint_joined(painter, item, colours, fonts, theme);
    const bool solid = lane.level == Level::phase;
    if (item.rect.width() < 4 || item.rect.height() < 4) fill_bar(painter, item.rect, colours.hue);
    else if (solid) fill_bar(painter, item.rect.adjusted(0, 0, -1, 0), colours.hue); // neighbours of one hue are told apart
    else fill_bar(painter, item.rect, lane.level == Level::module ? theme.surface : colours.tint, colours.hue);
    paint_bar_text(painter, model, bar, item.rect, solid ? theme.surface : theme.ink, solid ? theme.surface : theme.ink2, fonts);
}

} // namespace

void paint_timeline(QPainter& painter, const TimelineModel& model, const TimelineGeometry& geometry, const Theme& theme) {
    if (geometry.area.width() < 1) return;
    const Fonts fonts;
    painter.setFont(fonts.number);
    double free = geometry.axis.left() - 1; // where the last label ended
    for (const TimelineTick& tick : geometry.ticks) {
        painter.setPen(QPen(theme.line, 1));
        const double x = std::round(tick.x) + 0.5;
        painter.drawLine(QPointF(x, geometry.axis.bottom() - 3), QPointF(x, geometry.area.bottom()));
        const double width = fonts.number_fm.horizontalAdvance(tick.text);
        const double left = std::clamp(tick.x - width / 2, geometry.axis.left(), std::max(geometry.axis.left(), geometry.axis.right() - width));
        if (left < free || width > geometry.axis.width()) continue;
        free = left + width + 8;
        painter.setPen(theme.ink2);
        draw_text(painter, QPointF(left, geometry.axis.top() + 12), tick.text);
    }
    const QFont row_font = text_font(metrics::small_text);
    for (const TimelineRow& row : geometry.rows) {
        if (geometry.gutter.width() < 1 || row.rect.height() < 12) continue;
        painter.setFont(row_font);
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(geometry.gutter.left(), row.rect.top(), geometry.gutter.width(), row.rect.height()),
                  Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, row.name);
    }
    painter.save();
    painter.setClipRect(geometry.area);
    for (const TimelineItem& item : geometry.items) paint_item(painter, model, item, fonts, theme);
    painter.restore();
}

void paint_outline(QPainter& painter, const QRectF& item, const QRectF& area, double width, const Theme& theme) {
    painter.save();
    painter.setClipRect(area.adjusted(-3, -3, 3, 3));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QRectF box = item.adjusted(-1, -1, 1, 1);
    painter.setPen(QPen(theme.surface, width + 2)); // a thread of surface inside and out
    painter.drawRect(box);
    painter.setPen(QPen(theme.ink, width));
    painter.drawRect(box);
    painter.restore();
}

void paint_op_table(QPainter& painter, const OpTable& table, const OpTableGeometry& geometry, const Theme& theme) {
    const QFont name = text_font(metrics::text - 1, QFont::DemiBold), place = text_font(metrics::small_text),
                number = mono_font(metrics::small_text), strong = mono_font(metrics::small_text, QFont::DemiBold);
    const TextMetrics name_fm(name), place_fm(place);
    const auto write = [&](const QRectF& box, Qt::Alignment align, const QString& text, const QFont& font, const QColor& colour) {
        if (box.width() < 8) return;
        painter.setFont(font);
        painter.setPen(colour);
        draw_text(painter, box, align | Qt::AlignVCenter | Qt::TextDontClip, text);
    };
    const OpTableItem& columns = geometry.columns;
    write(columns.share, Qt::AlignRight, tr("share"), place, theme.ink2);
    write(columns.seconds, Qt::AlignRight, table.steps > 1 ? tr("median") : tr("time"), place, theme.ink2);
    write(columns.spread, Qt::AlignRight, tr("10 to 90 %"), place, theme.ink2);
    painter.setPen(QPen(theme.line, 1));
    painter.drawLine(QPointF(geometry.heading.left(), geometry.heading.bottom() - 1.5), QPointF(geometry.heading.right(), geometry.heading.bottom() - 1.5));
    const double most = table.rows.empty() ? 1 : std::max(1e-9, table.rows.front().share);
    for (const OpTableItem& item : geometry.items) {
        const OpRow& row = table.rows[item.row];
        const PhaseColours colours = colours_of(row.phase, theme);
        const QString shown = name_fm.elidedText(row.name, Qt::ElideRight, item.name.width() - 8);
        write(item.name, Qt::AlignLeft, shown, row.site >= 0 ? name : place, theme.ink);
        const double used = name_fm.horizontalAdvance(shown) + 8, left = item.name.width() - used - 8;
        if (!row.place.isEmpty() && left > 40)
            write(item.name.adjusted(used, 0, 0, 0), Qt::AlignLeft, place_fm.elidedText(row.place, Qt::ElideRight, left), place, theme.ink2);
        QRectF bar = item.bar;
        bar.setWidth(std::max(1.0, bar.width() * row.share / most));
        if (item.bar.width() > 4) fill_bar(painter, bar, colours.tint, colours.hue);
        write(item.share, Qt::AlignRight, three_digits(100 * row.share) + QStringLiteral(" %"), strong, theme.ink);
        write(item.seconds, Qt::AlignRight, with_prefix(row.seconds, "s"), number, theme.ink);
        if (row.site >= 0)
            write(item.spread, Qt::AlignRight, with_prefix(row.low, "s") + QStringLiteral("–") + with_prefix(row.high, "s"), number, theme.ink2);
    }
    if (geometry.hidden > 0)
        write(geometry.more, Qt::AlignLeft, tr("%1 more, together %2 %").arg(geometry.hidden).arg(three_digits(100 * geometry.hidden_share)), place, theme.ink2);
}

} // namespace gradus
