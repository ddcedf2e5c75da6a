#pragma once

#include <QWidget>

class QGraphicsProxyWidget;
class QGraphicsView;

namespace gradus {

/// Shows one widget larger than it is: all its text, lines and controls alike. The widget lives in pixels of its own, of
/// which it has the fewer the larger it is shown, and lays itself out in those. At 1 it is an ordinary child.
class ZoomHost : public QWidget {
    Q_OBJECT

public:
    ZoomHost(QWidget* content, QWidget* parent);
    ~ZoomHost() override;

    /// Whether a click or Tab brings the keyboard to what is shown here; else it stays where it is.
    void setTakesKeys(bool takes);
    void setZoom(double zoom);
    double zoom() const { return zoom_; }
    QWidget* content() const { return content_; }

signals:
    /// Shown larger, it has been painted; that took so long.
    void painted(qint64 ms);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QWidget* content_;
    double zoom_ = 1;
    bool takes_keys_ = true;
    QGraphicsView* view_ = nullptr; ///< only while it is not 1
    QGraphicsProxyWidget* proxy_ = nullptr;
};

} // namespace gradus
