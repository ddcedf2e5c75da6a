#pragma once

#include "views/runs/run_rows.hpp"
#include "views/state/has_items.hpp"
#include "views/state/veil.hpp"
#include "views/theme/panel.hpp"

namespace gradus {

/// The Run and its forks; a click selects one.
class RunList : public Panel, public HasItems {
    Q_OBJECT

public:
    RunList(const Theme& theme, QWidget* parent);
    void retranslate();
    /// `step`: where the cursor stands. A series that is covered is not told here either.
    void present(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex step, const Veil& veil = {});
    const std::vector<RunRow>& rows() const { return rows_; }
    std::vector<ViewItem> items() const override;

signals:
    void picked(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void sayStep(StepIndex step);

    std::vector<RunRow> rows_;
    std::ptrdiff_t up_ = 0;    ///< rows that somebody has scrolled up; undone where another is selected
    std::size_t selected_ = 0;
    QString outcome_; ///< what its numbers are
    std::vector<std::int64_t> seen_; ///< heads, states, selection and size on screen
};

} // namespace gradus
