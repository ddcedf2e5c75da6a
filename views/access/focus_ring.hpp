#pragma once

#include "views/theme/theme.hpp"

#include <QPainter>
#include <QWidget>

namespace gradus {

/// The one mark of the keyboard's place, over whatever paints there: a line of ink, 2 px, that lets every click through.
class FocusRing : public QWidget {
public:
    explicit FocusRing(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
        hide();
    }
    void setInk(const QColor& ink) {
        ink_ = ink;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(ink_, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }

private:
    QColor ink_;
};

} // namespace gradus
