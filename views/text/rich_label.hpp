#pragma once

#include "views/text/rich_painter.hpp"

#include <QWidget>

namespace gradus {

/// A text that keeps its layout until its width, words, scale or the width of a live number changes. It takes the
/// height it needs for the width it is given.
class RichLabel : public QWidget {
    Q_OBJECT

public:
    RichLabel(const Theme& theme, const RichStyle& style, QWidget* parent);

    void setTheme(const Theme& theme);
    void setStyle(const RichStyle& style);
    /// Quiet words are in the second ink.
    void setQuiet(bool quiet);
    /// Parses and shows a text; the same text again costs nothing.
    void setText(const QString& markdown);
    const QString& text() const { return text_; }
    const RichText& rich() const { return rich_; }
    /// The numbers of now. True if the text had to be laid out again, and may have another height.
    bool setNumbers(const LiveNumbers& live);
    void setPlaces(const PlaceHeights& heights);
    /// The layout is thrown away, because the height of a control changed.
    void relay();

    const RichGeometry& geometryFor(double width) const;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme theme_;
    RichStyle style_;
    QString text_;
    RichText rich_;
    LiveNumbers live_;
    PlaceHeights heights_;
    bool quiet_ = false;
    mutable RichGeometry geometry_;
    mutable double laid_ = -1; ///< the width that geometry_ is for; negative: none
};

} // namespace gradus
