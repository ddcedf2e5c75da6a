#include "views/plots/kept_plot.hpp"

#include "views/state/zoom.hpp"

#include <QCoreApplication>

namespace gradus {

KeptPlot::KeptPlot(QWidget* parent) : QCustomPlot(parent) {
    QCoreApplication::removePostedEvents(this, QEvent::MetaCall); // the library would draw it empty, at once
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, [this] { // the library cannot draw on nothing
        if (size().isEmpty()) stale_ = true;
        else replot(rpQueuedRefresh);
    });
    connect(this, &QCustomPlot::afterReplot, this, [this] { // whoever asked for it
        soon_.stop();
        stale_ = false;
        enlarged_.forget();
    });
}

void KeptPlot::resizeEvent(QResizeEvent*) {
    setViewport(rect());
    updateLayout();
    stale_ = true;
}

void KeptPlot::paintEvent(QPaintEvent* event) {
    const double ratio = pixel_ratio(*this);
    if (bufferDevicePixelRatio() != ratio) {
        setBufferDevicePixelRatio(ratio);
        setPlottingHint(QCP::phCacheLabels, zoom_of(*this) == 1); // it would put pictures of labels between pixels
        stale_ = true;
    }
    if (stale_) replot(rpQueuedRefresh);
    if (zoom_of(*this) == 1) return QCustomPlot::paintEvent(event);
    if (!enlarged_.there()) {
        QCPPainter once(&enlarged_.renew(*this, size(), mBackgroundBrush.color()));
        for (const auto& buffer : mPaintBuffers) buffer->draw(&once);
    }
    QPainter painter(this);
    draw_kept(painter, {0, 0}, enlarged_.picture());
}

} // namespace gradus
