#include "views/hierarchy/hierarchy_painter.hpp"

#include "views/hierarchy/hierarchy_words.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr int value_size = 15; // a class sees all of it larger

using hierarchy_words::tr;

QFont name_font() { return text_font(metrics::text, QFont::DemiBold); }
QFont small_font() { return text_font(metrics::text - 1); }
QFont value_font() { return mono_font(value_size, QFont::Bold); }
double mark_height(const QFont& font) { return TextMetrics(font).capHeight(); }

double value_width(const HierarchyPlace& place, bool sparse) {
    const QFont font = value_font();
    const double number = TextMetrics(font).horizontalAdvance(bytes_text(place)) + provenance_width(Provenance::counted, mark_height(font));
    return sparse ? number : std::max(number, TextMetrics(small_font()).horizontalAdvance(ideal_text(place)));
}

/// The text at the right edge, with the mark of what is counted before it.
void paint_number(QPainter& painter, const QRectF& box, double base, const QString& text, const QFont& font, const QColor& colour, bool mark) {
    painter.setFont(font);
    painter.setPen(colour);
    const double left = box.right() - TextMetrics(font).horizontalAdvance(text);
    draw_text(painter, QPointF(left, base), text);
    const double height = mark_height(font);
    if (mark) paint_provenance(painter, {left - provenance_width(Provenance::counted, height), base}, Provenance::counted, height, colour);
}

/// What moves as one bar: the share that must move is grey, what is beyond it full ink.
void paint_bar(QPainter& painter, const HierarchyPlace& place, const QRectF& box, const Theme& theme) {
    if (!place.bytes || *place.bytes <= 0 || place.level == MemoryLevel::registers) return; // of what lanes ask nobody knows the least
    const double height = std::min(box.height(), 14.0);
    const QRectF bar(box.left(), std::round(box.center().y() - height / 2), box.width(), height);
    const double share = place.ideal ? std::clamp(*place.ideal / *place.bytes, 0.0, 1.0) : 1.0;
    fill_bar(painter, QRectF(bar.left(), bar.top(), std::max(1.0, bar.width() * share), height), theme.ink3);
    if (share < 1) fill_bar(painter, QRectF(bar.left() + std::max(1.0, bar.width() * share), bar.top(), bar.width() * (1 - share), height), theme.ink);
}

QFont rung_font(bool here) { return mono_font(metrics::small_text, here ? QFont::Bold : QFont::Normal); }

/// The height that the rungs' numbers take in a row; 0 where they have no room.
double numbers_height(const HierarchyPicture& p, std::size_t row) {
    const HierarchyGeometry::Row& at = p.geometry.rows[row];
    const TextMetrics fm(rung_font(true));
    if (at.rungs.empty() || at.rungs.front().height() < 3 * fm.height()) return 0;
    for (const std::optional<double>& each : p.model.places[row].rungs)
        if (each && fm.horizontalAdvance(with_prefix(*each, "B")) > at.rungs.front().width() - 4) return 0;
    return fm.height();
}

void paint_rungs(QPainter& painter, const HierarchyPicture& p, std::size_t row, const Theme& theme) {
    const HierarchyGeometry::Row& at = p.geometry.rows[row];
    if (at.rungs.empty()) return;
    const double y = std::round(at.rungs.front().bottom()) - 0.5;
    for (std::size_t i = 0; i < at.rungs.size(); ++i) {
        const QRectF bar = rung_bar(p, row, i);
        const bool here = p.model.rungs[i].here;
        if (!bar.isNull()) fill_bar(painter, bar, here ? place_colour(row, theme) : mixed(theme.surface, place_colour(row, theme), 0.45));
        const std::optional<double>& bytes = p.model.places[row].rungs[i];
        if (!bytes || numbers_height(p, row) == 0) continue;
        const QFont font = rung_font(here);
        const TextMetrics fm(font);
        const QString text = with_prefix(*bytes, "B");
        painter.setFont(font);
        painter.setPen(here ? theme.ink : theme.ink2);
        draw_text(painter, QPointF(at.rungs[i].center().x() - fm.horizontalAdvance(text) / 2, (bar.isNull() ? at.rungs[i].bottom() : bar.top()) - 4), text);
    }
    painter.setPen(QPen(theme.line, 1));
    painter.drawLine(QPointF(at.rungs.front().left(), y), QPointF(at.rungs.back().right(), y));
}

void paint_labels(QPainter& painter, const HierarchyPicture& p, const Theme& theme) {
    if (p.geometry.labels.empty()) return;
    const QString name = tr("rung");
    const QRectF first = p.geometry.labels.front();
    const double left = std::min(first.left(), first.center().x() - 12) - 8 - TextMetrics(small_font()).horizontalAdvance(name);
    painter.setFont(small_font());
    painter.setPen(theme.ink2);
    if (left > p.geometry.rows.front().name.left())
        draw_text(painter, QRectF(QPointF(left, first.top()), QPointF(first.left(), first.bottom())), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
    for (std::size_t i = 0; i < p.geometry.labels.size(); ++i) {
        const HierarchyRung& rung = p.model.rungs[i];
        painter.setFont(mono_font(metrics::text - 1, rung.here ? QFont::Bold : QFont::Normal));
        painter.setPen(rung.here ? theme.ink : theme.ink2);
        draw_text(painter, p.geometry.labels[i], Qt::AlignCenter | Qt::TextDontClip, rung.label);
    }
}

} // namespace

QString hierarchy_foot(const HierarchyPicture& p) {
    if (p.moving() && p.sparse) return tr("Strongest: this step. Full colour and bytes: this phase so far. Pale: the phase before.");
    if (!p.moving()) {
        const QString bars = p.sparse ? tr("Grey: the ideal; strong: what moves beyond it.")
                                      : tr("Counted in the source, without a cache: L2 and memory see at most what is asked of L1, and at least each sector once.");
        return !p.charted ? bars : bars + ' ' + tr("In colour: the rungs, in every place to its own scale.");
    }
    return tr("Phase %1 of %2, from barrier to barrier. Strongest: this step; full: this phase so far, and so are the bytes beside; pale: the phase before. Counted in the source.")
        .arg(p.model.tiles->phase + 1)
        .arg(p.model.tiles->phases);
}

QRectF rung_bar(const HierarchyPicture& p, std::size_t row, std::size_t rung) {
    const std::vector<std::optional<double>>& values = p.model.places[row].rungs;
    double most = 0;
    for (const std::optional<double>& each : values) most = std::max(most, each.value_or(0));
    if (rung >= values.size() || !(values[rung].value_or(0) > 0) || p.geometry.rows[row].rungs.size() != values.size()) return {};
    const QRectF slot = p.geometry.rows[row].rungs[rung];
    const double height = std::max(2.0, (slot.height() - 4 - numbers_height(p, row)) * *values[rung] / most);
    const double gap = std::clamp(slot.width() * 0.2, 2.0, 6.0);
    return {slot.left() + gap / 2, slot.bottom() - height, slot.width() - gap, height};
}

namespace {

/// The tiles, beside the names and numbers of their places; nothing where they have no room.
void lay_out_moving(HierarchyPicture& p, const QRectF& area) {
    const TextMetrics words(tile_font());
    TilesRoom room;
    room.label = std::ceil(words.lineHeight(QStringLiteral("가")));
    for (const HierarchyTiles::Flow& flow : p.model.tiles->flows) room.flow = std::max(room.flow, flow_width(flow));
    for (const HierarchyTiles::Picture& picture : p.model.tiles->pictures) room.names.push_back(words.horizontalAdvance(picture.name) + 1);
    std::vector<QRectF> rows;
    for (const HierarchyGeometry::Row& row : p.geometry.rows) rows.emplace_back(QPointF(row.value.right() + 20, row.value.top()), QPointF(area.right(), row.value.bottom()));
    p.tiles = lay_out_tiles(*p.model.tiles, rows, room);
}

} // namespace

void lay_out_hierarchy(HierarchyPicture& p, const QRectF& area, bool sparse) {
    p.sparse = sparse;
    p.tiles = {};
    HierarchyRoom room;
    const TextMetrics name(name_font()), small(small_font()), value(value_font());
    for (const HierarchyPlace& place : p.model.places) {
        room.name = std::max(room.name, name.horizontalAdvance(place.name) + 1);
        if (!sparse) room.name = std::max(room.name, small.horizontalAdvance(place.capacity) + 1);
        room.value = std::max(room.value, value_width(place, sparse) + 1);
    }
    room.line = std::max(name.lineHeight(QStringLiteral("가")), value.height());
    room.small = sparse ? 0 : small.lineHeight(QStringLiteral("가"));
    room.rung = 12;
    const auto lay_out = [&](std::size_t rungs) {
        room.label = rungs == 0 ? 0 : TextMetrics(mono_font(metrics::text - 1)).height() + 4;
        for (const bool charted : {true, false}) { // the foot speaks of the rungs where they have room
            p.charted = charted && rungs > 0;
            room.foot = paragraph_height(hierarchy_foot(p), small_font(), area.width());
            p.geometry = lay_out_hierarchy(p.model.places.size(), rungs, room, area);
            if (!p.charted || !p.geometry.labels.empty()) break;
        }
    };
    if (p.model.tiles) {
        const HierarchyRoom before = room;
        room.bars = false, room.highest = 200;
        for (const HierarchyPlace& place : p.model.places) room.low.push_back(place.level == MemoryLevel::l1 || place.level == MemoryLevel::l2); // nothing is pictured there
        if (sparse) room.value = 0; // a class sees one number for each way
        const auto try_it = [&] { lay_out(0), lay_out_moving(p, area); };
        if (try_it(); !p.moving() && !sparse) { // rather the pictures than capacities
            room.small = 0, room.name = 0;
            for (const HierarchyPlace& place : p.model.places) room.name = std::max(room.name, name.horizontalAdvance(place.name) + 1);
            try_it();
        }
        if (p.moving()) return try_it(); // with its own foot
        room = before, p.tiles = {};
    }
    lay_out(p.model.rungs.size());
}

void paint_hierarchy(QPainter& painter, const HierarchyPicture& p, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont name = name_font(), small = small_font(), value = value_font();
    for (std::size_t i = 0; i < p.geometry.rows.size(); ++i) {
        const HierarchyGeometry::Row& at = p.geometry.rows[i];
        const HierarchyPlace& place = p.model.places[i];
        painter.setPen(Qt::NoPen);
        painter.setBrush(place_colour(i, theme));
        painter.drawRoundedRect(at.strip, 3, 3);
        const double line = TextMetrics(value).height(), below = at.two_lines ? TextMetrics(small).lineHeight(QStringLiteral("가")) : 0;
        const double top = at.name.center().y() - (line + below) / 2, base = top + line / 2 + TextMetrics(value).capHeight() / 2;
        painter.setFont(name);
        painter.setPen(theme.ink);
        draw_text(painter, QPointF(at.name.left(), base), TextMetrics(name).elidedText(place.name, Qt::ElideRight, at.name.width()));
        if (!p.moving() || !p.sparse) paint_number(painter, at.value, base, bytes_text(place), value, theme.ink, place.bytes.has_value());
        if (at.two_lines) {
            const double second = base + below;
            painter.setFont(small);
            painter.setPen(theme.ink2);
            draw_text(painter, QPointF(at.name.left(), second), TextMetrics(small).elidedText(place.capacity, Qt::ElideRight, at.name.width()));
            paint_number(painter, at.value, second, ideal_text(place), small, theme.ink2, false);
        }
        if (!at.bar.isNull()) paint_bar(painter, place, at.bar, theme);
        paint_rungs(painter, p, i, theme);
    }
    if (p.moving()) paint_tiles(painter, *p.model.tiles, p.tiles, theme, p.sparse);
    else paint_labels(painter, p, theme);
    if (p.geometry.foot.isNull()) return;
    painter.setFont(small);
    painter.setPen(theme.ink2);
    draw_paragraph(painter, p.geometry.foot, Qt::AlignLeft | Qt::AlignTop, hierarchy_foot(p));
}

} // namespace gradus
