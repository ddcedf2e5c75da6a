#include "views/theme/panel.hpp"

#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <QPainter>

namespace gradus {

Panel::Panel(const Theme& theme, const QString& title, QWidget* parent)
    : QWidget(parent), theme_(theme), title_(title) {
    setAccessibleName(title);
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing is painted behind it
}

void Panel::floatOverOthers() {
    lies_on_window_ = false;
    setAttribute(Qt::WA_OpaquePaintEvent, false);
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

QFont Panel::note_font(const QString& note) { return has_hangul(note) ? text_font(metrics::text - 1) : mono_font(metrics::text - 1); }

void Panel::setNote(const QString& note, const QString& sparse) {
    if (note == note_ && sparse == sparse_note_) return;
    note_ = note;
    sparse_note_ = sparse;
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

void Panel::paintSurface(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    if (lies_on_window_) {
        constexpr int r = metrics::radius;
        for (const int x : {0, width() - r})
            for (const int y : {0, height() - r}) painter.fillRect(x, y, r, r, theme_.window);
    }
    fill_rounded(painter, rect(), metrics::radius, theme_.surface, covered(painter));
    painter.setPen(QPen(theme_.line, 1, Qt::SolidLine, Qt::FlatCap));
    outline_rounded(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius - 0.5);
}

void Panel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintSurface(painter);
    const QRectF line(metrics::inside, 12, width() - 2 * metrics::inside, 22);
    painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
    painter.setPen(theme_.ink2);
    draw_text(painter, line, Qt::AlignLeft | Qt::AlignVCenter, title_);
    const double title_width = TextMetrics(painter.font()).horizontalAdvance(title_) + metrics::gap;
    if (sparse_) { // whole, or without its last part, or not at all
        painter.setFont(text_font(metrics::small_text));
        for (const QString& shown : {sparse_note_, sparse_note_.section(QStringLiteral(", "), 0, -2)})
            if (TextMetrics(painter.font()).horizontalAdvance(shown) <= line.width() - title_width) {
                draw_text(painter, line, Qt::AlignRight | Qt::AlignVCenter, shown);
                break;
            }
        return;
    }
    painter.setFont(note_font(note_));
    const double room = line.width() - title_width;
    if (TextMetrics(painter.font()).horizontalAdvance(note_) > room) painter.setFont(text_font(metrics::small_text)); // narrower before shorter
    const QString shown = TextMetrics(painter.font()).elidedText(note_, Qt::ElideRight, static_cast<int>(room));
    draw_text(painter, line, Qt::AlignRight | Qt::AlignVCenter, shown);
}

} // namespace gradus
