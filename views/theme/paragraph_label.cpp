#include "views/theme/paragraph_label.hpp"

#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace gradus {

ParagraphLabel::ParagraphLabel(QWidget* parent) : QLabel(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setTextFormat(Qt::PlainText);
}

void ParagraphLabel::setParagraph(const QString& text) {
    text_ = text;
    setText(broken_at_spaces(text_, TextMetrics(font()), width()));
    updateGeometry();
}

int ParagraphLabel::heightForWidth(int width) const {
    const TextMetrics metrics(font());
    double high = 0; // a line of Korean is higher
    for (const QString& line : broken_at_spaces(text_, metrics, width).split('\n')) high += std::ceil(metrics.lineHeight(line));
    return static_cast<int>(std::ceil(high));
}

QSize ParagraphLabel::sizeHint() const { return {200, heightForWidth(std::max(width(), 80))}; }
QSize ParagraphLabel::minimumSizeHint() const { return {40, fontMetrics().lineSpacing()}; }

void ParagraphLabel::resizeEvent(QResizeEvent* event) {
    setText(broken_at_spaces(text_, TextMetrics(font()), width()));
    QLabel::resizeEvent(event);
}

bool ParagraphLabel::hasRoom() const { return heightForWidth(width()) <= height(); }

void ParagraphLabel::paintEvent(QPaintEvent* event) {
    if (hasRoom()) return QLabel::paintEvent(event);
    const TextMetrics metrics(font());
    const QStringList lines = text().split('\n');
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.setFont(font());
    double top = 0;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const double high = metrics.lineHeight(lines[i]);
        const bool last = i + 1 < lines.size() && top + high + metrics.lineHeight(lines[i + 1]) > height();
        draw_text(painter, QRectF(0, top, width(), high), Qt::AlignLeft | Qt::AlignVCenter,
                  last ? metrics.elidedText(lines[i] + ' ' + lines[i + 1], Qt::ElideRight, width()) : lines[i]);
        if (last) return;
        top += high;
    }
}

bool ParagraphLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || hasRoom()) return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text_, this);
    return true;
}

} // namespace gradus
