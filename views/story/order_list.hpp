#pragma once

#include "views/story/story_look.hpp"
#include "views/story/story_model.hpp"
#include "views/text/rich_text.hpp"

#include <QWidget>

namespace gradus {

/// Rows to be put in order: drag one, or hold it with Space and move it with the arrow keys.
class OrderList : public QWidget {
    Q_OBJECT

public:
    OrderList(const StoryLook& look, const std::vector<StoryOption>& options, QWidget* parent);

    void setLook(const StoryLook& look);
    QStringList order() const; ///< ids from the top down
    void setOrder(const QStringList& ids);
    /// Says beside each row whether it is in its place; empty: nothing is said yet, and rows can be moved.
    void setRight(const QStringList& ids);
    /// The engine's number for each row, by id.
    void setNumbers(const QHash<QString, QString>& numbers);
    int heightNeeded(double width) const;

signals:
    void reordered();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Row {
        StoryOption option;
        RichText words;
    };
    double roomAtRight() const;
    RichGeometry wordsOf(const Row& row, double width) const;
    std::vector<QRectF> rects(double width) const;
    void moveRow(int from, int to);
    void describe();

    StoryLook look_;
    std::vector<Row> rows_;
    QStringList right_;
    QHash<QString, QString> numbers_;
    int current_ = 0;
    bool held_ = false, ring_ = false;
};

} // namespace gradus
