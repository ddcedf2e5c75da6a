#include "views/theme/paragraph_label.hpp"

#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

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

} // namespace gradus
