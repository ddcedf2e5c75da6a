#include "views/graph/graph_painter.hpp"

#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace gradus {

namespace {

constexpr double far = 6; // pixels: of a narrower box nothing but its place and colour can be seen

/// Made once per painting: a font that has been used knows its glyphs.
struct Fonts {
    QFont name, small_name, same_name, small_same_name, shape, value, same_value, label;
    explicit Fonts(double scale) {
        const auto size = [scale](int pixels) { return static_cast<int>(pixels * scale); };
        name = text_font(size(metrics::text), QFont::DemiBold);
        small_name = text_font(size(metrics::small_text), QFont::DemiBold);
        same_name = text_font(size(metrics::text));
        small_same_name = text_font(size(metrics::small_text));
        shape = same_value = mono_font(size(metrics::small_text));
        value = mono_font(size(metrics::small_text), QFont::DemiBold);
        label = text_font(size(metrics::small_text + 1));
    }
};

/// One line of text in the middle of a box; much cheaper than laying out a paragraph in it.
void paint_centred(QPainter& painter, const QRectF& box, const QString& text, const TextMetrics& fm, double width) {
    draw_text(painter, QPointF(box.center().x() - width / 2, box.center().y() + (fm.ascent() - fm.descent()) / 2), text);
}

void paint_arrow(QPainter& painter, const GraphArrow& arrow, double scale, const Fonts& fonts, const Theme& theme) {
    const QColor colour = arrow.reached ? theme.hue(arrow.role) : theme.ink3;
    QPen pen(colour, scale * (arrow.touched ? 2.5 : arrow.reached && !arrow.kept_its_bits ? 1.5 : 1), arrow.reached ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap, Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(arrow.points.data(), static_cast<int>(arrow.points.size()));
    const QPointF tip = arrow.points.back(), before = arrow.points[arrow.points.size() - 2];
    const double length = std::max(1.0, std::hypot(tip.x() - before.x(), tip.y() - before.y()));
    const QPointF along = (tip - before) / length, across(-along.y(), along.x());
    pen.setStyle(Qt::SolidLine); // dashes would leave little of a head
    painter.setPen(pen);
    const QPointF back = tip - along * 5 * scale, aside = across * 4 * scale, head[3] = {back + aside, tip, back - aside};
    painter.drawPolyline(head, 3);
    if (arrow.label.isEmpty()) return;
    const TextMetrics fm(fonts.label);
    const double width = fm.horizontalAdvance(arrow.label);
    const double ring = 6 * scale;
    const double free = arrow.label_room / 2 - ring - width / 2; // beside it
    if (free < 0) return; // it would run into a ring
    QRectF box(0, 0, arrow.label_room, 16 * scale);
    box.moveCenter(arrow.label_centre - QPointF(along.x() * std::clamp(free - 2, 0.0, 5.0), 0)); // over the shaft rather than the head
    painter.setFont(fonts.label);
    painter.setPen(arrow.reached ? colour : theme.ink2); // ink 3 is for lines
    paint_centred(painter, box, arrow.label, fm, width);
}

void paint_far_arrow(QPainter& painter, const GraphArrow& arrow, const Theme& theme) {
    painter.setPen(QPen(arrow.reached ? theme.hue(arrow.role) : theme.ink3, 0));
    painter.drawPolyline(arrow.points.data(), static_cast<int>(arrow.points.size()));
}

/// A parameter that was just written is the optimizer's doing; its corners still say what it is.
Role role_of(const GraphItem& item) { return item.updated ? Role::optimizer_state : item.role; }

void paint_far_box(QPainter& painter, const GraphItem& item, const Theme& theme) {
    QRectF box = item.rect;
    box.setWidth(std::max(1.0, box.width()));
    painter.fillRect(box, item.is_op || !item.reached ? theme.ink3 : theme.hue(role_of(item)));
}

void paint_box(QPainter& painter, const GraphItem& item, const Theme& theme) {
    const QRectF box = item.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    const bool square = item.role == Role::parameter && !item.is_op;
    const double radius = square ? 1.5 : item.loss ? box.height() / 2 : std::round(8 * item.scale) - 0.5; // straight sides begin on whole pixels
    QPen pen(item.is_op ? theme.ink3 : theme.hue(role_of(item)), item.loss ? 1.5 : 1, Qt::SolidLine, Qt::FlatCap);
    if (item.reached) {
        fill_rounded(painter, item.rect.toRect(), static_cast<int>(std::ceil(radius)), item.is_op ? theme.surface : theme.tint(role_of(item)));
    } else {
        pen = QPen(theme.ink3, 1, Qt::DashLine, Qt::FlatCap);
    }
    painter.setPen(pen);
    outline_rounded(painter, box, radius);
}

constexpr double name_aside = 5; // a name keeps clear of the edges, unless it is cut

/// A number stands whole or not at all.
void paint_line(QPainter& painter, const QRectF& line, const QString& text, const QFont& font, const QColor& colour) {
    if (text.isEmpty() || line.width() < far) return;
    const TextMetrics fm(font);
    const double width = fm.horizontalAdvance(text);
    if (width > line.width()) return;
    painter.setFont(font);
    painter.setPen(colour);
    paint_centred(painter, line, text, fm, width);
}

/// A name may be cut short: a tensor's in its middle, since "slope_f" and "slope_g" differ at their ends.
void paint_name(QPainter& painter, const QRectF& line, const QString& text, const QFont& font, const QColor& colour, Qt::TextElideMode cut) {
    const TextMetrics fm(font);
    const double width = fm.horizontalAdvance(text);
    if (text.isEmpty() || (width > line.width() && line.width() < 24)) return;
    painter.setFont(font);
    painter.setPen(colour);
    if (width <= line.width()) paint_centred(painter, line, text, fm, width);
    else draw_text(painter, line, Qt::AlignCenter, fm.elidedText(text, cut, line.width()));
}

/// The lines of text in a box: name, shape where there is room, value.
struct BoxLines {
    bool three;
    QRectF name, shape, value;
    /// Two lines fill a low box: there a number moves up, clear of its bar.
    double raised(const GraphItem& item) const { return item.bar >= 0 && !three && item.rect.height() < 48 * item.scale ? 3 : 0; }
    explicit BoxLines(const GraphItem& item) : three(item.rect.height() >= height_for_shapes * item.scale && !item.no_shape && !item.loss) {
        const double s = item.scale, block = (three ? 47 : 32) * s, width = item.rect.width();
        const double round = item.rect.height() / 2, deep = std::min(round, block / 2 - 2); // a pill is narrower where its lines end
        const double aside = item.loss ? std::min(round - std::sqrt(round * round - deep * deep) + 1, width / 4) : width < 56 ? 2.5 : 4 * s;
        const QRectF top(item.rect.left() + aside, item.rect.center().y() - block / 2, width - 2 * aside, 15 * s);
        name = top.adjusted(0, 0, 0, 2 * s);
        shape = top.translated(0, 17 * s);
        value = top.translated(0, (three ? 32 : 17) * s);
        value.translate(0, -raised(item));
    }
};

/// A lone size would be read as a number.
QString shape_text(const QString& shape) {
    return !shape.isEmpty() && shape.front().isDigit() && !shape.contains(QChar(0x00D7)) ? '(' + shape + ')' : shape;
}

/// "8.94e-8" → "8.9e-8" → "9e-8"; what has no decimals stays as it is.
QString with_a_digit_less(const QString& number) {
    bool is_number = false;
    const double value = QString(number).replace(QChar(0x2212), '-').toDouble(&is_number);
    const qsizetype end = number.indexOf('e') < 0 ? number.size() : number.indexOf('e'), point = number.indexOf('.');
    if (!is_number || point < 0) return number;
    const int decimals = static_cast<int>(end - point - 2);
    const QString shorter = QString::number(value, end < number.size() ? 'e' : 'f', decimals).replace(QStringLiteral("e-0"), QStringLiteral("e-"));
    return number.contains(QChar(0x2212)) ? with_minus(shorter) : shorter;
}

/// Its number, with some digits less than it has.
QString value_in(const GraphItem& item, int digits_less) {
    QString value = item.finite ? item.value : QStringLiteral("✕ ") + item.value;
    for (int less = 0; less < digits_less; ++less) value = with_a_digit_less(value);
    return value;
}

constexpr double sign_aside = 3; // a number with a sign before it does not fill its box from edge to edge

bool value_fits(const GraphItem& item, const Fonts& fonts, int digits_less) {
    const TextMetrics fm(item.bold ? fonts.value : fonts.same_value);
    const bool marked = item.kept_its_bits() && !item.loss; // a pill may leave the sign out
    return item.value.isEmpty() || fm.horizontalAdvance((marked ? QStringLiteral("=") : QString()) + value_in(item, digits_less)) <= BoxLines(item).value.width() - (marked ? sign_aside * item.scale : 0);
}

/// What the boxes of one row have in common, so that no box stands out.
struct RowWords {
    bool small_names = false; ///< smaller before shorter
    bool shapes = true;       ///< of boxes that wait for their numbers
    bool shape_lines = true;  ///< of boxes that have a line for their shape
    int digits_less = 0;      ///< which every number of the row gives up where one has no room for them
};
constexpr int most_digits_less = 2;

/// A pill is narrower than the boxes beside it: it gives up a digit of its own, but never says one alone.
int digits_less(const GraphItem& item, const RowWords& row, const Fonts& fonts) {
    return !item.loss ? row.digits_less : value_fits(item, fonts, 0) ? 0 : 1;
}

/// Its name, or its symbol where there is no room for that: shorter before cut.
const QString& name_in(const GraphItem& item, const Fonts& fonts) {
    return !item.symbol.isEmpty() && TextMetrics(fonts.small_name).horizontalAdvance(item.name) > BoxLines(item).name.width() ? item.symbol : item.name;
}

/// Or will have none: then its shape may stand there. Under a ruler no norm stands in a box.
bool waits_for_number(const GraphItem& item, Ruler ruler) {
    return item.measured.isEmpty() && (!item.made || item.labels || ruler != Ruler::none);
}

/// By the upper edges of boxes.
std::map<double, RowWords> words_of_rows(const GraphGeometry& geometry, const Fonts& fonts) {
    const TextMetrics name(fonts.name), shape(fonts.shape);
    std::map<double, RowWords> rows;
    for (const GraphItem& item : geometry.items) {
        if (item.rect.width() < far) continue;
        const BoxLines lines(item);
        RowWords& row = rows[item.rect.top()];
        row.small_names |= name.horizontalAdvance(name_in(item, fonts)) > lines.name.width() - name_aside;
        while (!item.loss && row.digits_less < most_digits_less && !value_fits(item, fonts, row.digits_less)) ++row.digits_less;
        row.shape_lines &= !lines.three || shape.horizontalAdvance(shape_text(item.shape)) <= lines.shape.width();
        row.shapes &= !waits_for_number(item, geometry.ruler) || item.loss || shape.horizontalAdvance(shape_text(item.shape)) <= lines.value.width();
    }
    return rows;
}

/// How every box of one graph writes its cost: with its mark and unit, without the mark, or without the unit FLOP, which the note
/// says: that one goes first. A number never gives up digits.
enum class CostForm : std::uint8_t { marked, with_unit, marked_bare, bare };

bool has_mark(CostForm form) { return form == CostForm::marked || form == CostForm::marked_bare; }

QString cost_text(const GraphItem& item, CostForm form) {
    QString text = item.measured;
    if (form == CostForm::bare || form == CostForm::marked_bare) text.remove(QStringLiteral("FLOP"));
    return text.trimmed();
}

/// Where a cost stands: closer to the edges than other lines, since it is longer.
QRectF cost_line(const GraphItem& item) {
    const QRectF line = BoxLines(item).value, box = item.rect.adjusted(2.5 * item.scale, 0, -2.5 * item.scale, 0);
    return item.loss ? line : QRectF(box.left(), line.top(), box.width(), line.height());
}

double cost_mark(const GraphItem& item, Ruler ruler) { return provenance_width(provenance_of(ruler), std::floor(8 * item.scale)); }

bool cost_fits(const GraphItem& item, CostForm form, Ruler ruler, const TextMetrics& fm) {
    const double aside = ruler != Ruler::flops || item.loss || form == CostForm::bare ? 0 : form == CostForm::marked ? 7 : 3; // more than the line leaves: there is a shorter form
    return fm.horizontalAdvance(cost_text(item, form)) + (has_mark(form) ? cost_mark(item, ruler) : 0) <= cost_line(item).width() - aside * item.scale;
}

/// The first form that all boxes have room for. A pill is narrower: what it has no room for in any form it leaves out.
CostForm cost_form(const GraphGeometry& geometry, const Fonts& fonts) {
    const TextMetrics fm(fonts.value);
    const bool flops = geometry.ruler == Ruler::flops;
    const CostForm shorter = flops ? CostForm::marked_bare : CostForm::with_unit, last = flops ? CostForm::bare : CostForm::with_unit;
    for (const CostForm form : {CostForm::marked, shorter}) {
        if (form == last) break;
        const bool all = std::all_of(geometry.items.begin(), geometry.items.end(), [&](const GraphItem& item) {
            if (item.measured.isEmpty() || item.rect.width() < far || cost_fits(item, form, geometry.ruler, fm)) return true;
            return item.loss && !cost_fits(item, shorter, geometry.ruler, fm);
        });
        if (all) return form;
    }
    return last;
}

/// What a box says of its cost; empty: no room, or it would be read as the loss.
QString measured_in(const GraphItem& item, CostForm form, Ruler ruler, const Fonts& fonts) {
    if (item.measured.isEmpty() || (item.loss && form == CostForm::bare)) return {};
    return cost_fits(item, form, ruler, TextMetrics(fonts.value)) ? cost_text(item, form) : QString();
}

void paint_names(QPainter& painter, const GraphItem& item, const RowWords& row, Ruler ruler, CostForm form, const Fonts& fonts, const Theme& theme) {
    const BoxLines lines(item);
    const QFont& font = row.small_names ? item.bold ? fonts.small_name : fonts.small_same_name : item.bold ? fonts.name : fonts.same_name;
    const double in_pill = item.loss ? 3 * item.scale : 0; // letters keep clear of a round outline
    const bool room = TextMetrics(fonts.shape).horizontalAdvance(shape_text(item.shape)) <= lines.value.width() - 2 * in_pill || !item.loss;
    const bool waits = waits_for_number(item, ruler) && row.shapes && room;
    const QString& name = name_in(item, fonts);
    const QColor& colour = item.reached ? theme.ink : theme.ink2;
    const bool measured = !measured_in(item, form, ruler, fonts).isEmpty();
    const bool lone = !lines.three && !waits && !measured && (!item.made || ruler != Ruler::none || !value_fits(item, fonts, digits_less(item, row, fonts)));
    if (lone) { // in the middle, where a pill is widest
        const QRectF middle(item.rect.left() + 2, lines.name.top(), item.rect.width() - 4, lines.name.height());
        return paint_name(painter, middle.translated(0, item.rect.center().y() - middle.center().y()), name, font, colour, Qt::ElideMiddle);
    }
    const TextMetrics fm(font);
    const qsizetype end = std::max(name.lastIndexOf(' '), name.lastIndexOf('_')) + 1; // of its first part: "layer ", "intercept_"
    const QString first = name.left(end).trimmed(), second = name.mid(end);
    if (lines.three && end > 0 && !second.isEmpty() && fm.horizontalAdvance(name) > lines.name.width() && // words before a shape
        std::max(fm.horizontalAdvance(first), fm.horizontalAdvance(second)) <= lines.name.width()) {
        paint_name(painter, lines.name, first, font, colour, Qt::ElideRight);
        return paint_name(painter, lines.shape, second, font, colour, Qt::ElideRight);
    }
    paint_name(painter, lines.name, name, font, colour, item.is_op ? Qt::ElideRight : Qt::ElideMiddle);
    if (lines.three && row.shape_lines) paint_line(painter, lines.shape, shape_text(item.shape), fonts.shape, theme.ink2);
    else if (!lines.three && waits)
        paint_line(painter, lines.value, shape_text(item.shape), fonts.shape, theme.ink2);
}

/// The room of a bar along the foot of a box, clear of its corners.
double bar_room(const GraphItem& item) {
    return item.rect.width() - 2 * std::min(item.rect.width() / 4, item.loss ? item.rect.height() * 0.4 : 7.0);
}

/// What the longest would fill, and how much of it this one does.
void paint_bar(QPainter& painter, const GraphItem& item, double longest, const Theme& theme) {
    const double foot = item.loss ? std::max(6.0, std::round(item.rect.height() / 5 - 1)) : 6; // on no outline, nor on that of the selected box; in a pill where it is wide
    const QRectF all(std::round(item.rect.center().x() - longest / 2), item.rect.bottom() - foot, longest, 3);
    painter.fillRect(all, theme.line);
    painter.fillRect(QRectF(all.left(), all.top(), std::max(1.0, item.bar * all.width()), all.height()), theme.ink);
}

void paint_measured(QPainter& painter, const GraphItem& item, Ruler ruler, CostForm form, const Fonts& fonts, const Theme& theme) {
    const QString said = measured_in(item, form, ruler, fonts);
    const QRectF line = cost_line(item);
    if (said.isEmpty() || !has_mark(form)) return paint_line(painter, line, said, fonts.value, theme.ink);
    const double mark = std::floor(8 * item.scale), before = cost_mark(item, ruler);
    const double width = before + TextMetrics(fonts.value).horizontalAdvance(said);
    const double left = line.center().x() - width / 2;
    paint_provenance(painter, {left, line.center().y() + mark / 2}, provenance_of(ruler), mark, theme.ink2);
    painter.setFont(fonts.value);
    painter.setPen(theme.ink);
    draw_text(painter, QRectF(left + before, line.top(), width, line.height()), Qt::AlignLeft | Qt::AlignVCenter, said);
}

/// Before every number that kept its bits: with a space where all boxes of the graph have room for it.
QString sign_of(const GraphGeometry& geometry, const std::map<double, RowWords>& rows, const Fonts& fonts) {
    const TextMetrics fm(fonts.same_value);
    const QString spaced = QStringLiteral("= ");
    const bool all = std::all_of(geometry.items.begin(), geometry.items.end(), [&](const GraphItem& item) {
        const auto row = rows.find(item.rect.top());
        if (!item.kept_its_bits() || item.loss || item.value.isEmpty() || row == rows.end()) return true;
        return fm.horizontalAdvance(spaced + value_in(item, row->second.digits_less)) <= BoxLines(item).value.width() - sign_aside * item.scale;
    });
    return all ? spaced : QStringLiteral("=");
}

void paint_value(QPainter& painter, const GraphItem& item, int digits_less, const QString& sign, const Fonts& fonts, const Theme& theme) {
    const BoxLines lines(item);
    const QRectF line = lines.value;
    const QFont& font = item.bold ? fonts.value : fonts.same_value;
    const TextMetrics fm(font);
    QString value = value_in(item, digits_less);
    if (item.kept_its_bits() && !value.isEmpty() && fm.horizontalAdvance(sign + value) <= line.width()) value = sign + value;
    paint_line(painter, line, value, font, item.finite ? theme.ink : theme.fault);
}

/// Three pixels away it is the cursor's, or the pointer's; on the box's own edge it says what is selected.
void paint_outline(QPainter& painter, const GraphItem& item, const Theme& theme, double width, bool own_edge) {
    const double away = own_edge ? -width / 2 : 3 + width / 2;
    const QRectF box = item.rect.adjusted(-away, -away, away, away);
    const double radius = item.loss ? box.height() / 2 : item.role == Role::parameter && !item.is_op ? 2 : std::round(8 * item.scale) + (own_edge ? -1 : 2);
    if (!own_edge) { // no arrow between a ring and its box
        painter.setPen(QPen(theme.surface, 3, Qt::SolidLine, Qt::FlatCap));
        outline_rounded(painter, item.rect.adjusted(-1.5, -1.5, 1.5, 1.5), std::max(2.0, radius - 2));
    }
    painter.setPen(QPen(theme.ink, width, Qt::SolidLine, Qt::FlatCap));
    outline_rounded(painter, box, radius);
}

} // namespace

QRectF value_line(const GraphItem& item) {
    const BoxLines lines(item);
    const QRectF line = lines.value.translated(0, lines.raised(item)), box = item.rect; // clear of the shape: no bar is seen, either
    const double bottom = std::min(line.bottom() + 4, box.bottom() - 3); // a sign is as high as a capital, with room round it
    const double round = box.height() / 2, deep = std::min(bottom - box.center().y(), round);
    const double aside = item.loss ? std::min(round - std::sqrt(round * round - deep * deep) + 3, box.width() / 3) : 4; // inside its outline, a pill's too
    return QRectF(box.left() + aside, line.top() + 1, box.width() - 2 * aside, bottom - line.top() - 1);
}

QStringList symbols_shown(const GraphGeometry& geometry) {
    QStringList out;
    constexpr double narrow = 96; // pixels: in wider boxes every name of an op is whole
    const bool some = std::any_of(geometry.items.begin(), geometry.items.end(), [&](const GraphItem& item) {
        return !item.symbol.isEmpty() && item.rect.width() >= far && item.rect.width() < narrow * item.scale;
    });
    if (!some) return out;
    const Fonts fonts(geometry.scale);
    for (const GraphItem& item : geometry.items) {
        if (item.rect.width() < far || name_in(item, fonts) == item.name) continue;
        const QString said = item.symbol + QStringLiteral(": ") + item.name;
        if (!out.contains(said)) out << said;
    }
    return out;
}

QStringList costs_shown(const GraphGeometry& geometry) {
    QStringList out;
    const Fonts fonts(geometry.scale);
    const CostForm form = cost_form(geometry, fonts);
    for (const GraphItem& item : geometry.items) {
        const QString said = item.rect.width() < far || item.covered ? QString() : measured_in(item, form, geometry.ruler, fonts);
        out << (has_mark(form) && !said.isEmpty() ? '|' + said : said);
    }
    return out;
}

bool matrices_have_shapes(const GraphGeometry& geometry) {
    const TextMetrics shape(Fonts(geometry.scale).shape);
    return std::all_of(geometry.items.begin(), geometry.items.end(), [&](const GraphItem& item) {
        const BoxLines lines(item);
        return item.role != Role::parameter || item.is_op || !lines.three || shape.horizontalAdvance(shape_text(item.shape)) <= lines.shape.width();
    });
}

void paint_structure(QPainter& painter, const GraphGeometry& geometry, const Theme& theme) {
    const bool all_far = std::all_of(geometry.items.begin(), geometry.items.end(),
                                     [](const GraphItem& item) { return item.rect.width() < far; });
    painter.setRenderHint(QPainter::Antialiasing, !all_far);
    const Fonts fonts(geometry.scale);
    for (const bool reached : {false, true}) // what some of those that share a line have reached lies over what others have not
        for (const GraphArrow& arrow : geometry.arrows)
            if (arrow.reached == reached) all_far ? paint_far_arrow(painter, arrow, theme) : paint_arrow(painter, arrow, geometry.scale, fonts, theme);
    const auto rows = words_of_rows(geometry, fonts);
    const CostForm form = cost_form(geometry, fonts);
    for (const GraphItem& item : geometry.items) {
        if (item.rect.width() < far) {
            paint_far_box(painter, item, theme);
            continue;
        }
        paint_box(painter, item, theme);
        paint_names(painter, item, rows.at(item.rect.top()), geometry.ruler, form, fonts, theme);
    }
}

void paint_values(QPainter& painter, const GraphGeometry& geometry, const Theme& theme, std::string_view hovered,
                  std::string_view selected, bool measures) {
    painter.setRenderHint(QPainter::Antialiasing);
    const Fonts fonts(geometry.scale);
    const auto rows = words_of_rows(geometry, fonts);
    const CostForm form = cost_form(geometry, fonts);
    const QString sign = sign_of(geometry, rows, fonts);
    double longest = 1e9; // one for all boxes, so that bars of equal length mean as much
    for (const GraphItem& item : geometry.items)
        if (item.bar >= 0) longest = std::min(longest, bar_room(item));
    for (const GraphItem& item : geometry.items) {
        if (item.bar >= 0) {
            const bool told = !item.loss || !measured_in(item, form, geometry.ruler, fonts).isEmpty(); // a pill with a bar alone would leave one guessing
            if (measures && told) paint_bar(painter, item, longest, theme);
            if (!item.covered) paint_measured(painter, item, geometry.ruler, form, fonts, theme);
        } else if (geometry.ruler == Ruler::none) {
            const auto row = rows.find(item.rect.top());
            paint_value(painter, item, row == rows.end() ? most_digits_less : digits_less(item, row->second, fonts), sign, fonts, theme);
        }
        if (item.here) paint_outline(painter, item, theme, 2, false);
        else if (item.id == hovered) paint_outline(painter, item, theme, 1, false);
        if (item.id == selected) paint_outline(painter, item, theme, 2, true);
    }
}

} // namespace gradus
