#include "views/theme/paragraph_label.hpp"

#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

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
    const QString lines = broken_at_spaces(text_, TextMetrics(font()), width);
    return fontMetrics().lineSpacing() * static_cast<int>(lines.count('\n') + 1);
}

QSize ParagraphLabel::sizeHint() const { return {200, heightForWidth(std::max(width(), 80))}; }
QSize ParagraphLabel::minimumSizeHint() const { return {40, fontMetrics().lineSpacing()}; }

void ParagraphLabel::resizeEvent(QResizeEvent* event) {
    setText(broken_at_spaces(text_, TextMetrics(font()), width()));
    QLabel::resizeEvent(event);
}

qsizetype ParagraphLabel::linesWithRoom() const { return std::max(1, height() / fontMetrics().lineSpacing()); }

void ParagraphLabel::paintEvent(QPaintEvent* event) {
    const QStringList lines = text().split('\n');
    const qsizetype room = linesWithRoom();
    if (lines.size() <= room) return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.setFont(font());
    const int high = fontMetrics().lineSpacing();
    for (qsizetype i = 0; i < room; ++i) {
        const QString line = i + 1 < room ? lines[i] : TextMetrics(font()).elidedText(lines[i] + ' ' + lines[i + 1], Qt::ElideRight, width());
        draw_text(painter, QRectF(0, static_cast<double>(i) * high, width(), high), Qt::AlignLeft | Qt::AlignVCenter, line);
    }
}

bool ParagraphLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || text().count('\n') + 1 <= linesWithRoom()) return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text_, this);
    return true;
}

} // namespace gradus
