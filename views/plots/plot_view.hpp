#pragma once

#include "views/plots/curves.hpp"
#include "views/theme/panel.hpp"

#include <memory>

namespace gradus {

/// One or more series over steps, a curve per branch, with the cursor on the selected one.
class PlotView : public Panel {
    Q_OBJECT

public:
    /// Of `series` the first carries the cursor; the others are drawn with it. `bounded`: the axis is 0 to 1.
    PlotView(const Theme& theme, const QString& title, std::vector<std::string> series, bool bounded, QWidget* parent);
    ~PlotView() override;

    void setTheme(const Theme& theme) override;
    void present(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex cursor);
    const CurveSet& curves() const { return curves_; }

signals:
    /// The step under a click, or under the mouse while it is dragged.
    void cursorMoved(qint64 iteration);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Chart; // keeps the plotting library's header out of this one
    std::unique_ptr<Chart> chart_;
    CurveBook book_;
    CurveSet curves_;
    struct Seen {
        std::vector<std::size_t> sizes;
        std::size_t selected = 0;
        StepIndex cursor = -1;
        int columns = 0;
        bool operator==(const Seen&) const = default;
    } seen_; ///< what is on screen: an equal look paints nothing
    std::vector<std::string> names_;
};

} // namespace gradus
