#include "views/rungs/rungs_painter.hpp"

#include "views/rungs/rungs_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using rungs_words::tr;

QFont table_font(bool strong = false) { return text_font(metrics::text - 1, strong ? QFont::Bold : QFont::Normal); }
QFont number_font(bool strong = false) { return mono_font(metrics::text - 1, strong ? QFont::Bold : QFont::Normal); }

/// Of a time it is said in words where it comes from.
QString count_name(const RungCount& count) { return count.provenance == Provenance::counted ? count.name : count.name + QStringLiteral(" (%1)").arg(provenance_word(count.provenance)); }

QString chip_text(const RungsModel& model, std::size_t rung, bool brief) {
    const RungChoice& choice = model.rungs[rung];
    const QString name = brief ? choice.label : choice.name;
    return choice.side < 0 ? name : letter_of(static_cast<std::size_t>(choice.side)) + ' ' + name;
}

QString head_words(const RungsModel& model, std::size_t side) { return letter_of(side) + QStringLiteral("  ") + model.sides[side].name; }

/// At the end, so that nothing moves before.
QString widest_so_far(const RungsModel& model, std::size_t side) {
    RungsModel end;
    end.at_step = true;
    end.sides[side] = model.sides[side];
    end.sides[side].number = model.sides[side].work->steps.size() - 1;
    return so_far_words(end, side);
}

/// How much is to stand there.
struct Wish {
    int type = metrics::text;
    bool comments = true;
    std::size_t counts = 99;
};

RungsRoom room_of(const RungsModel& model, const Wish& wish, bool sparse) {
    const int type = mono_font(wish.type).pixelSize(); // a class needs it larger
    const TextMetrics code(mono_font(type)), words(text_font(metrics::text - 1)), small(text_font(metrics::small_text)), strong(table_font(true)), numbers(number_font(true));
    RungsRoom room;
    room.sparse = sparse;
    room.comments = wish.comments;
    room.most_counts = wish.counts;
    room.line = std::ceil(code.height() * (sparse ? 1.2 : 1.18));
    room.digit = code.horizontalAdvance(QStringLiteral("0"));
    room.label = std::ceil(small.lineHeight(QStringLiteral("가")));
    room.table = std::ceil(words.lineHeight(QStringLiteral("가")) * (sparse ? 1.15 : 1.1));
    double counter = 0;
    for (const RungSide& side : model.sides)
        for (std::size_t i = 0; side.code && i < side.code->size(); ++i) {
            const RungLine& line = (*side.code)[i];
            double width = 4;
            for (const auto* accesses : {&line.sectors, &line.wavefronts}) {
                if (accesses->empty()) continue;
                QString text;
                for (const LineAccess& access : *accesses) text += (text.isEmpty() ? QString() : QStringLiteral("+")) + count_text(access.each());
                width += TextMetrics(mono_font(type, QFont::Bold)).horizontalAdvance(text) + 12;
            }
            counter = std::max(counter, width);
        }
    room.counter = std::ceil(counter);
    room.head = room.so_far = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        room.head = std::max(room.head, std::ceil(TextMetrics(text_font(metrics::text, QFont::Bold)).horizontalAdvance(head_words(model, side))) + 2);
        if (model.walks()) room.so_far = std::max(room.so_far, std::ceil(TextMetrics(text_font(metrics::small_text, QFont::Medium)).horizontalAdvance(widest_so_far(model, side))) + 2);
    }
    room.name = room.value = room.change = 0;
    for (const RungCount& count : model.counts) {
        const double mark = provenance_width(count.provenance, std::round(strong.capHeight()));
        room.name = std::max(room.name, std::ceil(strong.horizontalAdvance(count_name(count)) + mark) + 2);
        room.change = std::max(room.change, std::ceil(strong.horizontalAdvance(change_text(count))) + 2);
        for (std::size_t side = 0; side < 2; ++side) room.value = std::max(room.value, std::ceil(numbers.horizontalAdvance(value_text(count, side, sparse))) + 2);
    }
    for (std::size_t i = 0; i < model.rungs.size(); ++i) {
        const TextMetrics chip(text_font(metrics::text - 1, QFont::DemiBold));
        room.chips.push_back(std::ceil(chip.horizontalAdvance(chip_text(model, i, false))) + 16);
        room.short_chips.push_back(std::ceil(chip.horizontalAdvance(chip_text(model, i, true))) + 16);
    }
    const KernelTrace* driver = model.walks() ? model.driver().trace.get() : nullptr;
    for (std::size_t i = 0; i < room.ways.size() && driver; ++i) {
        const auto way = static_cast<RungsWay>(i);
        const bool barriers = std::any_of(driver->log.sites.begin(), driver->log.sites.end(), [](const KernelLog::Site& site) { return site.op == simt::Op::barrier; });
        if (way != RungsWay::barrier || barriers) room.ways[i] = std::ceil(words.horizontalAdvance(way_word(way))) + 4;
    }
    return room;
}

void paint_head(QPainter& painter, const RungsPicture& p, const Theme& theme) {
    const RungsGeometry& g = p.geometry;
    for (std::size_t i = 0; i < g.chips.size(); ++i) { // what is on stage is full, the others are outlines
        const bool shown = p.model.rungs[i].side >= 0;
        painter.setPen(QPen(shown ? theme.ink : theme.ink3, 1));
        painter.setBrush(shown ? theme.fill : theme.surface);
        painter.drawRoundedRect(g.chips[i].adjusted(0.5, 1.5, -0.5, -1.5), 5, 5);
        painter.setFont(text_font(metrics::text - 1, shown ? QFont::DemiBold : QFont::Normal));
        painter.setPen(shown ? theme.ink : theme.ink2);
        draw_text(painter, g.chips[i], Qt::AlignCenter, chip_text(p.model, i, g.short_chips));
    }
    painter.setFont(text_font(metrics::text - 1));
    painter.setPen(theme.ink2);
    for (const RungsGeometry::WayLabel& label : g.ways) draw_text(painter, label.rect, Qt::AlignCenter, way_word(label.way));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ink);
    for (const RungsGeometry::Button& button : g.buttons) {
        const QPointF c = button.rect.center();
        const double d = 4.5 * button.by;
        painter.drawPolygon(QPolygonF({{c.x() - d * 0.8, c.y() - 5}, {c.x() - d * 0.8, c.y() + 5}, {c.x() + d, c.y()}}));
    }
}

void paint_progress(QPainter& painter, const RungsPicture& p, const Theme& theme) {
    const RungsGeometry& g = p.geometry;
    if (g.track.isNull()) return;
    const std::size_t drives = p.model.sides[1].drives ? 1 : 0;
    const double x = g.track.left() + p.model.share(drives) * g.track.width();
    painter.fillRect(g.track, theme.line);
    painter.fillRect(QRectF(g.track.topLeft(), QPointF(x, g.track.bottom())), theme.ink3);
    if (p.model.at_step) painter.fillRect(QRectF(std::round(x) - 1, g.track.top() - 3, p.sparse ? 4 : 2, g.track.height() + 6), theme.ink);
    const QFont font = text_font(metrics::small_text);
    const TextMetrics fm(font);
    const double height = std::round(fm.capHeight()), mark = provenance_width(Provenance::counted, height), base = g.progress.center().y() + fm.capHeight() / 2;
    paint_provenance(painter, {g.progress.left(), base}, Provenance::counted, height, theme.ink2);
    painter.setFont(font);
    painter.setPen(theme.ink);
    const QString words = p.sparse ? class_progress_words(p.model) : progress_words(p.model), shorter = short_progress_words(p.model);
    const double room = g.progress.width() - mark;
    draw_text(painter, QPointF(g.progress.left() + mark, base), fm.elidedText(fm.horizontalAdvance(words) > room ? shorter : words, Qt::ElideRight, room));
}

void paint_heads(QPainter& painter, const RungsPicture& p, const Theme& theme) {
    const RungsGeometry& g = p.geometry;
    for (std::size_t side = 0; side < 2; ++side) {
        if (g.heads[side].isNull()) continue;
        const QFont name = text_font(metrics::text, QFont::Bold), small = text_font(metrics::small_text, QFont::Medium);
        painter.setFont(name);
        painter.setPen(theme.ink);
        draw_text(painter, g.heads[side], Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(name).elidedText(head_words(p.model, side), Qt::ElideRight, g.heads[side].width()));
        if (g.so_far[side].width() <= 0 || !p.model.walks()) continue;
        painter.setFont(small);
        const TextMetrics fm(small);
        const QString words = so_far_words(p.model, side);
        draw_text(painter, g.so_far[side], Qt::AlignLeft | Qt::AlignVCenter, fm.elidedText(fm.horizontalAdvance(words) > g.so_far[side].width() ? so_far_words(p.model, side, true) : words, Qt::ElideRight, g.so_far[side].width()));
    }
}

void paint_right(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, box, Qt::AlignRight | Qt::AlignVCenter, text);
}

/// How many times more or fewer as a length from the middle: twice as many is one unit to the right, half as many one to the left.
void paint_change(QPainter& painter, const RungCount& count, const QRectF& box, double most, bool largest, const Theme& theme) {
    const std::optional<double> factor = count.factor();
    const double middle = std::round(box.center().x()), height = largest ? 9 : 6, top = std::round(box.center().y() - height / 2);
    painter.fillRect(QRectF(middle, box.top() + 2, 1, box.height() - 4), theme.line);
    if (!factor || !(*factor > 1)) return;
    const double length = std::max(1.5, std::log2(*factor) / most * (box.width() / 2 - 1));
    painter.fillRect(count.grows() ? QRectF(middle + 1, top, length, height) : QRectF(middle - length, top, length, height), largest ? theme.ink : theme.ink3);
}

void paint_table(QPainter& painter, const RungsPicture& p, const Theme& theme) {
    const RungsGeometry& g = p.geometry;
    std::vector<std::size_t> shown;
    for (const RungsGeometry::TableRow& row : g.table) shown.push_back(row.count);
    const int best = p.covered ? -1 : largest_change(p.model.counts, shown);
    double most = 1; // powers of two
    for (const RungCount& count : p.model.counts)
        if (const auto factor = count.factor()) most = std::max(most, std::log2(*factor));
    for (const QRectF& head : g.table_heads) {
        const auto row = std::find_if(g.table.begin(), g.table.end(), [&](const RungsGeometry::TableRow& each) { return std::abs(each.rect.left() - head.left()) < 1; });
        for (std::size_t side = 0; side < 2; ++side)
            paint_right(painter, QRectF(row->values[side].left(), head.top(), row->values[side].width(), head.height()), letter_of(side), table_font(true), theme.ink);
        painter.fillRect(QRectF(head.left(), head.bottom() - 1, head.width(), 1), theme.line);
    }
    for (const RungsGeometry::TableRow& row : g.table) {
        const RungCount& count = p.model.counts[row.count];
        const bool largest = static_cast<int>(row.count) == best && !row.ideal, changed = p.covered || count.of[0] != count.of[1];
        const QColor ink = row.ideal || !changed ? theme.ink2 : theme.ink;
        if (largest) { // the eye lands here
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.fill);
            painter.drawRoundedRect(row.rect.adjusted(-6, 0, 6, 0), 4, 4);
        }
        if (row.ideal) {
            const QFont font = number_font();
            painter.setFont(table_font());
            painter.setPen(theme.ink2);
            draw_text(painter, row.name, Qt::AlignRight | Qt::AlignVCenter, tr("ideal"));
            for (std::size_t side = 0; side < 2; ++side) paint_right(painter, row.values[side], count.ideal[side] ? grouped(static_cast<qint64>(*count.ideal[side])) : QStringLiteral("–"), font, theme.ink2);
            continue;
        }
        const QFont name = table_font(largest);
        const TextMetrics fm(name);
        const double height = std::round(fm.capHeight()), mark = provenance_width(count.provenance, height), base = row.name.center().y() + fm.capHeight() / 2;
        paint_provenance(painter, {row.name.left(), base}, count.provenance, height, theme.ink2);
        painter.setFont(name);
        painter.setPen(ink);
        draw_text(painter, QPointF(row.name.left() + mark, base), fm.elidedText(count_name(count), Qt::ElideRight, row.name.width() - mark));
        for (std::size_t side = 0; side < 2; ++side) paint_right(painter, row.values[side], value_text(count, side, p.sparse), number_font(largest), ink);
        if (!row.bar.isNull()) paint_change(painter, count, row.bar, most, largest, theme);
        if (!row.change.isNull()) paint_right(painter, row.change, change_text(count), table_font(largest), ink);
    }
}

} // namespace

void lay_out_rungs(RungsPicture& picture, const QRectF& area, bool sparse) {
    picture.sparse = sparse;
    const auto lay = [&](const Wish& wish) {
        picture.type = mono_font(wish.type).pixelSize();
        picture.comments = wish.comments;
        const RungsRoom room = room_of(picture.model, wish, sparse);
        picture.digit = room.digit;
        picture.geometry = lay_out_rungs(picture.model, room, area);
    };
    if (sparse) return lay({metrics::text, false});
    const auto fits = [&] { return picture.geometry.left_out == 0 && (!picture.model.rows || !picture.geometry.cells.empty()); };
    for (const int type : {14, 13, 12, 11}) {
        lay({type, true});
        if (fits() && picture.geometry.cut == 0) return;
    }
    constexpr std::size_t few = 5; // counts, where the code needs the room
    for (const Wish& wish : {Wish{13, true}, {12, true}, {11, true}, {13, false}, {12, false}, {11, false}, {12, false, few}, {11, false, few}}) {
        lay(wish);
        if (fits()) return;
    }
}

void paint_rungs(QPainter& painter, const RungsPicture& p, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    paint_head(painter, p, theme);
    paint_progress(painter, p, theme);
    paint_heads(painter, p, theme);
    paint_rungs_code(painter, p, theme);
    paint_table(painter, p, theme);
    if (p.geometry.why.isNull()) return;
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink);
    double top = p.geometry.why.top();
    for (const RungSide& side : p.model.sides) {
        if (side.why.isEmpty()) continue;
        const QRectF line(p.geometry.why.left(), top, p.geometry.why.width(), p.geometry.why.height());
        top = draw_paragraph(painter, line, Qt::AlignLeft | Qt::AlignTop, side.why).bottom();
    }
}

} // namespace gradus
