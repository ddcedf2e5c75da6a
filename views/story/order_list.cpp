#include "views/story/order_list.hpp"

#include "views/text/rich_painter.hpp"
#include "views/theme/words.hpp"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace gradus {

namespace {
constexpr double row_gap = 8, words_left = 34, right_room = 44; // pixels; left of the words stands the grip
} // namespace

OrderList::OrderList(const StoryLook& look, const std::vector<StoryOption>& options, QWidget* parent)
    : QWidget(parent), look_(look) {
    setFocusPolicy(Qt::StrongFocus);
    for (const StoryOption& option : options) rows_.push_back({option, parse_rich(option.words, false)});
    describe();
}

void OrderList::setLook(const StoryLook& look) {
    look_ = look;
    update();
}

QStringList OrderList::order() const {
    QStringList ids;
    for (const Row& row : rows_) ids += row.option.id;
    return ids;
}

void OrderList::setOrder(const QStringList& ids) {
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
        return ids.indexOf(a.option.id) < ids.indexOf(b.option.id);
    });
    describe();
    update();
}

void OrderList::setRight(const QStringList& ids) {
    if (ids == right_) return;
    right_ = ids;
    held_ = false;
    update();
}

void OrderList::setNumbers(const QHash<QString, QString>& numbers) {
    if (numbers == numbers_) return;
    numbers_ = numbers;
    describe();
    update();
}

double OrderList::roomAtRight() const {
    const TextMetrics fm(look_.mono(13));
    double widest = 0;
    for (const QString& number : numbers_) widest = std::max(widest, fm.horizontalAdvance(number) + 10);
    return (right_.isEmpty() ? 12 : right_room) + std::ceil(widest);
}

RichGeometry OrderList::wordsOf(const Row& row, double width) const {
    return lay_out(row.words, look_.rich(14, 20, QFont::Medium), width - 2 * ring_room - words_left - roomAtRight());
}

std::vector<QRectF> OrderList::rects(double width) const {
    std::vector<QRectF> out;
    double y = ring_room;
    for (const Row& row : rows_) {
        const double height = std::ceil(wordsOf(row, width).height) + 18;
        out.emplace_back(ring_room, y, width - 2 * ring_room, height);
        y += height + row_gap;
    }
    return out;
}

int OrderList::heightNeeded(double width) const {
    const auto all = rects(width);
    return all.empty() ? 0 : static_cast<int>(std::ceil(all.back().bottom() + ring_room));
}

void OrderList::describe() {
    QStringList words;
    for (const Row& row : rows_) {
        const QString number = numbers_.value(row.option.id);
        words += number.isEmpty() ? row.words.plain() : row.words.plain() + ": " + number;
    }
    setAccessibleName(tr("Order: %1").arg(words.join(", ")));
}

void OrderList::moveRow(int from, int to) {
    to = std::clamp(to, 0, static_cast<int>(rows_.size()) - 1);
    if (from == to) return;
    Row row = std::move(rows_[static_cast<std::size_t>(from)]);
    rows_.erase(rows_.begin() + from);
    rows_.insert(rows_.begin() + to, std::move(row));
    current_ = to;
    describe();
    update();
    emit reordered();
}

bool OrderList::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // the window's keys, while this has the focus
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down || key->key() == Qt::Key_Space) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void OrderList::keyPressEvent(QKeyEvent* event) {
    if (!right_.isEmpty() || rows_.empty()) return QWidget::keyPressEvent(event);
    const int step = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (event->key() == Qt::Key_Space) held_ = !held_;
    else if (step == 0) return QWidget::keyPressEvent(event);
    else if (held_) moveRow(current_, current_ + step);
    else current_ = std::clamp(current_ + step, 0, static_cast<int>(rows_.size()) - 1);
    update();
}

void OrderList::mousePressEvent(QMouseEvent* event) {
    const auto all = rects(width());
    for (std::size_t i = 0; i < all.size() && right_.isEmpty(); ++i)
        if (all[i].contains(event->position())) {
            current_ = static_cast<int>(i);
            held_ = true;
            update();
        }
}

void OrderList::mouseMoveEvent(QMouseEvent* event) {
    if (!held_ || !(event->buttons() & Qt::LeftButton)) return;
    const auto all = rects(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool up = static_cast<int>(i) < current_ && event->position().y() < all[i].center().y();
        const bool down = static_cast<int>(i) > current_ && event->position().y() > all[i].center().y();
        if (up || down) {
            moveRow(current_, static_cast<int>(i));
            if (up) break; // the topmost that it passed; downwards the last
        }
    }
}

void OrderList::mouseReleaseEvent(QMouseEvent*) {
    held_ = false;
    update();
}

void OrderList::focusInEvent(QFocusEvent* event) {
    ring_ = event->reason() != Qt::MouseFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void OrderList::focusOutEvent(QFocusEvent* event) {
    held_ = ring_ = false;
    QWidget::focusOutEvent(event);
    update();
}

void OrderList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = look_.theme;
    const auto all = rects(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRectF& row = all[i];
        const bool here = static_cast<int>(i) == current_ && hasFocus() && right_.isEmpty();
        painter.setPen(QPen(here && held_ ? theme.ink : theme.ink3, here && held_ ? 2 : 1));
        painter.setBrush(here && held_ ? theme.fill : theme.surface);
        painter.drawRoundedRect(row.adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
        if (here && ring_) {
            painter.setPen(QPen(theme.ink, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(row.adjusted(-3, -3, 3, 3), metrics::radius + 3, metrics::radius + 3);
        }
        const double middle = row.center().y();
        if (right_.isEmpty()) {
            painter.setPen(QPen(theme.ink3, 1.5, Qt::SolidLine, Qt::RoundCap));
            for (const double dy : {-4.0, 0.0, 4.0}) painter.drawLine(QPointF(row.left() + 12, middle + dy), QPointF(row.left() + 22, middle + dy));
        } else {
            painter.setFont(look_.mono(13));
            painter.setPen(theme.ink2);
            draw_text(painter, QRectF(row.left(), row.top(), words_left, row.height()), Qt::AlignCenter, QString::number(i + 1));
        }
        const RichGeometry words = wordsOf(rows_[i], width());
        paint_rich(painter, words, {row.left() + words_left, middle - words.height / 2}, rect(), theme, theme.ink);
        if (right_.isEmpty()) continue;
        painter.setFont(look_.mono(13));
        painter.setPen(theme.ink);
        draw_text(painter, row.adjusted(0, 0, -right_room, 0), Qt::AlignRight | Qt::AlignVCenter, numbers_.value(rows_[i].option.id));
        const auto place = right_.indexOf(rows_[i].option.id);
        const bool fits = place == static_cast<qsizetype>(i);
        painter.setFont(fits ? look_.text(15, QFont::DemiBold) : look_.mono(13, QFont::DemiBold));
        painter.setPen(theme.ink);
        const QString said = fits ? QStringLiteral("✓") : QStringLiteral("→ %1").arg(place + 1);
        draw_text(painter, row.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, said);
    }
}

} // namespace gradus
