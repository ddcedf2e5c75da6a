#pragma once

#include "views/listing/listing_painter.hpp"
#include "views/state/view.hpp"

#include <memory>
#include <optional>

namespace gradus {

/// The program that a lesson shows beside its run: the line of the event one stands on as a band, beside each line that the
/// lesson tells of the time its part of the step took and its work. A click on a line goes to the first event of it.
class ListingView : public View {
    Q_OBJECT

public:
    ListingView(const Theme& theme, QWidget* parent);

    /// The lesson's words; null: it has none.
    void setListing(std::shared_ptr<const Listing> listing);
    void retranslate() override;
    void present(const Look& look) override;
    std::vector<ViewItem> items() const override;
    /// What is on screen now.
    const ListingPicture& picture() const { return picture_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void paintHover(QPainter& painter) const;

    /// What a model was made from; the same again makes the same.
    struct Made {
        std::shared_ptr<const Listing> listing;
        std::shared_ptr<const Run> run, full;
        StepIndex iteration = -1;
        std::int32_t ordinal = -1;
        std::size_t observed = 0, sites = 0;
        Language language = Language::en;
        bool operator==(const Made&) const = default;
    };

    std::shared_ptr<const Listing> listing_;
    Made made_;
    ListingPicture picture_;
    std::optional<QPointF> pointer_;
};

} // namespace gradus
