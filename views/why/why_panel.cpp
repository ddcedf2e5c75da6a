#include "views/why/why_panel.hpp"

#include "views/theme/words.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double line_height = 42, foot_height = 34; // pixels

bool is_own_key(int key) {
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape: return true;
    default: return false;
    }
}

} // namespace

WhyPanel::WhyPanel(const Theme& theme, QWidget* parent) : Panel(theme, QString(), parent) {
    floatOverOthers();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void WhyPanel::present(const WhyStory& story) {
    const bool found = story.origin && story_.origin != story.origin;
    story_ = story;
    lines_ = why_lines(story);
    chosen_ = std::min(chosen_, static_cast<int>(lines_.size()) - 1);
    setTitle(why_title(story));
    QStringList spoken;
    for (const WhyLine& line : lines_) spoken << line.name + ' ' + line.value + (line.how.isEmpty() ? QString() : ", " + line.how);
    setAccessibleDescription(spoken.join("; ") + ". " + why_end(story));
    // Where it broke, with a little of what led there.
    if (story.chain.empty()) wanted_ = 0;
    scrollTo(found ? line_height * (static_cast<double>(*story.origin) - 4) : wanted_);
    update();
}

int WhyPanel::heightNeeded() const {
    return static_cast<int>(title_height + line_height * static_cast<double>(std::max<std::size_t>(1, lines_.size())) + foot_height + 6);
}

int WhyPanel::widthNeeded() const {
    constexpr double beside = 62, foot_beside = 2 * metrics::inside; // margins, the chain's marks
    const TextMetrics how(text_font(metrics::small_text)), name(mono_font(metrics::text, QFont::DemiBold)), foot(text_font(metrics::text - 1));
    double wide = foot.horizontalAdvance(why_end(story_)) + foot_beside;
    for (const WhyLine& line : lines_)
        wide = std::max({wide, how.horizontalAdvance(line.how) + beside, name.horizontalAdvance(line.name) + name.horizontalAdvance(line.value) + 12 + beside});
    return static_cast<int>(std::ceil(wide));
}

void WhyPanel::resizeEvent(QResizeEvent*) { scrollTo(wanted_); } // it grows with its lines a frame later

QRectF WhyPanel::closeRect() const { return {width() - 38.0, 10, 26, 26}; }

QRectF WhyPanel::list() const {
    return QRectF(rect()).adjusted(8, title_height - 2, -8, -foot_height);
}

QRectF WhyPanel::lineRect(std::size_t line) const {
    const QRectF all = list();
    return {all.left(), all.top() + line_height * static_cast<double>(line) - offset_, all.width(), line_height};
}

void WhyPanel::scrollTo(double offset) {
    wanted_ = std::max(0.0, offset);
    const double most = line_height * static_cast<double>(lines_.size()) - list().height();
    offset_ = std::clamp(offset, 0.0, std::max(0.0, most));
    update();
}

void WhyPanel::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().ink3, 1)); // it lies over other panels
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    const QPointF c = closeRect().center();
    painter.setPen(QPen(theme().ink2, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(c - QPointF(4, 4), c + QPointF(4, 4));
    painter.drawLine(c - QPointF(4, -4), c + QPointF(4, -4));
    painter.save();
    painter.setClipRect(list());
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (lineRect(i).intersects(list())) paintLine(painter, i);
    painter.restore();
    painter.setFont(text_font(metrics::text - 1));
    painter.setPen(theme().ink2);
    const QRectF foot(metrics::inside, height() - foot_height, width() - 2 * metrics::inside, foot_height - 4);
    draw_text(painter, foot, Qt::AlignLeft | Qt::AlignVCenter,
              TextMetrics(painter.font()).elidedText(why_end(story_), Qt::ElideRight, static_cast<int>(foot.width())));
}

void WhyPanel::paintLine(QPainter& painter, std::size_t i) const {
    const WhyLine& line = lines_[i];
    const QRectF box = lineRect(i);
    const int at = static_cast<int>(i);
    if (at == hovered_ || at == chosen_) {
        painter.setPen(at == chosen_ ? QPen(theme().ink, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(theme().fill);
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 5, 5);
    }
    // The chain: what a number is by hue and shape, and a line to what it came from.
    const QPointF mark(box.left() + 18, box.top() + 14);
    painter.setPen(QPen(theme().ink3, 1));
    if (i > 0) painter.drawLine(QPointF(mark.x(), box.top()), mark - QPointF(0, 7));
    if (i + 1 < lines_.size()) painter.drawLine(mark + QPointF(0, 7), QPointF(mark.x(), box.bottom()));
    if (line.fault) {
        painter.setPen(QPen(theme().fault, 2, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(mark - QPointF(5, 5), mark + QPointF(5, 5));
        painter.drawLine(mark - QPointF(5, -5), mark + QPointF(5, -5));
    } else {
        painter.setPen(QPen(theme().hue(line.role), 1.2));
        painter.setBrush(theme().tint(line.role));
        const double radius = line.role == Role::parameter ? 1 : line.role == Role::loss ? 6 : 3;
        painter.drawRoundedRect(QRectF(mark.x() - 6, mark.y() - 6, 12, 12), radius, radius);
    }
    const bool broken = line.value.startsWith(QChar(0x2715));
    const QRectF top(box.left() + 34, box.top() + 4, box.width() - 46, 20), below = top.translated(0, 18);
    painter.setFont(mono_font(metrics::text, QFont::DemiBold));
    painter.setPen(broken ? theme().fault : theme().ink);
    const double value_width = TextMetrics(painter.font()).horizontalAdvance(line.value);
    draw_text(painter, top, Qt::AlignRight | Qt::AlignVCenter, line.value);
    painter.setPen(theme().ink);
    const QString name = TextMetrics(painter.font()).elidedText(line.name, Qt::ElideRight, static_cast<int>(top.width() - value_width - 12));
    draw_text(painter, top, Qt::AlignLeft | Qt::AlignVCenter, name);
    const double name_width = TextMetrics(painter.font()).horizontalAdvance(name);
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme().ink2);
    if (!line.step.isEmpty() && name_width + value_width + 90 < top.width())
        draw_text(painter, top.adjusted(name_width + 10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, line.step);
    if (line.fault) painter.setPen(theme().fault);
    draw_text(painter, below, Qt::AlignLeft | Qt::AlignVCenter,
              TextMetrics(painter.font()).elidedText(line.how, Qt::ElideRight, static_cast<int>(below.width())));
}

// --- going there ---------------------------------------------------------------------------------------------------

void WhyPanel::choose(int line) {
    if (line < 0 || line >= static_cast<int>(lines_.size())) return;
    chosen_ = line;
    update();
    const WhyLink& link = story_.chain[static_cast<std::size_t>(line)];
    emit chosen(link.iteration, link.ordinal, {link.tensor, link.element});
}

void WhyPanel::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (closeRect().contains(event->position())) return emit closed();
    if (!list().contains(event->position())) return;
    choose(static_cast<int>(std::floor((event->position().y() - list().top() + offset_) / line_height)));
}

void WhyPanel::mouseMoveEvent(QMouseEvent* event) {
    const bool inside = list().contains(event->position());
    const int line = inside ? static_cast<int>(std::floor((event->position().y() - list().top() + offset_) / line_height)) : -1;
    if (line == hovered_) return;
    hovered_ = line;
    update();
}

void WhyPanel::leaveEvent(QEvent*) {
    hovered_ = -1;
    update();
}

void WhyPanel::wheelEvent(QWheelEvent* event) {
    scrollTo(offset_ - event->angleDelta().y() / 3.0);
    event->accept();
}

bool WhyPanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // else the window would take them
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier && is_own_key(key->key())) {
            event->accept();
            return true;
        }
    }
    return Panel::event(event);
}

void WhyPanel::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(lines_.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Escape: return emit closed();
    case Qt::Key_Up: chosen_ = std::max(0, chosen_ - 1); break;
    case Qt::Key_Down: chosen_ = std::min(last, chosen_ + 1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter: return choose(chosen_);
    default: return Panel::keyPressEvent(event);
    }
    if (chosen_ < 0) return;
    const QRectF box = lineRect(static_cast<std::size_t>(chosen_)), all = list();
    if (box.top() < all.top()) scrollTo(offset_ - (all.top() - box.top()));
    else if (box.bottom() > all.bottom()) scrollTo(offset_ + box.bottom() - all.bottom());
    update();
}

} // namespace gradus
