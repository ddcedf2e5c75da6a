#pragma once

#include "engine/trace/derive/newest_wish.hpp"
#include "views/neuron/neuron_picture.hpp"
#include "views/state/kept_picture.hpp"
#include "views/state/view.hpp"

#include <optional>

namespace gradus {

/// One neuron of the first hidden layer: its weights as a picture, the test images that it answers most strongly, and what
/// every neuron of its layer says of the image one looks at. The neuron is the one that is selected.
class NeuronView : public View {
    Q_OBJECT

public:
    NeuronView(const Theme& theme, QWidget* parent);

    void setTheme(const Theme& theme) override;
    void retranslate() override;
    void present(const Look& look) override;
    void setVeil(const Veil& veil) override;
    std::vector<ViewItem> items() const override;
    const NeuronPicture& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    bool shows() const; ///< a neuron, not a sentence
    QString sentence() const;
    void layOut();
    void changed();
    void updateNote(const Look& look);
    void paintHover(QPainter& painter) const;

    NeuronPicture picture_;
    Selection selection_; ///< of the last look, as are the next two
    Dim example_ = -1;
    bool no_images_ = false; ///< its Run reads none
    NeuronWish wanted_;
    KeptPicture painted_;
    QPointF hover_;
    bool hovered_ = false;
    NewestWish<NeuronWish, NeuronField> fields_;
};

} // namespace gradus
