#include "views/why/why_panel.hpp"

#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double line_height = 26, line_gap = 2, foot_margin = 24; // pixels; of what is above a link's sentence
constexpr double text_left = 34, text_right = 12;                   // beside them the chain and a margin

QFont how_font() { return text_font(metrics::small_text); }
QFont foot_font() { return text_font(metrics::text - 1); }

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
    tops_width_ = -1;
    chosen_ = std::min(chosen_, static_cast<int>(lines_.size()) - 1);
    setTitle(why_title(story));
    QStringList spoken;
    for (const WhyLine& line : lines_) spoken << line.name + ' ' + line.value + (line.how.isEmpty() ? QString() : ", " + line.how);
    setAccessibleDescription(spoken.join("; ") + ". " + why_end(story));
    // Where it broke, with a little of what led there.
    if (story.chain.empty()) wanted_ = 0;
    if (found) scrollTo(tops(list().width())[*story.origin < 4 ? 0 : *story.origin - 4]);
    else scrollTo(wanted_);
    update();
}

double WhyPanel::footHeight(double width) const {
    return paragraph_height(why_end(story_), foot_font(), width - 2 * metrics::inside) + foot_margin;
}

const std::vector<double>& WhyPanel::tops(double width) const {
    if (width == tops_width_) return tops_;
    tops_width_ = width;
    tops_ = {0};
    for (const WhyLine& line : lines_)
        tops_.push_back(tops_.back() + line_height + line_gap + paragraph_height(line.how, how_font(), width - text_left - text_right));
    return tops_;
}

int WhyPanel::heightNeeded(int width) const {
    const double lines = lines_.empty() ? line_height : tops(width - 16).back();
    return static_cast<int>(std::ceil(title_height - 2 + lines + footHeight(width)));
}

int WhyPanel::widthNeeded() const {
    constexpr double beside = 62, foot_beside = 2 * metrics::inside; // margins, the chain's marks
    const TextMetrics how(how_font()), name(mono_font(metrics::text, QFont::DemiBold)), foot(foot_font());
    double wide = foot.horizontalAdvance(why_end(story_)) + foot_beside;
    for (const WhyLine& line : lines_)
        wide = std::max({wide, how.horizontalAdvance(line.how) + beside, name.horizontalAdvance(line.name) + name.horizontalAdvance(line.value) + 12 + beside});
    return static_cast<int>(std::ceil(wide));
}

void WhyPanel::resizeEvent(QResizeEvent*) { scrollTo(wanted_); } // it grows with its lines a frame later

QRectF WhyPanel::closeRect() const { return {width() - 38.0, 10, 26, 26}; }

QRectF WhyPanel::list() const {
    return QRectF(rect()).adjusted(8, title_height - 2, -8, -footHeight(width()));
}

QRectF WhyPanel::lineRect(std::size_t line) const {
    const QRectF all = list();
    const std::vector<double>& at = tops(all.width());
    return {all.left(), all.top() + at[line] - offset_, all.width(), at[line + 1] - at[line]};
}

int WhyPanel::lineAt(double y) const {
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (const QRectF box = lineRect(i); y >= box.top() && y < box.bottom()) return static_cast<int>(i);
    return -1;
}

void WhyPanel::scrollTo(double offset) {
    wanted_ = std::max(0.0, offset);
    const double most = tops(list().width()).back() - list().height();
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
    painter.setFont(foot_font());
    painter.setPen(theme().ink2);
    draw_paragraph(painter, QRectF(metrics::inside, list().bottom() + 9, width() - 2 * metrics::inside, footHeight(width())), Qt::AlignLeft | Qt::AlignTop,
                   why_end(story_));
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
    const QRectF top(box.left() + text_left, box.top() + 4, box.width() - text_left - text_right, 20);
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
    draw_paragraph(painter, QRectF(top.left(), top.bottom(), top.width(), box.bottom() - top.bottom()), Qt::AlignLeft | Qt::AlignTop, line.how);
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
    choose(lineAt(event->position().y()));
}

void WhyPanel::mouseMoveEvent(QMouseEvent* event) {
    const int line = list().contains(event->position()) ? lineAt(event->position().y()) : -1;
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
