#include "views/listing/listing_painter.hpp"

#include "views/listing/listing_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double band_radius = 4;

using listing_words::tr;

QFont beside_font(const QString& text, int type) { return has_hangul(text) ? text_font(std::max(12, type - 1)) : mono_font(std::max(metrics::small_text, type - 1)); }

double mark_height(int type) { return std::round(0.66 * type); }

/// A value at the right edge of its column, with its mark before it.
void paint_value(QPainter& painter, const QRectF& column, const QString& text, Provenance provenance, int type, const QColor& colour) {
    if (column.isNull() || text.isEmpty()) return;
    const QFont font = beside_font(text, type);
    const TextMetrics fm(font);
    const double base = column.center().y() + fm.capHeight() / 2, height = mark_height(type);
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, QPointF(column.right() - fm.horizontalAdvance(text), base), text);
    paint_provenance(painter, {column.right() - fm.horizontalAdvance(text) - provenance_width(provenance, height), base}, provenance, height, colour);
}

/// A column's head: the mark and its word, at its right edge.
void paint_head(QPainter& painter, const QRectF& column, Provenance provenance, int type, const Theme& theme) {
    paint_value(painter, column, provenance_word(provenance), provenance, type, theme.ink2);
}

/// In type smaller than the usual a level is indented by two.
QString indented(const QString& code, int type) {
    qsizetype indent = 0;
    while (indent < code.size() && code[indent] == ' ') ++indent;
    return type < metrics::text ? code.mid(indent / 2) : code;
}

void paint_code(QPainter& painter, const ListingRow& row, const QRectF& box, int type, const Theme& theme) {
    const QFont font = mono_font(type, row.here ? QFont::DemiBold : QFont::Normal);
    const TextMetrics fm(font);
    const double base = box.center().y() + fm.capHeight() / 2;
    const QString code = fm.elidedText(indented(row.code, type), Qt::ElideRight, box.width());
    painter.setFont(font);
    painter.setPen(row.told && !row.left_out ? theme.ink : theme.ink2);
    draw_text(painter, QPointF(box.left(), base), code);
    if (!row.left_out) return;
    qsizetype indent = 0;
    while (indent < code.size() && code[indent] == ' ') ++indent;
    const double from = box.left() + fm.horizontalAdvance(code.left(indent)), y = std::round(base - fm.xHeight() / 2) + 0.5;
    painter.setPen(QPen(theme.ink, std::max(1.0, type / 13.0)));
    painter.drawLine(QPointF(from, y), QPointF(box.left() + fm.horizontalAdvance(code), y));
}

/// In as many words as there is room for; where they are to be had is said beside other views.
void paint_missing(QPainter& painter, const ListingPicture& p, const Theme& theme, bool alone) {
    const QRectF& box = p.geometry.missing;
    const QString lines = QStringLiteral("⋮ ") + missing_lines(p), more = lines + QStringLiteral(": ") + tr("Z enlarges");
    const QFont font = text_font(metrics::text - 1);
    const TextMetrics fm(font);
    painter.setFont(font);
    painter.setPen(theme.ink2);
    for (const QString& words : {alone ? lines : more, lines, QStringLiteral("⋮")})
        if (fm.horizontalAdvance(words) <= box.width()) return draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter, words);
}

/// The notes of the lines, each with its number, as many as there is room for.
void paint_notes(QPainter& painter, const ListingPicture& p, const Theme& theme) {
    QRectF box = p.geometry.notes;
    const TextMetrics number(mono_font(metrics::text - 1));
    const double indent = number.horizontalAdvance(QStringLiteral("99")) + 10;
    for (std::size_t i = 0; i < p.model.rows.size(); ++i) {
        const QString& note = p.model.rows[i].note;
        if (note.isEmpty()) continue;
        const QFont font = text_font(metrics::text - 1);
        if (paragraph_height(note, font, box.width() - indent) > box.height()) return;
        painter.setPen(theme.ink2);
        painter.setFont(mono_font(metrics::text - 1));
        draw_text(painter, QRectF(box.left(), box.top(), indent, TextMetrics(font).height()), Qt::AlignLeft | Qt::AlignVCenter, QString::number(i + 1));
        painter.setFont(font);
        const QRectF used = draw_paragraph(painter, box.adjusted(indent, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop, note);
        box.setTop(used.bottom() + 4);
    }
}

} // namespace

ListingRoom room_of(const ListingModel& model, int type) {
    ListingRoom room;
    const TextMetrics code(mono_font(type)), bold(mono_font(type, QFont::DemiBold));
    room.line = std::ceil(std::max(code.height(), TextMetrics(text_font(std::max(12, type - 1))).lineHeight(QStringLiteral("가"))) * 1.2);
    room.number = code.horizontalAdvance(QString::number(model.rows.size()));
    const auto width = [type](const QString& text, Provenance provenance) {
        return TextMetrics(beside_font(text, type)).horizontalAdvance(text) + provenance_width(provenance, mark_height(type));
    };
    // The widest number there may be, so that nothing moves from step to step.
    room.time = std::max(width(QStringLiteral("0.000 ms"), Provenance::measured), width(provenance_word(Provenance::measured), Provenance::measured));
    room.work = std::max(width(QStringLiteral("00.0 MFLOP"), Provenance::counted), width(provenance_word(Provenance::counted), Provenance::counted));
    for (const ListingRow& row : model.rows) {
        const QString line = indented(row.code, type);
        const double wide = std::max(code.horizontalAdvance(line), bold.horizontalAdvance(line)) + 1;
        room.code = std::max(room.code, wide);
        if (!row.told) continue;
        room.told = std::max(room.told, wide);
        room.time = std::max(room.time, width(time_text(row), row.part.seconds ? Provenance::measured : Provenance::computed));
        room.work = std::max(room.work, width(work_text(row), Provenance::counted));
    }
    room.note = TextMetrics(text_font(metrics::text - 1)).height();
    return room;
}

void lay_out_listing(ListingPicture& picture, const QRectF& area, bool told_only) {
    std::vector<bool> told;
    int here = -1;
    for (std::size_t i = 0; i < picture.model.rows.size(); ++i) {
        told.push_back(picture.model.rows[i].told);
        if (picture.model.rows[i].here) here = static_cast<int>(i);
    }
    const auto lay = [&](int type) {
        picture.type = mono_font(type).pixelSize(); // a class needs it larger
        picture.geometry = lay_out_listing(told, here, told_only, room_of(picture.model, picture.type), area);
    };
    if (told_only) { // as large as the room allows; before code is cut the columns go
        for (const bool columns : {true, false})
            for (const int type : {22, 20, 18, 16, 15, 14, 13}) {
                lay(type);
                if (columns ? picture.geometry.told : picture.geometry.uncut) return;
            }
        return;
    }
    for (const int type : {16, 15, 14, 13}) {
        lay(type);
        if (picture.geometry.whole) return;
    }
    for (const int type : {13, 12, 11}) { // what comes before the lines that are told of gives way
        lay(type);
        if (picture.geometry.told) return;
    }
}

QString missing_lines(const ListingPicture& p) {
    if (p.geometry.rows.empty()) return {};
    const auto range = [](std::size_t first, std::size_t last) {
        return first == last ? QString::number(first) : QStringLiteral("%1–%2").arg(first).arg(last);
    };
    const std::size_t first = p.geometry.rows.front().line, last = p.geometry.rows.back().line + 1, all = p.model.rows.size();
    QStringList parts;
    if (first > 0) parts << range(1, first);
    if (last < all) parts << range(last + 1, all);
    return parts.isEmpty() ? QString() : tr("lines %1").arg(parts.join(QStringLiteral(", ")));
}

void paint_listing(QPainter& painter, const ListingPicture& p, const Theme& theme, bool sparse, bool alone) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ListingGeometry::Row& at : p.geometry.rows) {
        const ListingRow& row = p.model.rows[at.line];
        if (row.here) { // the cursor's mark on code
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.fill);
            painter.drawRoundedRect(at.rect, band_radius, band_radius);
            painter.setBrush(theme.ink);
            painter.drawRect(QRectF(at.rect.left(), at.rect.top(), sparse ? 4 : 2, at.rect.height()));
        }
        if (!at.number.isNull()) {
            const QFont font = mono_font(p.type);
            const QString number = QString::number(at.line + 1);
            painter.setFont(font);
            painter.setPen(theme.ink2);
            draw_text(painter, QPointF(at.number.right() - TextMetrics(font).horizontalAdvance(number), at.number.center().y() + TextMetrics(font).capHeight() / 2), number);
        }
        const double most = row.told ? at.code.right() : std::max(at.code.right(), at.rect.right() - 8); // beside what is not told of no column holds anything
        paint_code(painter, row, QRectF(at.code.topLeft(), QPointF(most, at.code.bottom())), p.type, theme);
        const bool timed = !row.left_out && row.part.seconds;
        paint_value(painter, at.time, time_text(row), timed ? Provenance::measured : Provenance::computed, p.type, row.left_out || timed ? theme.ink : theme.ink2);
        paint_value(painter, at.work, work_text(row), Provenance::counted, p.type, theme.ink);
    }
    if (!p.geometry.head.isNull() && p.model.timed) {
        const ListingGeometry::Row& one = p.geometry.rows.front();
        const QRectF& head = p.geometry.head;
        paint_head(painter, {one.time.left(), head.top(), one.time.width(), head.height()}, Provenance::measured, p.type, theme);
        if (!one.work.isNull()) paint_head(painter, {one.work.left(), head.top(), one.work.width(), head.height()}, Provenance::counted, p.type, theme);
    }
    if (!p.geometry.missing.isNull()) paint_missing(painter, p, theme, alone);
    if (!p.geometry.notes.isNull()) paint_notes(painter, p, theme);
}

} // namespace gradus
