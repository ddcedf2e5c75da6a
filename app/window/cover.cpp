#include "app/window/cover.hpp"

#include "views/theme/cover_painter.hpp"

#include <QCoreApplication>

namespace gradus {

namespace {
constexpr int lift_ms = 220;
} // namespace

Cover::Cover(View& view) : QWidget(&view), view_(view) {
    setAttribute(Qt::WA_NoSystemBackground);
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    retranslate();
    lifting_.setStartValue(0.0);
    lifting_.setEndValue(1.0);
    lifting_.setDuration(lift_ms);
    lifting_.setEasingCurve(QEasingCurve::OutCubic);
    connect(&lifting_, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&lifting_, &QVariantAnimation::finished, this, &QWidget::hide);
    hide();
}

void Cover::retranslate() { setAccessibleName(tr("hidden until the prediction is made")); }

void Cover::lay(View& view, const Veil& veil, bool motion, double line) {
    auto* cover = view.findChild<Cover*>(QString(), Qt::FindDirectChildrenOnly);
    if (veil.empty() && !cover) return;
    if (view.veil() != veil) view.setVeil(veil);
    if (!cover) cover = new Cover(view);
    View::Hidden hidden = view.hidden();
    if (hidden.closed.empty()) cover->lift(motion && veil.empty());
    else cover->take(std::move(hidden.painted), hidden.closed, line);
}

void Cover::take(std::vector<QRectF> painted, const std::vector<QRectF>& closed, double line) {
    lifting_.stop();
    if (geometry() != view_.rect()) setGeometry(view_.rect());
    const bool changed = painted != painted_ || closed != closed_ || line != line_;
    painted_ = std::move(painted);
    line_ = line;
    if (changed) {
        closed_ = closed;
        QRegion region; // elsewhere the mouse reaches the view
        for (const QRectF& rect : closed_) region += rect.toAlignedRect();
        for (const QRectF& rect : painted_) region += rect.toAlignedRect();
        setMask(region);
        QEvent leave(QEvent::Leave); // what was hovered is no longer
        QCoreApplication::sendEvent(&view_, &leave);
        update();
    }
    if (isHidden()) {
        raise(); // over what the view itself is made of
        show();
    }
}

void Cover::lift(bool motion) {
    if (isHidden() || lifting_.state() == QAbstractAnimation::Running) return;
    closed_.clear();
    if (motion) lifting_.start();
    else hide();
}

void Cover::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const double lifted = lifting_.state() == QAbstractAnimation::Running ? lifting_.currentValue().toDouble() : 0;
    for (const QRectF& rect : painted_) {
        painter.save();
        painter.setClipRect(rect.adjusted(0, 0, 0, -lifted * rect.height()));
        paint_cover(painter, rect, view_.theme(), line_);
        painter.restore();
    }
}

bool Cover::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove:
    case QEvent::Wheel:
    case QEvent::ToolTip:
    case QEvent::NativeGesture:
    case QEvent::ContextMenu: event->accept(); return true;
    case QEvent::LanguageChange: retranslate(); return QWidget::event(event);
    default: return QWidget::event(event);
    }
}

} // namespace gradus
