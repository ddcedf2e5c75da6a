#pragma once

#include "views/overview/strips_painter.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"

#include <QWidget>

namespace gradus {

/// Two strips under one cursor: the whole run from the first to the last planned step with its branches, and below it the
/// steps round the cursor with what they spend their time on. Drag the frame to travel and its edges to zoom; press
/// anywhere else to go there.
class RunStrips : public QWidget, public HasItems {
    Q_OBJECT

public:
    RunStrips(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    /// Called once per frame; paints only what changed. `prepared`: the step a lesson starts at.
    void present(const Look& look, std::optional<StepIndex> prepared);
    /// What a prediction hides: the outcome's curve and what is said of it.
    void setVeil(const Veil& veil);
    /// What is on screen: branches, marks, frame, bands, cursor.
    std::vector<ViewItem> items() const override;

    const Overview& overview() const { return overview_; }
    const StepsStrip& steps() const { return steps_; }
    const StepWindow& window() const { return window_; }
    /// Seventy-two pixels, and a row more for each fork up to three.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, 72}; }

signals:
    void cursorMoved(qint64 iteration);
    /// An event of the cursor's iteration; follows cursorMoved where that changes, too.
    void eventChosen(int ordinal);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Grip : std::uint8_t { none, whole, frame, left, right, steps };
    bool veiled() const { return veil_.hides(QString::fromStdString(curve_.series())); }
    Look look() const { return {runs_, state_, full_, 0, planned_, false}; }
    void lay();
    void zoom(double factor, double x);
    Grip gripAt(QPointF position) const;
    void drag(QPointF position);
    void go(StepIndex iteration);
    void choose(QPointF position);
    QString sayAt(QPointF position) const;
    void paintGutter(QPainter& painter) const;

    Theme theme_;
    std::vector<std::shared_ptr<const Run>> runs_;
    AppState state_;
    std::shared_ptr<const Run> full_;
    std::optional<StepIndex> prepared_;
    StepIndex planned_ = 0;
    std::vector<std::int64_t> seen_; ///< what the last layout was made from

    OutcomeCurve curve_{std::string()};
    Veil veil_;
    StepWidths widths_;
    StepWindow window_;
    bool usual_ = true; ///< nobody has zoomed
    Overview overview_;
    StepsStrip steps_;
    QRectF gutter_;
    KeptPicture whole_; ///< the overview without its frame
    std::vector<std::int64_t> whole_of_; ///< what it was painted from

    Grip grip_ = Grip::none;
    bool dragged_ = false;
    QPointF pressed_;
    StepWindow window_then_;
    QRectF frame_then_;
    StepIndex cursor_then_ = 0, asked_ = -1;
    std::optional<QPointF> hover_; ///< the pointer
};

} // namespace gradus
