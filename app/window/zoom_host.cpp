#include "app/window/zoom_host.hpp"

#include "app/window/accessible_zoom.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QPaintEngine>
#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QtMath>

namespace gradus {

namespace {

/// Paints what changed, where Qt's own paints the rectangle around all that changed: mostly the whole window.
class Proxy : public QGraphicsProxyWidget {
public:
    explicit Proxy(ZoomHost& host) : host_(host) {}

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* view) override {
        QElapsedTimer painting;
        painting.start();
        paintChanged(painter, option, view);
        emit host_.painted(painting.elapsed());
    }

private:
    void paintChanged(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* view) {
        const QPaintEngine* engine = painter->paintEngine();
        const QRegion changed = engine ? engine->systemClip() : QRegion();
        if (changed.isEmpty() || !widget() || !widget()->isVisible()) return QGraphicsProxyWidget::paint(painter, option, view);
        const QTransform to_widget = painter->deviceTransform().inverted();
        const QRect all = (option->exposedRect & rect()).toAlignedRect();
        QRegion inside;
        for (const QRect& each : changed)
            inside += to_widget.mapRect(QRectF(each)).toAlignedRect().adjusted(-1, -1, 1, 1) & all;
        if (!inside.isEmpty()) widget()->render(painter, inside.boundingRect().topLeft(), inside);
    }

    ZoomHost& host_;
};

} // namespace

ZoomHost::ZoomHost(QWidget* content, QWidget* parent) : QWidget(parent), content_(content) {
    content_->setParent(this);
    content_->installEventFilter(this);
    make_accessible(*this, *content_);
    fit();
}

ZoomHost::~ZoomHost() {
    if (view_) delete view_->scene(); // and the widget with it; the view does not own it
}

/// Asked to paint while it still was a window of its own, the content would now paint the whole window, in no turn of its
/// own: the window is asked instead.
bool ZoomHost::eventFilter(QObject* watched, QEvent* event) {
    if (watched != content_ || event->type() != QEvent::UpdateRequest || content_->isWindow()) return false;
    QCoreApplication::postEvent(window(), new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
    return true;
}

void ZoomHost::setTakesKeys(bool takes) {
    takes_keys_ = takes;
    if (view_) view_->setFocusPolicy(takes ? Qt::StrongFocus : Qt::NoFocus);
}

void ZoomHost::setZoom(double zoom) {
    if (qFuzzyCompare(zoom, zoom_)) return;
    zoom_ = zoom;
    const bool plain = qFuzzyCompare(zoom, 1.0);
    if (plain && proxy_) {
        proxy_->setWidget(nullptr); // gives the widget back, without a parent
        content_->setParent(this);
        content_->setAttribute(Qt::WA_DontShowOnScreen, false);
        delete view_->scene();
        delete view_;
        view_ = nullptr;
        proxy_ = nullptr;
        content_->show();
    } else if (!plain && !proxy_) {
        view_ = new QGraphicsView(this);
        view_->setScene(new QGraphicsScene);
        view_->setFrameShape(QFrame::NoFrame);
        view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        view_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        view_->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        view_->setStyleSheet("QGraphicsView { background: transparent; border: none; }");
        view_->viewport()->setAutoFillBackground(false);
        view_->setFocusPolicy(takes_keys_ ? Qt::StrongFocus : Qt::NoFocus);
        content_->setParent(nullptr);
        proxy_ = new Proxy(*this);
        proxy_->setWidget(content_);
        view_->scene()->addItem(proxy_);
        view_->show();
    }
    fit();
}

void ZoomHost::fit() {
    if (!proxy_) {
        content_->setGeometry(rect());
        return;
    }
    view_->setGeometry(rect());
    proxy_->setScale(zoom_);
    const QSize size(qMax(1, qFloor(width() / zoom_)), qMax(1, qFloor(height() / zoom_)));
    proxy_->setMinimumSize(0, 0);
    proxy_->resize(size);
    view_->setSceneRect(0, 0, width(), height());
}

void ZoomHost::resizeEvent(QResizeEvent*) { fit(); }

} // namespace gradus
