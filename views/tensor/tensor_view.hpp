#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/derive/step_reach.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"
#include "views/tensor/tensor_card.hpp"
#include "views/tensor/tensor_controls.hpp"
#include "views/tensor/tensor_scene.hpp"

#include <memory>
#include <optional>

namespace gradus {

/// One tensor of the cursor's iteration: every number of it as a heat map or as pictures, one of them in full, and the
/// histogram of all. With nothing selected, the first parameter.
///
/// Pointing shows an element, clicking pins it; pulling a parameter's element up or down and letting go edits it
/// (Escape: not); a double click asks for its number. Arrows move the pinned element, with Shift the framed part; + and - zoom; PageUp and PageDown step
/// through slices or pages of pictures; I changes between matrix and pictures.
class TensorView : public View {
    Q_OBJECT

public:
    explicit TensorView(const Theme& theme, QWidget* parent = nullptr);

    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    void setTheme(const Theme& theme) override;
    void cancelDrag() override;
    void retranslate() override;

    /// What is on screen, null if nothing is yet. For tests and for whoever draws beside it.
    const TensorShown* shown() const { return shown_.get(); }
    const TensorGeometry& layoutOfItems() const { return geometry_; }
    /// Elements that the lanes at the cursor touch, by their places in row order, ascending.
    const std::vector<std::int64_t>& touched() const { return touched_; }
    /// What a frame would paint now; something is shown.
    TensorScene sceneNow() const { return scene(); }
    /// The sentence that stands instead of a tensor; empty where one is shown.
    const QString& message() const { return message_; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    QRect covered(const QPainter& painter) const override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// A pull on an element, from where it began.
    struct Pull {
        std::vector<Dim> index;
        double from_y = 0, value = 0, size = 0; ///< size: of the tensor's numbers when it began, for the scale of the pull
        std::optional<double> candidate; ///< once it has moved far enough
    };

    void want(const Look& look);
    void showMessage(const QString& sentence);
    void updateNote(const Look& look);
    void updateName();
    void relayout();
    void setZoom(const TensorZoom& zoom);
    void zoomBy(double factor);
    void setHovered(std::vector<Dim> index);
    void setSlice(int axis, Dim index);
    void togglePictures();
    void page(int direction);
    void movePinned(Dim down, Dim right);
    void moveFrameTo(QPointF point);
    void pull(double y);
    Edit editOf(const std::vector<Dim>& index, double value) const;
    void bringIntoView(const std::vector<Dim>& index);
    TensorContents contentsOf(const TensorModel& model) const;
    TensorScene scene() const;
    void followLanes(const Look& look);
    ElementCard cardOf(const std::vector<Dim>& index) const;
    QRect mapArea() const;
    void paintMap(QPainter& painter, const TensorScene& scene);
    const std::vector<Dim>& marked() const { return pull_ ? pull_->index : pinned_; }

    std::string name_, shown_name_;        ///< selected; on screen
    std::shared_ptr<const Run> wanted_run_; ///< of the last wish
    ReachHere reach_;
    TensorId wanted_id_;
    StepIndex wanted_ = -1, step_ = -1;
    std::vector<Dim> wanted_slice_;
    NewestWish<TensorModel, TensorShown> fresh_{[](const TensorModel& model, const std::atomic<bool>&) {
        return std::make_shared<const TensorShown>(show_tensor(model));
    }};
    std::shared_ptr<const TensorShown> shown_;

    // What people do here and nobody else needs to know.
    TensorZoom zoom_;
    std::vector<Dim> slice_;
    int active_slice_ = -1;
    std::optional<bool> pictures_; ///< empty: as suits the tensor

    std::vector<Dim> pinned_, hovered_;
    std::vector<std::int64_t> touched_; ///< elements that the lanes at the cursor touch, by place in row order
    std::optional<QPointF> pointer_;
    std::optional<Pull> pull_;
    bool pulls_frame_ = false;
    qint64 waiting_since_ms_ = 0;
    QString message_;

    TensorGeometry geometry_;
    ColorMap map_;
    KeptPicture base_; ///< map and legend
};

} // namespace gradus
