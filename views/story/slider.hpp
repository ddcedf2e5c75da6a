#pragma once

#include "views/story/slider_scale.hpp"
#include "views/story/story_look.hpp"

#include <QWidget>

namespace gradus {

/// A track with a ring on it and values marked under it. While it is dragged or a key is held it says so; letting go
/// commits.
class Slider : public QWidget {
    Q_OBJECT

public:
    Slider(const StoryLook& look, QWidget* parent);

    void setLook(const StoryLook& look);
    void setScale(const SliderScale& scale);
    const SliderScale& scale() const { return scale_; }
    /// Moves the ring, unless somebody is moving it.
    void setValue(double value);
    double value() const { return value_; }
    /// Moves the ring there and commits, as letting go does.
    void take(double value);
    bool moving() const { return moving_; }
    /// What is being moved goes back to where it stood, and nothing is committed.
    void cancel();
    int heightNeeded() const;
    QPointF thumb() const; ///< middle of the ring

signals:
    void dragged(double value);
    void committed(double value);
    void cancelled();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF track() const;
    void move(double value);
    void finish();

    StoryLook look_;
    SliderScale scale_;
    double value_ = 0;
    double before_ = 0; ///< where it stood when it began to be moved
    bool moving_ = false;
};

} // namespace gradus
