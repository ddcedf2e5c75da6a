#include "app/window/vote_panel.hpp"

#include "views/theme/paragraph.hpp"
#include "views/theme/cover_painter.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr double heading = 40; // above the rows, in units
constexpr double inside = 26, key_side = 70, beside_key = 24, tick_room = 48;

/// From a paragraph's top to where the letters of its first line stand.
double first_base(const QString& text, const QFont& font, double width) {
    const TextMetrics fm(font);
    return fm.lineAscent(broken_at_spaces(text, fm, width).section('\n', 0, 0));
}

QString written(QString option) { return option.replace(QStringLiteral(" · "), QStringLiteral("\u00a0·\u00a0")); } // a product stays on its line
} // namespace

VotePanel::VotePanel(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {}

void VotePanel::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

QFont VotePanel::words() const { return text_font(static_cast<int>(std::lround(words_pixels_ * unit_)), QFont::DemiBold); }
QFont VotePanel::keyFont() const { return mono_font(static_cast<int>(std::lround(34 * unit_)), QFont::Medium); }
double VotePanel::baseOf(const QRectF& key) const { return key.center().y() + TextMetrics(keyFont()).capHeight() / 2; }
QFont VotePanel::quiet() const { return text_font(static_cast<int>(std::lround(28 * unit_))); }

void VotePanel::present(const StoryCheck& check, const Vote& vote, double unit) {
    if (check == check_ && vote.hands == vote_.hands && vote.closed == vote_.closed && unit == unit_) return;
    check_ = check;
    vote_ = vote;
    unit_ = unit;
    QStringList spoken;
    for (std::size_t i = 0; i < check_.options.size(); ++i)
        spoken << tr("%1: %2, votes: %3").arg(i + 1).arg(check_.options[i].words).arg(i < vote.hands.size() ? vote.hands[i] : 0);
    setAccessibleName(tr("Choices"));
    setAccessibleDescription(spoken.join("; "));
    lay();
    update();
}

void VotePanel::resizeEvent(QResizeEvent*) { lay(); }

QRectF VotePanel::rowsArea() const {
    const double in = inside * unit_;
    return QRectF(rect()).adjusted(in, in + (check_.found.isEmpty() ? 0 : heading * unit_), -in, -in);
}

double VotePanel::wantedWidth(const StoryCheck& check, double unit) {
    if (check.options.empty() || check.kind == StoryCheck::Kind::order) return 0; // an order has its numbers beside its words
    const TextMetrics fm(text_font(static_cast<int>(std::lround(30 * unit)), QFont::DemiBold));
    double words = 0;
    for (const StoryOption& option : check.options) {
        if (!option.picture.isNull()) return 0;
        words = std::max(words, fm.horizontalAdvance(written(option.words)));
    }
    return std::ceil(words + 1) + (2 * inside + key_side + beside_key + tick_room) * unit;
}

QFont VotePanel::foundFont() const { return mono_font(static_cast<int>(std::lround(28 * unit_))); }

QSizeF VotePanel::pictureSize(double pitch) const {
    QSizeF out(0, 0);
    for (const StoryOption& option : check_.options) {
        if (option.picture.isNull()) continue;
        const double most = std::min(pitch - 8 * unit_, 120 * unit_);
        out = out.expandedTo(QSizeF(option.picture.size()) * std::max(1.0, std::floor(most / option.picture.height())));
    }
    return out;
}

void VotePanel::lay() {
    rows_.clear();
    if (check_.options.empty()) return;
    const double u = unit_;
    const QRectF area = rowsArea();
    const auto count = static_cast<double>(check_.options.size());
    const double pitch = std::min(area.height() / count, 156 * u);
    const double key = std::min(key_side * u, pitch * 0.62), words_left = area.left() + key + beside_key * u;
    const QSizeF picture = pictureSize(pitch);
    const double left = words_left + (picture.isEmpty() ? 0 : picture.width() + 20 * u);
    const bool order = check_.kind == StoryCheck::Kind::order;
    const TextMetrics number(mono_font(static_cast<int>(std::lround(30 * u)), QFont::Bold));
    const double room = area.right() - left, count_width = number.horizontalAdvance("00") + 16 * u;
    double found_width = 0;
    for (const QString& found : check_.found) found_width = std::max(found_width, TextMetrics(foundFont()).horizontalAdvance(found) + 20 * u);
    const double bar_height = order ? 0 : std::clamp(pitch * 0.26, 14 * u, 34 * u);
    const int most = std::max(1, vote_.most());
    words_pixels_ = 30; // or a little less, if all then fit on one line
    const auto wraps = [&] {
        const TextMetrics fm(words());
        return std::any_of(check_.options.begin(), check_.options.end(), [&](const StoryOption& option) {
            return fm.horizontalAdvance(written(option.words)) > room - (order ? found_width : tick_room * u);
        });
    };
    if (wraps()) words_pixels_ = 28;
    QStringList order_ids; // an order is told in order once it is known
    if (order && check_.state == StoryCheck::State::committed) order_ids = check_.right;
    for (std::size_t i = 0; i < check_.options.size(); ++i) {
        const std::size_t at = order_ids.isEmpty() ? i : static_cast<std::size_t>(std::max<qsizetype>(0, order_ids.indexOf(check_.options[i].id)));
        Row row;
        const double top = area.top() + static_cast<double>(at) * pitch;
        row.key = QRectF(area.left(), top + (order ? (pitch - key) / 2 : 0), key, key);
        if (!check_.options[i].picture.isNull()) row.picture = QRectF(QPointF(std::round(words_left), std::round(top)), picture);
        row.words = QRectF(left, top, room - (order ? found_width : tick_room * u), pitch - bar_height - (order ? 0 : 12 * u));
        row.text = written(check_.options[i].words);
        row.found = check_.found.value(check_.options[i].id);
        row.number = QRectF(area.right() - found_width, top, found_width, pitch);
        row.hands = i < vote_.hands.size() ? vote_.hands[i] : 0;
        if (order) {
            const double high = paragraph_height(row.text, words(), row.words.width());
            const bool one_line = !broken_at_spaces(row.text, TextMetrics(words()), row.words.width()).contains('\n');
            row.words.setTop(one_line ? baseOf(row.key) - first_base(row.text, words(), row.words.width()) : top + std::max(0.0, (pitch - high) / 2));
            row.words.setHeight(std::min(high, top + pitch - row.words.top()));
        } else {
            // A line of words stands on the line of the key's number, where there is room, several in the middle of the key; the bar follows.
            const double words_height = paragraph_height(row.text, words(), row.words.width());
            const double spare = pitch - words_height - bar_height - 12 * u;
            const bool one_line = !broken_at_spaces(row.text, TextMetrics(words()), row.words.width()).contains('\n');
            const double wanted = one_line ? baseOf(row.key) - first_base(row.text, words(), row.words.width()) : row.key.center().y() - words_height / 2;
            const double above = one_line ? 0 : -8 * u; // two lines may be a little higher than the key
            row.words.moveTop(top + std::clamp(wanted - top, above, std::max(above, spare)));
            row.words.setHeight(words_height);
            const double tick = 40 * u;
            row.bar = QRectF(left, row.words.bottom() + 4 * u, (room - count_width - found_width) * row.hands / most, bar_height);
            row.count = QRectF(row.bar.right() + (row.hands > 0 ? 14 * u : 0), row.bar.top() - 4 * u, count_width, bar_height + 8 * u);
            row.number = QRectF(area.right() - found_width, row.count.top(), found_width, row.count.height());
            row.tick = one_line ? QRectF(area.right() - tick, row.words.top(), tick, std::min(words_height, 40 * u))
                                : QRectF(area.right() - tick, row.key.center().y() - 20 * u, tick, 40 * u);
        }
        row.right = !order && check_.state == StoryCheck::State::committed && check_.right.contains(check_.options[i].id);
        rows_.push_back(std::move(row));
    }
}

void VotePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double u = unit_;
    painter.setPen(QPen(theme_.line, 2 * u));
    painter.setBrush(theme_.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(u, u, -u, -u), 17 * u, 17 * u);
    if (check_.kind == StoryCheck::Kind::number) return paintValue(painter);
    const bool order = check_.kind == StoryCheck::Kind::order;
    if (!check_.found.isEmpty()) { // what the numbers at the right are
        painter.setFont(quiet());
        painter.setPen(theme_.ink2);
        const QRectF line(rowsArea().left(), 20 * u, rowsArea().width(), heading * u);
        draw_text(painter, line, Qt::AlignRight | Qt::AlignVCenter, check_.found_words);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        painter.setPen(QPen(theme_.ink, 3 * u));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(row.key.adjusted(1.5 * u, 1.5 * u, -1.5 * u, -1.5 * u), 12 * u, 12 * u);
        painter.setFont(keyFont());
        painter.setPen(theme_.ink);
        const QString digit = QString::number(i + 1); // which a class can say, and finds again in the right order
        draw_text(painter, QPointF(row.key.center().x() - TextMetrics(keyFont()).horizontalAdvance(digit) / 2, baseOf(row.key)), digit);
        if (!row.picture.isNull()) {
            painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
            painter.drawImage(row.picture, check_.options[i].picture);
            painter.setPen(QPen(theme_.ink2, 2 * u)); // its edges may have the panel's own shade
            painter.drawRect(row.picture.adjusted(-u, -u, u, u));
        }
        painter.setFont(words());
        painter.setPen(theme_.ink);
        draw_paragraph(painter, row.words, Qt::AlignTop | Qt::AlignLeft, row.text);
        painter.setFont(foundFont());
        draw_text(painter, row.number, Qt::AlignRight | Qt::AlignVCenter, row.found);
        if (order) continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme_.ink2);
        if (row.hands > 0) painter.drawRoundedRect(row.bar, 4 * u, 4 * u);
        if (row.hands > 0 || vote_.all() > 0) {
            painter.setFont(mono_font(static_cast<int>(std::lround(30 * u)), QFont::Bold));
            painter.setPen(theme_.ink);
            draw_text(painter, row.count, Qt::AlignLeft | Qt::AlignVCenter, QString::number(row.hands));
        }
        if (row.right) {
            painter.setPen(QPen(theme_.ink, 4.5 * u, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.setBrush(Qt::NoBrush);
            const QPointF c = row.tick.center();
            const QPointF tick[3] = {c + QPointF(-13, 1) * u, c + QPointF(-4, 11) * u, c + QPointF(14, -11) * u};
            painter.drawPolyline(tick, 3);
        }
    }
}

/// A number: nothing to choose from; what the engine says takes the place of the question mark.
void VotePanel::paintValue(QPainter& painter) const {
    const double u = unit_;
    const QRectF area = QRectF(rect()).adjusted(26 * u, 26 * u, -26 * u, -26 * u);
    const bool told = check_.state == StoryCheck::State::committed;
    QRectF place(0, 0, area.width(), std::min(area.height() * 0.6, 240 * u));
    place.moveCenter(area.center());
    if (!told) return paint_cover(painter, place, theme_, 2 * u);
    const auto width_of = [&](double pixels) {
        const TextMetrics fm(mono_font(static_cast<int>(std::lround(pixels)), QFont::Bold));
        return provenance_width(check_.provenance, fm.capHeight()) + fm.horizontalAdvance(check_.engine);
    };
    const double full = 64 * u;
    const QFont font = mono_font(static_cast<int>(std::floor(full * std::min(1.0, area.width() / width_of(full)))), QFont::Bold);
    const TextMetrics fm(font);
    painter.setFont(font);
    painter.setPen(theme_.ink);
    const double capital = fm.capHeight(), mark = provenance_width(check_.provenance, capital);
    const double width = mark + fm.horizontalAdvance(check_.engine);
    const QPointF base(area.center().x() - width / 2, place.center().y());
    paint_provenance(painter, base, check_.provenance, capital, theme_.ink2);
    draw_text(painter, base + QPointF(mark, 0), check_.engine);
    painter.setFont(quiet());
    painter.setPen(theme_.ink2);
    draw_paragraph(painter, QRectF(area.left(), base.y() + 24 * u, area.width(), area.bottom() - base.y() - 24 * u), Qt::AlignHCenter | Qt::AlignTop,
                   tr("%1 by the engine").arg(QCoreApplication::translate("Provenance", name_of(check_.provenance).data())));
}

} // namespace gradus
