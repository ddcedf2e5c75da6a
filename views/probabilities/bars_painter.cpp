// The bars: logits, probabilities and gradient per class, aligned.
#include "views/probabilities/probability_painter.hpp"

#include "views/probabilities/probability_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using Quantity = ProbabilityQuantity;
using Row = ProbabilityGeometry::Row;

constexpr double beside_axis = 6; // pixels between ticks and plot
constexpr double mark_away = 4;   // from a bar to the outline of what is chosen

QColor hue_of(Quantity quantity, const Theme& theme) { return theme.hue(probability_words::role_of(quantity)); }
QColor tint_of(Quantity quantity, const Theme& theme) { return theme.tint(probability_words::role_of(quantity)); }

void paint_axis(QPainter& painter, const Row& row, const Theme& theme) {
    painter.setFont(small_mono());
    const double line = TextMetrics(painter.font()).height();
    std::vector<double> ticks{row.low, row.high};
    const double middle = (row.low + row.high) / 2;
    if (row.plot.height() >= 2 * line) ticks.push_back(middle);
    for (const double tick : ticks) {
        const double y = row.y(tick);
        painter.setPen(QPen(tick == 0 ? theme.ink3 : theme.line, 1));
        painter.drawLine(QPointF(row.plot.left(), y), QPointF(row.plot.right(), y));
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(row.area.left(), y - line / 2, row.plot.left() - row.area.left() - beside_axis, line),
                  Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, with_minus(QString::number(tick)));
    }
}

void paint_zero(QPainter& painter, const Row& row, const Theme& theme) {
    if (row.low >= 0) return; // 0 is the lower end
    painter.setPen(QPen(theme.ink3, 1));
    painter.drawLine(QPointF(row.plot.left(), row.y(0)), QPointF(row.plot.right(), row.y(0)));
}

void paint_name(QPainter& painter, const ProbabilityPicture& p, const Row& row, const Theme& theme) {
    painter.setPen(hue_of(row.quantity, theme));
    if (row.title.isNull()) {
        painter.setFont(text_font(metrics::text, QFont::DemiBold));
        const double line = TextMetrics(painter.font()).height();
        draw_text(painter, QRectF(row.area.left(), row.plot.top() + (row.plot.height() - line) / 2, 24, line), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                  probability_words::symbol_of(row.quantity));
        return;
    }
    painter.setFont(text_font(metrics::text, QFont::DemiBold));
    const QString title = probability_words::title_of(row.quantity);
    draw_text(painter, row.title, Qt::AlignLeft | Qt::AlignVCenter, title);
    const double left = row.title.left() + TextMetrics(painter.font()).horizontalAdvance(title) + 2 * metrics::gap;
    if (const QRectF loss = loss_rect(p); row.quantity == Quantity::p && !loss.isNull()) {
        painter.setFont(small_mono());
        painter.setPen(theme.ink);
        draw_text(painter, loss, Qt::AlignLeft | Qt::AlignVCenter, probability_words::loss_text(p.row));
    }
    const QString hint = probability_words::tr("pull a bar up or down");
    painter.setFont(text_font(metrics::small_text));
    if (row.quantity != Quantity::z || p.sparse || TextMetrics(painter.font()).horizontalAdvance(hint) > row.plot.right() - left) return;
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(left, row.title.top(), row.plot.right() - left, row.title.height()), Qt::AlignRight | Qt::AlignVCenter, hint);
}

/// What is written over the bars of a row in one form; nothing where it has no room.
QStringList numbers_in(const ProbabilityPicture& p, const Row& row, bool short_numbers) {
    const ProbabilityGeometry& g = p.geometry;
    if (g.number_line <= 0 || p.to_come(row.quantity)) return {};
    const TextMetrics fm(small_mono(QFont::Bold));
    const double room = g.column(row, 0).width() - 4;
    QStringList out;
    for (std::size_t i = 0; i < p.row.classes(); ++i) {
        const double value = p.value(row.quantity, i);
        out << (short_numbers ? probability_words::short_number(value) : probability_words::number(value));
        if (fm.horizontalAdvance(out.back()) > room) return {};
    }
    return out;
}

/// Three digits or two decimals: logits by their own room, the others alike.
QStringList numbers_of(const ProbabilityPicture& p, const Row& row) {
    if (row.quantity != Quantity::z) return numbers_in(p, row, has_short_numbers(p));
    const QStringList full = numbers_in(p, row, false);
    return full.isEmpty() ? numbers_in(p, row, true) : full;
}

void paint_bar(QPainter& painter, const ProbabilityPicture& p, const Row& row, std::size_t i, const Theme& theme) {
    const double value = p.value(row.quantity, i);
    if (!std::isfinite(value)) {
        painter.setFont(small_mono(QFont::Bold));
        painter.setPen(theme.fault);
        draw_text(painter, p.geometry.bar_of(row, i, 0).adjusted(-20, -10, 20, 10), Qt::AlignCenter, QStringLiteral("✕"));
        return;
    }
    const QRectF bar = p.geometry.bar_of(row, i, value);
    const QColor hue = hue_of(row.quantity, theme);
    if (p.to_come(row.quantity)) {
        painter.setPen(QPen(theme.ink3, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    fill_bar(painter, bar, row.quantity == Quantity::z ? tint_of(row.quantity, theme) : hue);
}

/// The end of a logit's bar: what one takes hold of.
void paint_end(QPainter& painter, const ProbabilityPicture& p, const Row& row, std::size_t i, const Theme& theme) {
    const double value = p.value(row.quantity, i);
    if (row.quantity != Quantity::z || p.to_come(row.quantity) || !std::isfinite(value)) return;
    const QRectF bar = p.geometry.bar_of(row, i, value);
    fill_bar(painter, QRectF(bar.left(), row.y(value) - 1.5, bar.width(), 3), hue_of(row.quantity, theme));
}

/// y is 1 at the right class: as high as the whole axis.
void paint_label(QPainter& painter, const ProbabilityPicture& p, const Row& row, const Theme& theme) {
    if (p.row.label() < 0) return;
    const double away = std::min(4.0, (p.geometry.column(row, 0).width() - p.geometry.bar) / 2);
    painter.setPen(QPen(theme.ink, p.sparse ? 2 : 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(p.geometry.bar_of(row, static_cast<std::size_t>(p.row.label()), 1).adjusted(-away, 0, away, 0));
}

/// Over a row of outlines, where its numbers will stand.
void paint_to_come(QPainter& painter, const ProbabilityPicture& p, const Row& row, const Theme& theme) {
    const QString words = to_come_words(p, row);
    if (words.isEmpty()) return;
    const double line = p.geometry.contents.line; // without numbers it reaches into the row above, which has none, too
    painter.setFont(text_font(small_mono(QFont::Normal).pixelSize()));
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(row.plot.left(), row.plot.top() - line, row.plot.width(), line), Qt::AlignRight | Qt::AlignVCenter, words);
}

void paint_row(QPainter& painter, const ProbabilityPicture& p, const Row& row, const Theme& theme) {
    paint_axis(painter, row, theme);
    paint_zero(painter, row, theme);
    paint_to_come(painter, p, row, theme);
    paint_name(painter, p, row, theme);
    for (std::size_t i = 0; i < p.row.classes(); ++i) paint_bar(painter, p, row, i, theme);
    if (row.quantity == Quantity::z) paint_zero(painter, row, theme); // a tint would hide it; a full bar of one pixel is not hidden by it
    for (std::size_t i = 0; i < p.row.classes(); ++i) paint_end(painter, p, row, i, theme);
    if (row.quantity == Quantity::p) paint_label(painter, p, row, theme);
    const QStringList numbers = numbers_of(p, row);
    for (std::size_t i = 0; i < static_cast<std::size_t>(numbers.size()); ++i) {
        const double value = p.value(row.quantity, i);
        const bool pulled = row.quantity == Quantity::z && p.pull && p.pull->at == i;
        painter.setFont(small_mono(pulled ? QFont::Bold : QFont::Normal));
        painter.setPen(std::isfinite(value) ? theme.ink : theme.fault);
        const QString& number = numbers[static_cast<qsizetype>(i)];
        const QRectF box = number_rect(p, row, i);
        const double wide = TextMetrics(painter.font()).horizontalAdvance(number), high = TextMetrics(painter.font()).capHeight() + 2;
        painter.fillRect(QRectF(box.center().x() - wide / 2, box.center().y() - high / 2, wide, high), theme.surface); // the axis' lines pass behind it
        draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, number);
    }
    const QRectF mark = mark_rect(p, row);
    if (mark.isNull()) return;
    painter.setPen(QPen(theme.ink, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(mark);
}

/// Every one of them where they fit, else every second, fifth, …; the right one always.
void paint_classes(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const ProbabilityGeometry& g = p.geometry;
    const std::size_t classes = p.row.classes();
    const QFont bold = small_mono(QFont::Bold);
    const double column = g.classes.width() / static_cast<double>(classes), wide = TextMetrics(bold).horizontalAdvance(QString::number(classes)) + 4;
    std::size_t stride = 1;
    for (const std::size_t next : {2, 5, 10, 20, 50})
        if (column * static_cast<double>(stride) < wide) stride = next;
    const auto label = static_cast<std::size_t>(std::max(0, p.row.label()));
    const bool known = p.row.label() >= 0;
    for (std::size_t i = 0; i < classes; ++i) {
        const bool right = known && i == label;
        const bool near = known && !right && std::max(i, label) - std::min(i, label) < stride; // leaves it its room
        if (!right && (i % stride != 0 || near)) continue;
        painter.setFont(right ? bold : small_mono());
        painter.setPen(right ? theme.ink : theme.ink2);
        const QString number = QString::number(i), named = number + QStringLiteral(" = y");
        const bool fits = right && TextMetrics(bold).horizontalAdvance(named) + 4 <= column;
        draw_text(painter, QRectF(g.classes.left() + column * (static_cast<double>(i) + 0.5) - wide, g.classes.top(), 2 * wide, g.classes.height()),
                  Qt::AlignCenter | Qt::TextDontClip, fits ? named : number);
    }
    const QString word = probability_words::tr("class");
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink2);
    const QRectF box(g.rows.front().area.left(), g.classes.top(), g.classes.left() - g.rows.front().area.left() - beside_axis, g.classes.height());
    if (TextMetrics(painter.font()).horizontalAdvance(word) <= box.width()) draw_text(painter, box, Qt::AlignRight | Qt::AlignVCenter, word);
}

} // namespace

bool has_short_numbers(const ProbabilityPicture& picture) {
    const auto& rows = picture.geometry.rows;
    const bool bars = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
        return row.quantity != Quantity::z && numbers_in(picture, row, false).isEmpty() && !numbers_in(picture, row, true).isEmpty();
    });
    return bars || (!words_fit(picture, false) && words_fit(picture, true));
}

QRectF mark_rect(const ProbabilityPicture& picture, const ProbabilityGeometry::Row& row) {
    const bool pulled = picture.pull && row.quantity == Quantity::z;
    if (!pulled && picture.marked != row.quantity) return {};
    const std::size_t at = pulled ? picture.pull->at : picture.marked_class;
    if (at >= picture.row.classes()) return {};
    return picture.geometry.bar_of(row, at, picture.value(row.quantity, at)).adjusted(-mark_away, -mark_away, mark_away, mark_away);
}

QRectF number_rect(const ProbabilityPicture& picture, const ProbabilityGeometry::Row& row, std::size_t i) {
    const ProbabilityGeometry& g = picture.geometry;
    const double value = picture.value(row.quantity, i), line = g.number_line;
    const QRectF column = g.column(row, i), mark = mark_rect(picture, row);
    QRectF clear_of = g.bar_of(row, i, value);
    if (!mark.isNull() && column.contains(mark.center())) clear_of = mark;
    if (row.quantity == Quantity::p) return {column.left(), std::min(row.plot.top(), clear_of.top()) - line, column.width(), line};
    return {column.left(), value < 0 ? clear_of.bottom() : clear_of.top() - line, column.width(), line};
}

QString to_come_words(const ProbabilityPicture& picture, const ProbabilityGeometry::Row& row) {
    if (!picture.to_come(row.quantity) || row.quantity == Quantity::z) return {};
    const TextMetrics fm(text_font(small_mono(QFont::Normal).pixelSize()));
    for (const QString& text : {probability_words::tr("outlines: computed later in this step"), probability_words::tr("outlines: computed later")})
        if (fm.horizontalAdvance(text) <= row.plot.width()) return text;
    return {};
}

QRectF loss_rect(const ProbabilityPicture& picture) {
    const Row* row = picture.geometry.row(Quantity::p);
    const QString text = probability_words::loss_text(picture.row);
    if (!row || row->title.isNull() || picture.p_to_come || text.isEmpty()) return {};
    const double title = TextMetrics(text_font(metrics::text, QFont::DemiBold)).horizontalAdvance(probability_words::title_of(Quantity::p));
    const double wide = std::ceil(TextMetrics(small_mono()).horizontalAdvance(text)) + 8;
    const double from = title + 2 * metrics::gap; // beside what the row is, away from the numbers over its bars
    if (from + wide > row->title.width()) return {};
    return {row->title.left() + from, row->title.top(), wide, row->title.height()};
}

void paint_probability_bars(QPainter& painter, const ProbabilityPicture& picture, const Theme& theme) {
    if (picture.geometry.rows.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Row& row : picture.geometry.rows) paint_row(painter, picture, row, theme);
    paint_classes(painter, picture, theme);
}

} // namespace gradus
