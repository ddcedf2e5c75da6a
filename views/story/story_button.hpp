#pragma once

#include "views/story/story_look.hpp"
#include "views/text/rich_text.hpp"

#include <QAbstractButton>
#include <QImage>
#include <vector>

namespace gradus {

/// A button with a thin outline: an option, a choice, a step onwards. Its words may wrap and hold formulas.
class StoryButton : public QAbstractButton {
    Q_OBJECT

public:
    enum class Look : std::uint8_t {
        plain,
        chosen,  ///< filled with ink
        outlined ///< chosen, and not right: the outline stays
    };
    StoryButton(const StoryLook& look, const QString& words, QWidget* parent);

    void setLook(const StoryLook& look);
    void setWords(const QString& words);
    const QString& words() const { return words_; }
    /// A picture that the words name: beside them where there is room, else above them.
    void setPicture(const QImage& picture);
    /// Where it is painted; null where there is none.
    QRectF pictureRect() const;
    /// A number at the right end, about what the words name.
    void setNumber(const QString& number);
    void setState(Look state, bool ticked = false);
    Look state() const { return state_; }
    bool ticked() const { return ticked_; }
    void setMayBeTicked(); ///< it keeps the room for it from the start
    /// Width of the words on one line with the room around them.
    double naturalWidth() const;
    int heightNeeded(double width) const;
    bool wraps(double width) const; ///< into more than one line
    void setFromLeft(bool left);    ///< as its neighbours that wrap; else words on one line stand in the middle
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    RichStyle style() const;
    double sides() const;
    double tickRoom(double width) const;
    double wordsWidth() const; ///< on one line, with the number
    double numberRoom() const;
    QSizeF pictureSize() const;
    bool pictureBeside(double width) const; ///< else above the words
    double wordsRoom(double width) const;   ///< for the width of a line
    const RichGeometry& laid(double width) const;
    void paintPictured(QPainter& painter, const QColor& ink) const;

    StoryLook look_;
    QString words_, number_;
    QImage picture_;
    RichText rich_;
    Look state_ = Look::plain;
    bool ticked_ = false, may_be_ticked_ = false, from_left_ = false, hovered_ = false, ring_ = false;
    mutable RichGeometry geometry_;
    mutable double laid_ = -1;
};

/// Puts buttons in one row if all fit, else in a grid, else under one another. They reach `ring_room` over the area on each side, so
/// that their outlines, not their focus rings, keep to it. Returns the height.
double place_buttons(const std::vector<StoryButton*>& buttons, QPointF at, double width);

/// How high place_buttons would be.
double height_of_buttons(const std::vector<StoryButton*>& buttons, double width);

} // namespace gradus
