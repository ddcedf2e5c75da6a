#include "app/window/spotlight.hpp"

#include <QApplication>
#include <QCursor>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace gradus {

namespace {

constexpr double least_share = 0.06, most_share = 0.5, growth = 1.25;

} // namespace

Spotlight::Spotlight(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    hide();
}

void Spotlight::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

double Spotlight::radius() const { return std::max(24.0, share_ * parentWidget()->height()); }

void Spotlight::setOn(bool on) {
    if (on == this->on()) return;
    setVisible(on);
    if (!on) {
        qApp->removeEventFilter(this);
        return;
    }
    setGeometry(parentWidget()->rect());
    const QPoint pointer = parentWidget()->mapFromGlobal(QCursor::pos());
    put(parentWidget()->rect().contains(pointer) ? QPointF(pointer) : middle_.isNull() ? QPointF(rect().center()) : middle_);
    raise();
    qApp->installEventFilter(this); // whichever view the pointer is over
}

void Spotlight::put(QPointF middle) {
    middle_ = {std::clamp<double>(middle.x(), 0, width()), std::clamp<double>(middle.y(), 0, height())};
    update();
}

void Spotlight::moveBy(int x, int y) { put(middle_ + radius() / 2 * QPointF(x, y)); }

void Spotlight::grow(int by) {
    share_ = std::clamp(by > 0 ? share_ * growth : share_ / growth, least_share, most_share);
    update();
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::MouseMove && widget && widget->window() == window()) put(QPointF(mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition().toPoint())));
    if (event->type() == QEvent::Resize && watched == parentWidget()) setGeometry(parentWidget()->rect());
    return false;
}

void Spotlight::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath rest;
    rest.addRect(rect());
    rest.addEllipse(middle_, radius(), radius()); // a hole: what lies in both is outside
    QColor veil = theme_.mode == ThemeMode::dark ? QColor(Qt::black) : theme_.ink;
    veil.setAlphaF(theme_.mode == ThemeMode::dark ? 0.72F : 0.55F);
    painter.fillPath(rest, veil);
    painter.setPen(QPen(theme_.ink3, std::max(2.0, radius() / 40)));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(middle_, radius(), radius());
}

} // namespace gradus
