#include "views/story/story_button.hpp"

#include "views/text/rich_painter.hpp"
#include "views/theme/words.hpp"

#include <QFocusEvent>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

namespace gradus {

namespace {

constexpr double button_side = 10, over = 9, button_gap = 8; // pixels: beside and above the words, between buttons
constexpr double beside = 10, below = 6;       // between a picture and its words
constexpr double beside_number = 48;           // kept for a number that is still to come

QString tick() { return QStringLiteral("✓"); }

bool is_number(const QString& words) {
    static const QRegularExpression number("^[+\\-−]?[0-9][0-9 .,e]*( ?[%A-Za-z]+)?$");
    return number.match(words).hasMatch();
}

} // namespace

StoryButton::StoryButton(const StoryLook& look, const QString& words, QWidget* parent)
    : QAbstractButton(parent), look_(look) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setWords(words);
}

void StoryButton::setLook(const StoryLook& look) {
    look_ = look;
    laid_ = -1;
    update();
}

void StoryButton::setWords(const QString& words) {
    words_ = words;
    rich_ = parse_rich(words, false);
    setAccessibleName(rich_.plain());
    laid_ = -1;
    update();
}

void StoryButton::setNumber(const QString& number) {
    if (number == number_) return;
    number_ = number;
    laid_ = -1;
    setAccessibleName(number.isEmpty() ? rich_.plain() : rich_.plain() + ": " + number);
    update();
}

void StoryButton::setPicture(const QImage& picture) {
    if (picture == picture_) return;
    picture_ = picture;
    laid_ = -1;
    update();
}

/// Each of its pixels is a block of so many pixels of the screen, at least two: 56 for a picture of 28.
QSizeF StoryButton::pictureSize() const {
    if (picture_.isNull()) return {};
    return QSizeF(picture_.size()) * std::max(2.0, std::round(look_.px(2 * picture_.height()) / picture_.height()));
}

bool StoryButton::pictureBeside(double width) const {
    return !picture_.isNull() && width - sides() - look_.px(20) - look_.px(beside_number) - pictureSize().width() - beside >= look_.px(80);
}

QRectF StoryButton::pictureRect() const {
    if (picture_.isNull()) return {};
    const QSizeF size = pictureSize();
    const double left = ring_room + button_side;
    if (pictureBeside(width())) return {QPointF(left, std::round((height() - size.height()) / 2)), size};
    return {QPointF(left, ring_room + over), size};
}

double StoryButton::wordsRoom(double width) const {
    if (!picture_.isNull() && !pictureBeside(width)) return width - sides(); // tick and number stand beside the picture
    return width - sides() - tickRoom(width) - numberRoom() - (picture_.isNull() ? 0 : pictureSize().width() + beside);
}

void StoryButton::setState(Look state, bool ticked) {
    if (state == state_ && ticked == ticked_) return;
    if (ticked != ticked_) laid_ = -1;
    state_ = state;
    ticked_ = ticked;
    setAccessibleDescription(ticked ? tr("right") : state == Look::plain ? QString() : tr("your choice"));
    update();
}

RichStyle StoryButton::style() const { return look_.rich(14, 20, is_number(words_) ? QFont::DemiBold : QFont::Medium); }

double StoryButton::sides() const { return 2 * (button_side + ring_room); }

double StoryButton::tickRoom(double width) const {
    // A tick takes what is free beside words on one line, so that nothing jumps when it comes.
    const double needed = look_.px(20);
    if (!picture_.isNull()) return needed;
    return !(ticked_ || may_be_ticked_) || wordsWidth() + needed <= width - 2 * ring_room - 8 ? 0 : needed;
}

double StoryButton::numberRoom() const {
    return number_.isEmpty() ? 0 : std::ceil(TextMetrics(look_.mono(13)).horizontalAdvance(number_)) + 10;
}

const RichGeometry& StoryButton::laid(double width) const {
    if (laid_ != width) {
        geometry_ = lay_out(rich_, style(), std::max(40.0, width));
        laid_ = width;
    }
    return geometry_;
}

double StoryButton::wordsWidth() const { return std::ceil(lay_out(rich_, style(), 1e5).natural) + numberRoom() + 1; }

double StoryButton::naturalWidth() const {
    if (!picture_.isNull()) // words below it may take two lines
        return sides() + std::max(pictureSize().width() + beside + look_.px(beside_number), std::ceil(lay_out(rich_, style(), 1e5).natural / 2) + look_.px(20));
    return wordsWidth() + sides() + (may_be_ticked_ ? look_.px(20) : 0);
}

void StoryButton::setMayBeTicked() {
    may_be_ticked_ = true;
    laid_ = -1;
}

int StoryButton::heightNeeded(double width) const {
    const double words = std::ceil(laid(wordsRoom(width)).height), picture = pictureSize().height();
    const double inside = picture_.isNull() ? words : pictureBeside(width) ? std::max(words, picture) : picture + below + words;
    return static_cast<int>(std::ceil(inside)) + 2 * static_cast<int>(over + ring_room);
}

bool StoryButton::wraps(double width) const { return !picture_.isNull() || laid(wordsRoom(width)).lines.size() > 1; }

void StoryButton::setFromLeft(bool left) {
    if (std::exchange(from_left_, left) != left) update();
}

QSize StoryButton::sizeHint() const {
    const int width = static_cast<int>(naturalWidth());
    return {width, heightNeeded(width)};
}

void StoryButton::enterEvent(QEnterEvent* event) {
    hovered_ = true;
    update();
    QAbstractButton::enterEvent(event);
}

void StoryButton::leaveEvent(QEvent* event) {
    hovered_ = false;
    update();
    QAbstractButton::leaveEvent(event);
}

void StoryButton::focusInEvent(QFocusEvent* event) {
    ring_ = event->reason() != Qt::MouseFocusReason; // who clicks knows where they are
    QAbstractButton::focusInEvent(event);
    update();
}

void StoryButton::focusOutEvent(QFocusEvent* event) {
    ring_ = false;
    QAbstractButton::focusOutEvent(event);
    update();
}

void StoryButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = look_.theme;
    const bool filled = state_ == Look::chosen;
    const QRectF body = QRectF(rect()).adjusted(ring_room, ring_room, -ring_room, -ring_room);
    const double pen = state_ == Look::outlined ? 2 : 1;
    const bool dashed = !isEnabled() && state_ == Look::plain && theme.ink2 == theme.ink; // high contrast: a fainter ink says nothing
    painter.setPen(QPen(filled || state_ == Look::outlined ? theme.ink : isEnabled() ? theme.ink3 : theme.line, pen,
                        dashed ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(filled ? theme.ink : hovered_ && isEnabled() ? theme.fill : theme.surface);
    painter.drawRoundedRect(body.adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), metrics::radius, metrics::radius);
    if (ring_) {
        painter.setPen(QPen(theme.ink, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), metrics::radius + 3, metrics::radius + 3);
    }
    const bool marked = state_ != Look::plain || ticked_;
    const QColor ink = filled ? theme.surface : isEnabled() || marked ? theme.ink : theme.ink2;
    if (!picture_.isNull()) return paintPictured(painter, ink);
    const RichGeometry& words = laid(wordsRoom(width()));
    const double room = ticked_ ? look_.px(20) : 0;
    const bool one_line = words.lines.size() < 2;
    const double x = one_line && number_.isEmpty() && !from_left_ ? std::max(ring_room + 4.0, (width() - room - words.natural) / 2) : ring_room + button_side;
    paint_rich(painter, words, {std::max(double(ring_room), x), (height() - words.height) / 2}, rect(), theme, ink);
    if (!number_.isEmpty()) {
        painter.setFont(look_.mono(13));
        painter.setPen(ink);
        const double tick_width = ticked_ && !one_line ? look_.px(20) : 0;
        draw_text(painter, body.adjusted(0, 0, -button_side - tick_width, 0), Qt::AlignRight | Qt::AlignVCenter, number_);
    }
    if (!ticked_) return;
    painter.setFont(look_.text(15, QFont::DemiBold));
    painter.setPen(ink);
    const double at = one_line ? x + words.natural + look_.px(6) : width() - ring_room - look_.px(20);
    draw_text(painter, QRectF(at, 0, look_.px(14), height()), Qt::AlignCenter, tick());
}

/// Number and tick stand at the right end of the picture's row, whether the words do or not.
void StoryButton::paintPictured(QPainter& painter, const QColor& ink) const {
    const QRectF picture = pictureRect();
    const bool aside = pictureBeside(width());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(picture, picture_);
    painter.setPen(QPen(look_.theme.ink3, 1)); // a picture's edges may have the button's own shade
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(picture.adjusted(-0.5, -0.5, 0.5, 0.5));
    const RichGeometry& words = laid(wordsRoom(width()));
    const QPointF at = aside ? QPointF(picture.right() + beside, (height() - words.height) / 2) : QPointF(picture.left(), picture.bottom() + below);
    paint_rich(painter, words, at, rect(), look_.theme, ink);
    painter.setPen(ink);
    QRectF row(picture.right(), picture.top(), width() - ring_room - button_side - picture.right(), picture.height());
    if (ticked_) {
        painter.setFont(look_.text(15, QFont::DemiBold));
        draw_text(painter, QRectF(row.right() - look_.px(14), row.top(), look_.px(14), aside ? row.height() : row.height() / 2), Qt::AlignCenter, tick());
    }
    if (number_.isEmpty()) return;
    painter.setFont(look_.mono(13));
    if (aside) row.setRight(row.right() - (ticked_ ? look_.px(20) : 0));
    else row.setTop(row.center().y()); // below the tick
    draw_text(painter, row, Qt::AlignRight | Qt::AlignVCenter, number_);
}

namespace {

/// Widths if they fit into one row, equal if they can be; empty if they do not fit.
std::vector<double> widths_in_row(const std::vector<StoryButton*>& buttons, double width) {
    const auto count = static_cast<double>(buttons.size());
    const double room = width + 2 * ring_room - (count - 1) * (button_gap - 2 * ring_room);
    std::vector<double> widths;
    double widest = 0, sum = 0;
    for (const StoryButton* button : buttons) {
        widths.push_back(button->naturalWidth());
        widest = std::max(widest, widths.back());
        sum += widths.back();
    }
    if (buttons.size() > 4 || sum > room) return {};
    for (double& each : widths) each = widest <= room / count ? std::floor(room / count) : each + std::floor((room - sum) / count);
    return widths;
}

/// How many stand in a row of a grid of equal columns, in as few rows as there is room for; 1: under one another.
std::size_t columns_of(const std::vector<StoryButton*>& buttons, double width) {
    double widest = 0;
    for (const StoryButton* button : buttons) widest = std::max(widest, button->naturalWidth());
    for (std::size_t rows = 2; rows < buttons.size(); ++rows) {
        const std::size_t columns = (buttons.size() + rows - 1) / rows;
        const auto count = static_cast<double>(columns);
        if (columns <= 4 && widest <= (width + 2 * ring_room - (count - 1) * (button_gap - 2 * ring_room)) / count) return columns;
    }
    return 1;
}

double flow(const std::vector<StoryButton*>& buttons, QPointF at, double width, bool place) {
    if (buttons.empty()) return 0;
    std::vector<double> widths = widths_in_row(buttons, width);
    std::size_t columns = buttons.size();
    if (widths.empty()) {
        columns = columns_of(buttons, width);
        const auto count = static_cast<double>(columns);
        widths.assign(buttons.size(), std::floor((width + 2 * ring_room - (count - 1) * (button_gap - 2 * ring_room)) / count));
    }
    const bool from_left = columns == 1 && std::any_of(buttons.begin(), buttons.end(), [&](const StoryButton* button) { return button->wraps(widths[0]); });
    double y = at.y() - ring_room;
    for (std::size_t first = 0; first < buttons.size(); first += columns) {
        const std::size_t end = std::min(first + columns, buttons.size());
        double row = 0, x = at.x() - ring_room; // all of a row are as high as its highest
        for (std::size_t i = first; i < end; ++i) row = std::max(row, double(buttons[i]->heightNeeded(widths[i])));
        for (std::size_t i = first; i < end; ++i) {
            if (place) buttons[i]->setGeometry(QRectF(x, y, widths[i], row).toRect());
            if (place) buttons[i]->setFromLeft(from_left);
            x += widths[i] + button_gap - 2 * ring_room;
        }
        y += row + (end < buttons.size() ? button_gap - 2 * ring_room : 0);
    }
    return y - ring_room - at.y();
}

} // namespace

double place_buttons(const std::vector<StoryButton*>& buttons, QPointF at, double width) {
    return flow(buttons, at, width, true);
}

double height_of_buttons(const std::vector<StoryButton*>& buttons, double width) {
    return flow(buttons, {0, 0}, width, false);
}

} // namespace gradus
