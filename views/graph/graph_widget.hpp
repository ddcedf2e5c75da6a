#pragma once

#include "views/graph/graph_painter.hpp"
#include "views/theme/panel.hpp"

#include <QPixmap>
#include <memory>

namespace gradus {

/// The computation graph of the selected Run with the values of one iteration.
class GraphWidget : public Panel {
    Q_OBJECT

public:
    GraphWidget(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    /// What to show: the sites of `run`, and the values of `iteration` from `full`, a Run that holds it in full; null
    /// while that is being computed. `progress` is then 0 to 1. Returns at once.
    void present(const std::shared_ptr<const Run>& run, const std::shared_ptr<const Run>& full, StepIndex iteration,
              double progress, const std::string& selected);
    /// Instead of a graph: one quiet sentence.
    void showMessage(const QString& sentence, bool fault = false);

    const GraphModel* model() const { return model_.get(); }
    /// The values on screen, null if there are none yet.
    const GraphValues* values() const { return values_.get(); }
    const GraphGeometry& geometryOfItems() const { return geometry_; }

signals:
    /// A node was clicked; empty: none.
    void selected(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRectF graphArea() const;
    void rebuild();
    void setHovered(const std::string& id);
    void updateNote(double progress);

    std::shared_ptr<const Run> run_;
    std::shared_ptr<const GraphModel> model_;
    std::shared_ptr<const GraphValues> values_;
    GraphGeometry geometry_;
    QPixmap structure_; ///< painted once per layout and theme; null: to be painted
    std::shared_ptr<const Run> wanted_run_;
    StepIndex wanted_ = -1, waiting_ = -1;
    qint64 waiting_since_ms_ = 0;
    std::string hovered_, selected_;
    QString message_;
    bool fault_ = false;
    GraphValueWorker worker_;
};

} // namespace gradus
