#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/graph/graph_layout.hpp"
#include "views/graph/graph_painter.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"

#include <memory>

namespace gradus {

class TextMetrics;
struct ValueCardLine;

/// The computation graph of the selected Run with the values of one iteration. Modules open in place, down to ops; what
/// comes after the cursor's event is drawn as not yet computed.
class GraphWidget : public View {
    Q_OBJECT

public:
    GraphWidget(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// Instead of a graph: one quiet sentence.
    void showMessage(const QString& sentence, bool fault = false);

    /// Null until the first one is laid out.
    const GraphModel* model() const { return shown_.model.get(); }
    /// The values on screen, null if there are none yet.
    const GraphValues* values() const { return shown_.values.get(); }
    const GraphGeometry& geometryOfItems() const { return shown_.geometry; }

signals:
    /// A box was double-clicked: its module opens or closes.
    void moduleToggled(const QString& module);
    /// It was to open, and there is no room for its ops here.
    void roomWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    QRect covered(const QPainter& painter) const override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRectF graphArea() const;
    /// What has changed since the last layout, from the least to the most.
    enum class Change : std::uint8_t { numbers, room, graph };
    GraphWish wish() const;
    QRect structureArea() const;
    void layOut(Change change);
    void layOutAnew(); ///< all of it but the model
    void take(PlacedGraph placed);
    void setHovered(const std::string& id);
    void stand(std::int32_t cursor);
    void updateNote(double progress);
    void paintStructure(QPainter& painter);
    GraphGeometry withoutHidden() const;
    bool asksForCosts() const;
    std::vector<ValueCardLine> cardOf(const GraphItem& item) const;
    QString sparseNote() const;
    QString missingRows() const;
    QStringList namesReached() const;
    bool reachesLater() const; ///< where one stands, none of them is another yet
    QString legend(const TextMetrics& fm, double room) const;
    void paintLegend(QPainter& painter) const;

    std::shared_ptr<const Run> run_;
    PlacedGraph shown_;
    std::shared_ptr<const GraphValues> fresh_; ///< of the same model: to be shown
    std::uint64_t wishes_ = 0;
    Change due_ = Change::numbers; ///< of what has been asked for and is not on screen
    KeptPicture structure_; ///< painted once per layout and theme
    std::shared_ptr<const Run> wanted_run_, wanted_left_;
    StepIndex wanted_ = -1, waiting_ = -1;
    std::vector<std::string> open_;
    std::int32_t cursor_ = -1; ///< the event one stands on
    StepReach reached_;      ///< the same for the boxes
    bool backward_ = false;    ///< it belongs to the backward pass or the update
    Ruler ruler_ = Ruler::none;
    qint64 waiting_since_ms_ = 0;
    std::string hovered_, selected_, opening_; ///< a box each, and the module that was double-clicked last
    QString message_;
    bool fault_ = false;
    NewestWish<GraphValuesWish, ModelValues> values_{[](const GraphValuesWish& wish, const std::atomic<bool>&) {
        return std::make_shared<const ModelValues>(ModelValues{wish.model, values_of(*wish.model, *wish.run, wish.iteration, wish.left)});
    }};
    NewestWish<GraphWish, PlacedGraph> layouts_{[](const GraphWish& wish, const std::atomic<bool>&) {
        return std::make_shared<const PlacedGraph>(place(wish));
    }};
};

} // namespace gradus
