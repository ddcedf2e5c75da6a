#pragma once

#include <QLabel>

namespace gradus {

/// A label of several lines that end at spaces only; see paragraph.hpp. Where they have no room, the last that has ends in "…", and
/// the tool tip has all of them.
class ParagraphLabel : public QLabel {
    Q_OBJECT

public:
    explicit ParagraphLabel(QWidget* parent = nullptr);
    void setParagraph(const QString& text);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool hasRoom() const; ///< for all of its lines

    QString text_;
};

} // namespace gradus
