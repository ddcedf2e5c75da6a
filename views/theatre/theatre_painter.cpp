#include "views/theatre/theatre_painter.hpp"

#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

/// All but what the code takes.
TheatreRoom room_of(const TheatrePicture& picture) {
    const TheatreModel& model = picture.model;
    const bool sparse = picture.sparse;
    const TextMetrics words(text_font(metrics::text - 1));
    TheatreRoom room;
    room.sparse = sparse;
    room.editing = picture.editing;
    room.secret = picture.secret;
    room.label = std::ceil(words.lineHeight(QStringLiteral("가")));
    room.cell = TextMetrics(mono_font(metrics::small_text)).horizontalAdvance(QStringLiteral("−0.00")) - 1;
    if (model.block) room.where = std::ceil(TextMetrics(text_font(metrics::text, QFont::DemiBold)).horizontalAdvance(where_words(model))) + 16;
    const TextMetrics first_words(mono_font(metrics::small_text));
    double widest = 0;
    for (const SectorPicture::Line& line : model.sectors.lines) widest = std::max(widest, first_words.horizontalAdvance(word_words(selection_of(model.events->trace(), line.range, line.first))));
    room.gutter = std::clamp(widest + 14, sparse ? 84.0 : 96.0, 140.0);
    for (const TheatreFinding& finding : model.findings) room.finding = std::max(room.finding, TextMetrics(text_font(metrics::small_text)).horizontalAdvance(finding.sentence));
    room.finding_at = picture.finding_at;
    room.more = std::ceil(words.horizontalAdvance(more_findings_words(model.findings.size())));
    if (model.touches && !sparse) room.sentence = std::ceil(TextMetrics(text_font(metrics::text)).horizontalAdvance(memory_words(model)));
    if (!sparse && model.editable && !model.code.empty()) room.edit = std::ceil(words.horizontalAdvance(tr("edit"))) + 20;
    for (std::size_t i = 0; i < room.ways.size(); ++i) {
        const auto way = static_cast<TheatreWay>(i);
        if (!model.block || (way == TheatreWay::word && model.word.isEmpty())) continue;
        if (way == TheatreWay::barrier && barrier_words(model).isEmpty()) continue;
        if (way == TheatreWay::block && model.events->trace().log.blocks.size() < 2) continue;
        room.ways[i] = std::ceil(words.horizontalAdvance(way_word(way))) + 4;
    }
    return room;
}

TheatreRoom with_code(TheatreRoom room, int type) {
    const TextMetrics code(mono_font(type));
    room.line = std::ceil(code.height() * (room.sparse ? 1.15 : 1.2));
    room.digit = code.horizontalAdvance(QStringLiteral("0"));
    room.counter = type < metrics::text ? 80 : 88;
    return room;
}

/// Triangles as the transport's, with the way's word between them.
void paint_ways(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    painter.setFont(text_font(metrics::text - 1));
    painter.setPen(theme.ink2);
    for (const TheatreGeometry::WayLabel& label : p.geometry.ways) draw_text(painter, label.rect, Qt::AlignCenter, way_word(label.way));
    if (!p.geometry.edit.isNull()) {
        painter.setBrush(p.editing ? theme.fill : theme.surface);
        painter.setPen(QPen(theme.ink3, 1));
        painter.drawRoundedRect(p.geometry.edit.adjusted(0.5, 1.5, -0.5, -1.5), 5, 5);
        painter.setPen(theme.ink);
        draw_text(painter, p.geometry.edit, Qt::AlignCenter, tr("edit"));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ink);
    for (const TheatreGeometry::Button& button : p.geometry.buttons) {
        const QPointF c = button.rect.center();
        const double d = 4.5 * button.by;
        painter.drawPolygon(QPolygonF({{c.x() - d * 0.8, c.y() - 5}, {c.x() - d * 0.8, c.y() + 5}, {c.x() + d, c.y()}}));
    }
}

void paint_lists(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    for (std::size_t i = 0; i < g.finding_rows.size() && !p.secret; ++i) {
        const TheatreFinding& finding = p.model.findings[g.first_finding + i];
        const QRectF& row = g.finding_rows[i];
        if (p.stands_at(g.first_finding + i)) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.fill);
            painter.drawRoundedRect(row, 4, 4);
        }
        painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
        painter.setPen(theme.fault);
        const QString head = QStringLiteral("✕ ") + finding.kind;
        const double label = std::ceil(TextMetrics(painter.font()).lineHeight(QStringLiteral("가")));
        const QRectF first(row.left() + 6, row.top() + 2, row.width() - 12, label);
        draw_text(painter, first, Qt::AlignLeft | Qt::AlignVCenter, head);
        painter.setFont(text_font(metrics::small_text));
        painter.setPen(theme.ink);
        const TextMetrics fm(painter.font());
        const QRectF box = row.adjusted(6, label + 3, -6, -1);
        const bool fits = paragraph_height(finding.sentence, painter.font(), box.width()) <= box.height();
        if (fits) draw_paragraph(painter, box, Qt::AlignLeft | Qt::AlignTop, finding.sentence);
        else draw_text(painter, QRectF(box.left(), box.top(), box.width(), label), Qt::AlignLeft | Qt::AlignVCenter, fm.elidedText(finding.sentence, Qt::ElideRight, box.width()));
    }
    if (!g.more_findings.isNull() && !p.secret) {
        painter.setFont(text_font(metrics::text - 1));
        painter.setPen(theme.fault);
        draw_text(painter, g.more_findings.adjusted(0, 2, -6, 0), Qt::AlignRight | Qt::AlignVCenter, more_findings_words(p.model.findings.size() - g.finding_rows.size()));
    }
    for (std::size_t i = 0; i < g.touch_rows.size(); ++i) {
        const QRectF row = g.touch_rows[i].adjusted(6, 0, -6, 0);
        if (i == 0) {
            painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
            painter.setPen(theme.ink2);
            const std::size_t all = p.model.touching.size(), shown = g.touch_rows.size() - 1;
            QString head = (p.model.seeking ? tr("%1: looking for who touches it …") : all == 0 ? tr("%1: no recorded step touches it") : tr("%1 is touched by")).arg(p.model.word);
            if (!p.model.seeking && all > shown) head = tr("%1 is touched by %2 steps, %3 of them here").arg(p.model.word, grouped(static_cast<qint64>(all)), QString::number(shown));
            draw_text(painter, row, Qt::AlignLeft | Qt::AlignVCenter, head);
            draw_text(painter, row, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("✕"));
            continue;
        }
        const std::size_t number = g.first_touch + i - 1;
        if (number >= p.model.touching.size()) break;
        const TheatreTouch& touch = p.model.touching[number];
        if (touch.here) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.fill);
            painter.drawRoundedRect(g.touch_rows[i], 4, 4);
        }
        painter.setFont(text_font(metrics::text - 1));
        painter.setPen(theme.ink);
        draw_text(painter, row, Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(painter.font()).elidedText(touch.words, Qt::ElideRight, row.width()));
    }
}

} // namespace

QString way_word(TheatreWay way) {
    switch (way) {
    case TheatreWay::line: return tr("line");
    case TheatreWay::warp_step: return tr("warp step");
    case TheatreWay::barrier: return tr("barrier");
    case TheatreWay::word: return tr("word");
    case TheatreWay::block: return tr("block");
    }
    return {};
}

QString lanes_text(std::uint32_t lanes) {
    const int count = std::popcount(lanes), first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
    if (count == 1) return QString::number(first);
    if (last - first + 1 == count) return QStringLiteral("%1–%2").arg(first).arg(last);
    return tr("%1 lanes").arg(count);
}

void lay_out_theatre(TheatrePicture& picture, const QRectF& area, bool sparse) {
    picture.sparse = sparse;
    struct Laid {
        int type = 0;
        TheatreGeometry geometry;
    };
    std::vector<Laid> laid; // from the largest letters down, as far as one had to look
    TheatreRoom room = room_of(picture);
    const auto lay = [&](int size) -> Laid& {
        const int type = mono_font(size).pixelSize(); // a class needs it larger
        return laid.emplace_back(Laid{type, lay_out_theatre(picture.model, with_code(room, type), area)});
    };
    /// Whether the function's lines fit that are to be read: all of them, or those that cost something; comments may be cut.
    const auto fits = [&](const Laid& each, bool all) {
        const TextMetrics fm(mono_font(each.type));
        for (const TheatreGeometry::CodeRow& row : each.geometry.rows) {
            if (row.line < picture.model.first_line || row.line > picture.model.last_line) continue;
            const TheatreLine& line = picture.model.code[static_cast<std::size_t>(row.line) - 1];
            const qsizetype comment = line.text.indexOf(QLatin1String("//"));
            if (!all && line.sectors.empty() && line.wavefronts.empty()) continue;
            if (fm.horizontalAdvance(comment < 0 ? line.text : line.text.left(comment).trimmed()) > row.text.width()) return false;
        }
        const auto lines = static_cast<std::size_t>(picture.model.last_line - picture.model.first_line + 1);
        return each.geometry.rows.size() >= std::min<std::size_t>(lines, 12);
    };
    const auto take = [&](Laid& each) { picture.type = each.type, picture.geometry = std::move(each.geometry); };
    for (const int size : {14, 13, 12, 11})
        if (const Laid& each = lay(size); sparse || each.geometry.rows.empty() || fits(each, true)) return take(laid.back());
    const auto best = std::find_if(laid.begin(), laid.end(), [&](const Laid& each) { return fits(each, false); });
    if (best != laid.end()) return take(*best);
    room.wraps = true; // at no size do they fit in one row
    take(lay(11));
}

void paint_theatre(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    const TheatreGeometry& g = p.geometry;
    if (!g.where.isNull()) paint_ways(painter, p, theme);
    if (p.model.block && !g.where.isNull()) {
        painter.setFont(text_font(metrics::text, QFont::DemiBold));
        painter.setPen(theme.ink);
        draw_text(painter, g.where, Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(painter.font()).elidedText(where_words(p.model), Qt::ElideRight, g.where.width()));
    }
    if (!p.editing) {
        paint_code(painter, p, theme);
        paint_lists(painter, p, theme);
    }
    if (!p.model.block) return;
    paint_lanes(painter, p, theme);
    if (!g.grid.isNull()) paint_grid(painter, p, theme);
    else if (p.model.bits && !g.bits.isNull()) paint_bits(painter, p, theme);
    else if (p.model.touches) paint_memory(painter, p, theme);
    else paint_meeting(painter, p, theme);
    paint_strips(painter, p, theme);
}

} // namespace gradus
