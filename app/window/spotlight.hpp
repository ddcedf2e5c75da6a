#pragma once

#include "views/theme/theme.hpp"

#include <QWidget>

namespace gradus {

/// A round patch of the class's screen that stays as it is while the rest fades: it follows the pointer. It takes no clicks away from what lies
/// below it.
class Spotlight : public QWidget {
    Q_OBJECT

public:
    Spotlight(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    /// Shown, it lies over all of its parent, with the pointer in its middle, or where it was where the pointer is elsewhere.
    void setOn(bool on);
    bool on() const { return isVisible(); }
    /// By so many halves of its radius; stays inside.
    void moveBy(int x, int y);
    /// One size up or down.
    void grow(int by);
    QPointF middle() const { return middle_; }
    double radius() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void put(QPointF middle);

    Theme theme_;
    QPointF middle_;
    double share_ = 0.16; ///< of the screen's height
};

} // namespace gradus
