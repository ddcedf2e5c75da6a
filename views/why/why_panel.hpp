#pragma once

#include <QObject> // first: Qt 6.4's moc stumbles over the standard library's concepts otherwise

#include "views/state/app_state.hpp"
#include "views/theme/panel.hpp"
#include "views/why/why_story.hpp"

namespace gradus {

/// The walk back from a number to where it comes from, link by link, over what is told beside the stage. A link is gone to by a click, or with
/// the arrows and Enter; Escape closes.
class WhyPanel : public Panel {
    Q_OBJECT

public:
    WhyPanel(const Theme& theme, QWidget* parent);

    void present(const WhyStory& story);
    const WhyStory& story() const { return story_; }
    /// That no sentence is cut in a panel so wide.
    int heightNeeded(int width) const;
    /// That every sentence has a line of its own.
    int widthNeeded() const;
    QRectF lineRect(std::size_t line) const;

signals:
    /// Somebody goes to a link: its iteration, its event (-1: none) and its element.
    void chosen(qint64 iteration, int ordinal, const gradus::Selection& selection);
    void closed();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF closeRect() const;
    QRectF list() const; ///< where the lines stand
    double footHeight(double width) const;
    /// Where each line begins, from 0, and where the last one ends.
    const std::vector<double>& tops(double width) const;
    int lineAt(double y) const; ///< -1: none
    void choose(int line);
    void scrollTo(double offset);
    void paintLine(QPainter& painter, std::size_t i) const;

    WhyStory story_;
    std::vector<WhyLine> lines_;
    mutable std::vector<double> tops_; ///< for a list `tops_width_` wide; measured once
    mutable double tops_width_ = -1;
    int hovered_ = -1, chosen_ = -1;
    double offset_ = 0, wanted_ = 0; ///< pixels scrolled away; as far as it would be if there were enough lines
};

} // namespace gradus
