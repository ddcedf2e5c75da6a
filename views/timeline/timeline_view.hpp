#pragma once

#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"
#include "views/timeline/time_card.hpp"

#include <array>
#include <optional>

namespace gradus {

/// What a step spends its time on: its events as bars on a time axis; or, over all observed steps, each op's share.
/// Wheel or pinch zooms, dragging moves, `0` and a double click show the whole step.
class TimelineView : public View {
    Q_OBJECT

public:
    enum class Mode : std::uint8_t { step, all };

    TimelineView(const Theme& theme, QWidget* parent);
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;

    void setMode(Mode mode);
    Mode mode() const { return mode_; }
    const TimelineModel& model() const { return model_; }
    const TimelineGeometry& timeline() const { return timeline_; }
    const OpTable& table() const { return table_; }
    const OpTableGeometry& tableGeometry() const { return rows_; }
    TimeSpan span() const { return timeline_.span; }
    /// The sentence above the picture: what the times are of.
    QString headline(bool in_short = false) const;
    /// What stands there instead of a picture; empty where there is one.
    QString message() const;

protected:
    bool sizesTell() const override { return true; } // a bar is as long as it says
    bool event(QEvent* event) override;
    QRect covered(const QPainter& painter) const override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void take(const Look& look);
    void wait(const Look& look);
    void tabulate();
    double medianStep() const;
    void lay();
    void layBars();
    void fit();
    void zoom(double factor, double x);
    void scroll(double rows);
    void moveTo(TimeSpan span);
    QRectF body() const;
    QRectF tableArea() const;
    void paintToggle(QPainter& painter) const;
    void paintHeadline(QPainter& painter) const;
    void paintUpper(QPainter& painter) const;
    void paintKeptUpper(QPainter& painter);
    QRect listArea() const;
    void paintList(QPainter& painter);
    void paintHover(QPainter& painter) const;

    TimelineModel model_;
    SiteTimes times_;
    OpTable table_;
    std::size_t table_of_ = 0;  ///< iterations the table was summed over; 0: of the model's
    double usual_ = 0;          ///< seconds: the median observed step; 0: not known
    std::size_t usual_of_ = 0;  ///< steps it is the median of
    Mode mode_ = Mode::step;
    TimelineGeometry timeline_;
    OpTableGeometry rows_;
    std::array<QRectF, 2> toggle_;
    TimeSpan span_;
    bool fits_ = true;          ///< the whole step is shown
    double scrolled_ = 0;       ///< rows
    KeptPicture upper_, list_;  ///< header with bars, and the table

    std::shared_ptr<const Run> run_;
    StepIndex wanted_ = -1;
    std::int32_t cursor_ = -1;  ///< ordinal
    double progress_ = 0;
    bool computing_ = false;
    qint64 waiting_since_ms_ = -1;

    std::optional<QPointF> pointer_;
    QPointF pressed_;
    TimeSpan span_then_;
    bool pressing_ = false, dragged_ = false;
};

} // namespace gradus
