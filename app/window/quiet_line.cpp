#include "app/window/quiet_line.hpp"

#include "views/theme/paragraph_label.hpp"

#include <QHBoxLayout>
#include <QPainter>

namespace gradus {

QuietLine::QuietLine(const Theme& theme, bool wrap, QWidget* parent)
    : QWidget(parent), theme_(theme), wrap_(wrap), label_(new ParagraphLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 8, 6);
    row->setSpacing(8);
    if (!wrap) label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long sentence must not widen the window
    row->addWidget(label_, 1);
    hide();
}

void QuietLine::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void QuietLine::say(const QString& sentence, const QStringList& buttons) {
    if (sentence == sentence_ && buttons == words_) return;
    sentence_ = sentence;
    words_ = buttons;
    for (QPushButton* button : buttons_) delete button;
    buttons_.clear();
    for (int i = 0; i < buttons.size(); ++i) {
        auto* button = new QPushButton(buttons[i], this);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QPushButton::clicked, this, [this, i] { emit pressed(i); }, Qt::QueuedConnection); // it may be gone then
        layout()->addWidget(button);
        button->show();
        buttons_.push_back(button);
    }
    setAccessibleName(sentence);
    setVisible(!sentence.isEmpty());
    fit();
    update();
}

void QuietLine::fit() {
    label_->setToolTip(sentence_);
    if (wrap_) label_->setParagraph(sentence_);
    else label_->setText(label_->fontMetrics().elidedText(sentence_, Qt::ElideMiddle, std::max(60, label_->width())));
}

void QuietLine::resizeEvent(QResizeEvent*) { fit(); }

void QuietLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme_.line, 1));
    painter.setBrush(theme_.fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
}

} // namespace gradus
