#include "views/theme/panel.hpp"

#include <QPainter>

namespace gradus {

Panel::Panel(const Theme& theme, const QString& title, QWidget* parent)
    : QWidget(parent), theme_(theme), title_(title) {
    setAccessibleName(title);
}

void Panel::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void Panel::setTitle(const QString& title) {
    if (title == title_) return;
    title_ = title;
    setAccessibleName(title);
    update();
}

void Panel::setNote(const QString& note) {
    if (note == note_) return;
    note_ = note;
    update(0, 0, width(), title_height);
}

void Panel::setSparse(bool sparse) {
    if (sparse == sparse_) return;
    sparse_ = sparse;
    update();
}

QRectF Panel::contents() const {
    return QRectF(rect()).adjusted(metrics::inside, title_height, -metrics::inside, -metrics::inside);
}

void Panel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme_.line, 1));
    painter.setBrush(theme_.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    const QRectF line(metrics::inside, 12, width() - 2 * metrics::inside, 22);
    painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
    painter.setPen(theme_.ink2);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title_);
    if (sparse_) return;
    const double title_width = painter.fontMetrics().horizontalAdvance(title_) + metrics::gap;
    painter.setFont(mono_font(metrics::text - 1));
    const QString shown = painter.fontMetrics().elidedText(note_, Qt::ElideRight, static_cast<int>(line.width() - title_width));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, shown);
}

} // namespace gradus
