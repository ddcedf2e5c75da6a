#include "views/attention/attention_painter.hpp"

#include "views/attention/attention_parts.hpp"
#include "views/attention/attention_words.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gradus {

namespace {

using namespace attention_words;
using attention_words::tr;

QFont name_font(bool sparse) { return text_font(sparse ? metrics::text : metrics::text - 1); }
QFont number_font(QFont::Weight weight = QFont::Normal) { return mono_font(metrics::text - 1, weight); }
double width_of(const QString& text, const QFont& font) { return TextMetrics(font).horizontalAdvance(text); }

AttentionCounts counts_of(const AttentionModel& model) {
    AttentionCounts out;
    out.length = model.shape.length;
    const bool tiles = model.kind == AttentionModel::Kind::tiles;
    if (tiles) out.rows = model.shape.rows, out.keys = model.shape.keys;
    out.table_rows = model.rows.size(), out.focus = model.focus, out.chosen = model.chosen;
    const auto here = [](const AttentionCursor::Row& row) { return row.here; };
    if (const auto first = std::ranges::find_if(model.rows, here); first != model.rows.end()) {
        out.first_here = static_cast<std::size_t>(first - model.rows.begin());
        for (out.last_here = out.first_here; out.last_here < model.rows.size() && model.rows[out.last_here].here;) ++out.last_here;
    }
    out.memory = model.held.size(), out.capacity = model.capacity > 0;
    out.told = tiles && !model.rows.empty() && model.rows[model.focus].tile >= 0;
    out.table = bytes_lines(model).size(), out.table_columns = bytes_columns(model).size();
    out.least_columns = tiles ? 1 : out.table_columns; // the sum
    out.summary = tiles ? 4 : 2;
    out.bars = 2;
    return out;
}

AttentionRoom room_of(const AttentionModel& model, bool sparse) {
    AttentionRoom out;
    const QFont name = name_font(sparse), number = number_font(QFont::DemiBold);
    out.line = std::ceil(std::max(TextMetrics(name).lineHeight(QStringLiteral("가")), TextMetrics(number).height()) * (sparse ? 1.1 : 1.15));
    out.box = out.line + 4;
    out.box_width = width_of(QStringLiteral("Q00"), number) + 10;
    out.key_width = width_of(QStringLiteral("K0"), number) + 8;
    out.number = width_of(QStringLiteral("0.00e−0"), number);
    out.query = std::max(width_of(QStringLiteral("0000"), number), width_of(tr("query"), name)) + 8;
    const double capital = TextMetrics(name).capHeight();
    for (const BytesLine& line : bytes_lines(model)) out.name = std::max(out.name, provenance_width(line.provenance, capital) + width_of(line.name, name) + 8);
    out.bytes = width_of(QStringLiteral("0000.0"), number) + 8;
    if (sparse) out.bar = attention_bars_width(model);
    QFont italic = text_font(metrics::text);
    italic.setItalic(true);
    out.sign = width_of(QStringLiteral("O"), italic) + 14;
    out.button = sparse || model.kind != AttentionModel::Kind::tiles ? 0 : std::max(24.0, out.line);
    return out;
}

void paint_button(QPainter& painter, const QRectF& box, bool forward, bool open, const Theme& theme) {
    if (box.isNull()) return;
    painter.setPen(QPen(open ? theme.ink3 : theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const double size = box.height() / 5, side = forward ? 1 : -1;
    const QPointF middle = box.center();
    painter.setPen(QPen(open ? theme.ink : theme.ink3, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF{QPointF(middle.x() - side * size / 2, middle.y() - size), QPointF(middle.x() + side * size / 2, middle.y()), QPointF(middle.x() - side * size / 2, middle.y() + size)});
}

/// The row whose m and ℓ a class reads; null of passes, and before there is one.
const AttentionCursor::Row* told_row(const AttentionModel& m) {
    return m.kind == AttentionModel::Kind::tiles && !m.rows.empty() ? &m.rows[m.focus] : nullptr;
}

/// The tile that the warp works on; a class reads of one row, and what that met stays marked after it.
std::int32_t met_tile(const AttentionPicture& p) {
    const AttentionCursor::Row* told = p.sparse ? told_row(p.model) : nullptr;
    return told && told->tile >= 0 ? told->tile : p.model.place.tile;
}

/// Boxes of queries, keys and values; filled are those that the block works on.
void paint_boxes(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const bool sparse = p.sparse;
    const auto box = [&](const QRectF& rect, const QString& name, bool here) {
        painter.setPen(QPen(theme.data, sparse ? 2 : 1));
        painter.setBrush(here ? theme.data : theme.data_tint);
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 5, 5);
        write_line(painter, rect, Qt::AlignHCenter, name, number_font(here ? QFont::DemiBold : QFont::Normal), here ? readable_on(theme.data.rgb(), theme) : theme.ink);
    };
    const AttentionGeometry& g = p.geometry;
    const auto key_name = [](std::size_t tile, double width) {
        const QString name = key_tile(static_cast<std::int64_t>(tile));
        return width_of(name, number_font(QFont::DemiBold)) + 8 <= width ? name : name.section(' ', 0, 0);
    };
    const std::int32_t here = met_tile(p);
    for (std::size_t i = 0; i < g.key_boxes.size(); ++i) box(g.key_boxes[i], key_name(i, g.key_boxes[i].width()), static_cast<std::int32_t>(i) == here);
    for (std::size_t i = 0; i < g.query_boxes.size(); ++i) box(g.query_boxes[i], query_tile(static_cast<std::int64_t>(i)), static_cast<std::int64_t>(i) == p.model.row_tile);
    if (g.grid.isNull()) return;
    const QString keys = tr("keys"), queries = tr("queries");
    if (g.key_boxes.empty()) write_line(painter, g.key_strip, Qt::AlignHCenter, keys, name_font(sparse), theme.ink2);
    if (!g.query_boxes.empty()) return;
    const QFont font = name_font(sparse);
    if (width_of(queries, font) <= g.query_strip.height()) {
        painter.save();
        painter.translate(g.query_strip.center());
        painter.rotate(-90);
        write_line(painter, QRectF(-g.query_strip.height() / 2, -g.query_strip.width() / 2, g.query_strip.height(), g.query_strip.width()), Qt::AlignHCenter, queries, font, theme.ink2);
        painter.restore();
    }
}

void hatch(QPainter& painter, const QRectF& box, const Theme& theme) {
    painter.save();
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setPen(QPen(mixed(theme.surface, theme.ink3, 0.5), 1)); // the colour of lines is too faint for it in the dark
    for (double at = -box.height(); at < box.width(); at += 8)
        painter.drawLine(QPointF(box.left() + at, box.bottom()), QPointF(box.left() + at + box.height(), box.top()));
    painter.restore();
}

void paint_grid(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const bool sparse = p.sparse;
    const AttentionGeometry& g = p.geometry;
    const AttentionModel& m = p.model;
    if (g.grid.isNull()) return;
    const double thin = sparse ? 2 : 1;
    if (!p.cells.isNull()) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(g.grid, p.cells);
    }
    painter.setBrush(Qt::NoBrush);
    if (m.kind == AttentionModel::Kind::tiles && m.shape.tiled()) {
        QRectF widest;
        for (std::int64_t row = 0; row < m.shape.row_tiles(); ++row)
            for (std::int64_t tile = 0; tile < m.shape.key_tiles(); ++tile) {
                const QRectF box = g.tile(row, tile, p.counts);
                if (m.skipped(row, tile)) {
                    if (!sparse) hatch(painter, box, theme); // in class that means a covered answer
                    if (row == 0 && !widest.isNull()) widest |= box;
                    else if (row == 0) widest = box;
                }
                if (sparse && m.skipped(row, tile)) continue;
                painter.setPen(QPen(m.skipped(row, tile) ? theme.line : theme.ink3, thin));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(box);
            }
        const QString words = tr("masked: skipped");
        const double wide = width_of(words, name_font(sparse)) + 12;
        if (wide <= widest.width()) {
            const QRectF label(widest.right() - wide, widest.center().y() - TextMetrics(name_font(sparse)).height() / 2, wide, TextMetrics(name_font(sparse)).height());
            painter.fillRect(label, theme.surface);
            write_line(painter, label, Qt::AlignHCenter, words, name_font(sparse), theme.ink2);
        }
    } else {
        if (m.shape.causal && !sparse && m.kind == AttentionModel::Kind::passes) { // what the mask hides is never written
            painter.save();
            QRegion masked;
            for (std::int64_t query = 0; query + 1 < m.shape.length; ++query) masked += g.part(query, query + 1, query + 1, m.shape.length).toAlignedRect();
            painter.setClipRegion(masked);
            hatch(painter, g.grid, theme);
            painter.restore();
        }
        painter.setPen(QPen(theme.ink3, thin));
        painter.drawRect(g.grid);
        const bool empty = m.kind == AttentionModel::Kind::passes && std::all_of(m.cells.begin(), m.cells.end(), [](double value) { return std::isnan(value); });
        if (empty) write_line(painter, g.grid, Qt::AlignHCenter, tr("not yet written"), name_font(sparse), theme.ink2);
    }
    const std::int64_t met = sparse && told_row(m) && told_row(m)->tile < 0 ? -1 : met_tile(p); // none is, before the row has met one
    if (m.kind == AttentionModel::Kind::tiles && met >= 0) {
        const QRectF here = m.shape.tiled() ? g.tile(m.row_tile, met, p.counts)
                                            : g.part(m.first_query, m.first_query + static_cast<std::int64_t>(m.rows.size()), met, met + 1);
        painter.setPen(QPen(theme.surface, thin + 4));
        painter.drawRect(here);
        painter.setPen(QPen(theme.ink, sparse ? 4 : 2));
        painter.drawRect(here.adjusted(-1, -1, 1, 1));
        if (const AttentionCursor::Row* told = sparse ? told_row(m) : nullptr) { // the query that is told of, in that tile
            QRectF row = here;
            row.setTop(g.part(told->query, told->query + 1, 0, 1).top());
            row.setHeight(g.part(told->query, told->query + 1, 0, 1).height());
            if (row.height() < 6) row.adjust(0, (row.height() - 6) / 2, 0, (6 - row.height()) / 2);
            painter.setPen(QPen(theme.surface, 5));
            painter.drawRect(row);
            painter.setPen(QPen(theme.ink, 2));
            painter.drawRect(row);
        }
    }
}

/// Which queries, keys and dimensions a step touches: ticks between the boxes and the grid, and an outline where both meet.
void paint_touches(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const bool sparse = p.sparse;
    const AttentionGeometry& g = p.geometry;
    if (g.grid.isNull() || (sparse && g.cell < 14)) return; // a class sees the row that is told of, and would not see whose a tick is
    const TouchedPlaces places = touched_places(p.model);
    const double width = sparse ? 4 : 3;
    const auto point = [&](QPointF tip, QPointF along) { // one alone would be a dash that nobody reads
        const QPointF back = tip - along * 6, side(along.y() * 4, along.x() * 4);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.ink);
        painter.drawPolygon(QPolygonF{tip, back + side, back - side});
    };
    if (places.keys.size() == 1) point({g.part(0, 1, *places.keys.begin(), *places.keys.begin() + 1).center().x(), g.grid.top() - 1}, {0, 1});
    else for (const std::int64_t key : places.keys) painter.fillRect(QRectF(g.part(0, 1, key, key + 1).left(), g.grid.top() - width - 1, std::max(g.cell, 2.0), width), theme.ink);
    const std::set<std::int64_t> queries = sparse && told_row(p.model) ? std::set{told_row(p.model)->query} : places.queries;
    if (queries.size() == 1) point({g.grid.left() - 1, g.part(*queries.begin(), *queries.begin() + 1, 0, 1).center().y()}, {1, 0});
    else for (const std::int64_t query : queries) painter.fillRect(QRectF(g.grid.left() - width - 1, g.part(query, query + 1, 0, 1).top(), width, std::max(g.cell, 2.0)), theme.ink);
    if (places.cells.empty() || places.cells.size() > 64) return;
    painter.setPen(QPen(theme.ink, sparse ? 3 : 1.5));
    painter.setBrush(Qt::NoBrush);
    QRectF all;
    for (const auto& [query, key] : places.cells) all |= g.part(query, query + 1, key, key + 1);
    painter.drawRect(all.adjusted(-1, -1, 1, 1));
}

void paint_legend(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    const bool sparse = p.sparse;
    const QRectF& box = p.geometry.legend;
    if (box.isNull() || p.model.cells.empty()) return;
    const ColorMap map = p.model.cells_signed ? signed_map(theme, p.model.cell_end) : unsigned_map(theme, p.model.cell_end);
    const QFont font = number_font();
    const QString from = p.model.cells_signed ? value_text(-p.model.cell_end) : QStringLiteral("0"), to = (p.model.cells_beyond ? QStringLiteral("≥ ") : QString()) + value_text(p.model.cell_end);
    const QString words = p.model.kind == AttentionModel::Kind::tiles ? QStringLiteral("e^(s − m)") : QString::fromStdString(p.model.matrix);
    const double left = box.left() + width_of(from, font) + 6, bar = std::min(120.0, box.width() - width_of(from, font) - width_of(to, font) - width_of(words, font) - 24);
    if (bar < 20) return;
    write_line(painter, QRectF(box.left(), box.top(), left - box.left(), box.height()), Qt::AlignLeft, from, font, theme.ink2);
    const double high = sparse ? 14 : 8;
    QImage ramp(256, 1, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) ramp.setPixel(i, 0, map.entries[static_cast<std::size_t>(i)]);
    painter.drawImage(QRectF(left, box.center().y() - high / 2, bar, high), ramp);
    const double after = left + bar + 6;
    write_line(painter, QRectF(after, box.top(), box.right() - after, box.height()), Qt::AlignLeft, to, font, theme.ink2);
    const double name = after + width_of(to, font) + 12;
    write_line(painter, QRectF(name, box.top(), box.right() - name, box.height()), Qt::AlignLeft, words, font, theme.ink2);
}

} // namespace

void lay_out_attention(AttentionPicture& picture, const QRectF& area, bool sparse) {
    picture.sparse = sparse;
    picture.counts = counts_of(picture.model);
    picture.geometry = lay_out_attention(picture.counts, room_of(picture.model, sparse), sparse, area);
}

QImage attention_cells(const AttentionModel& model, const Theme& theme) {
    if (model.cells.empty()) return {};
    const ColorMap map = model.cells_signed ? signed_map(theme, model.cell_end) : unsigned_map(theme, model.cell_end);
    const auto length = static_cast<int>(model.shape.length);
    QImage image(length, length, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    for (int query = 0; query < length; ++query)
        for (int key = 0; key < length; ++key)
            if (const double value = model.cell(query, key); std::isfinite(value)) image.setPixel(key, query, map.at(value));
    return image;
}

void paint_attention(QPainter& painter, const AttentionPicture& p, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    const AttentionModel& m = p.model;
    if (!p.geometry.headline.isNull()) {
        const bool inside = m.mark < m.marks.size() && m.step > m.marks[m.mark].step; // a part
        paint_button(painter, p.geometry.previous, false, m.mark > 0 || inside, theme);
        paint_button(painter, p.geometry.next, true, m.mark + 1 < m.marks.size(), theme);
        write_line(painter, p.geometry.headline, Qt::AlignLeft, headline(m), text_font(metrics::text), theme.ink);
    }
    paint_grid(painter, p, theme);
    paint_boxes(painter, p, theme);
    paint_touches(painter, p, theme);
    paint_legend(painter, p, theme);
    paint_attention_rows(painter, p, theme);
    paint_attention_memory(painter, p, theme);
    paint_attention_bytes(painter, p, theme);
    paint_attention_summary(painter, p, theme);
}

} // namespace gradus
