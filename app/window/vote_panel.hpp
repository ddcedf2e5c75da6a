#pragma once

#include "app/window/votes.hpp"
#include "views/story/story_model.hpp"
#include "views/theme/theme.hpp"

#include <QWidget>

namespace gradus {

/// The choices of a question for the back row: each with its key, its words, and a bar as long as the hands that went up
/// for it. Once the engine has answered, a tick stands at the right one, and the bars stay.
class VotePanel : public QWidget {
    Q_OBJECT

public:
    VotePanel(const Theme& theme, QWidget* parent);
    /// `unit`: pixels that are one at a height of 800.
    void present(const StoryCheck& check, const Vote& vote, double unit);
    void setTheme(const Theme& theme);
    /// Pixels in which no choice of the question takes a second line; 0 where it may have all that is to spare.
    static double wantedWidth(const StoryCheck& check, double unit);

    /// One choice as it stands there; tests read it.
    struct Row {
        QRectF key, picture, words, bar, count, tick, number; ///< picture: null where the choice has none
        QString text, found;
        int hands = 0;
        bool right = false;
    };
    const std::vector<Row>& rows() const { return rows_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void lay();
    QRectF rowsArea() const; ///< below the line that says what the engine's numbers are
    QSizeF pictureSize(double pitch) const; ///< of the largest, of whose pixels each is a block of whole pixels of the screen
    QFont keyFont() const;
    double baseOf(const QRectF& key) const; ///< where its number stands, and the first line of its words
    QFont foundFont() const;
    QFont words() const;
    QFont quiet() const;
    void paintValue(QPainter& painter) const;

    Theme theme_;
    StoryCheck check_;
    Vote vote_;
    double unit_ = 1, words_pixels_ = 30;
    std::vector<Row> rows_;
};

} // namespace gradus
