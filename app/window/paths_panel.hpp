#pragma once

#include "views/state/has_items.hpp"
#include "views/theme/theme.hpp"

#include <QWidget>
#include <vector>

namespace gradus {

/// One stop of the track, as the rail shows it.
struct Station {
    enum class Mark { done, here, open, later, unwritten };
    QString card, title;
    Mark mark = Mark::later;
    bool finished = false; ///< every check that counts was answered rightly once; so is one that is done
    bool optional = false;
    bool operator==(const Station&) const = default;
};

/// The track one follows as a line: what is done, where one stands, what comes. Folded it is the line alone.
class PathsPanel : public QWidget, public HasItems {
    Q_OBJECT

public:
    explicit PathsPanel(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    /// `others`: whether there are other tracks to change to.
    void present(const QString& title, const std::vector<Station>& stations, bool others, bool folded);
    const std::vector<Station>& stations() const { return stations_; }
    /// Where a station's row is; the whole of it can be clicked. Null for one that has no room.
    QRectF rowOf(std::size_t i) const;
    std::vector<ViewItem> items() const override;
    /// Takes the keyboard, on the lesson one stands on.
    void goIn();

    static constexpr int wide = 216, narrow = 56; // pixels

signals:
    void picked(const QString& card);
    void nextTrack();
    void tracksWanted(QPoint where); ///< below the title, on the screen
    void foldToggled();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowAt(QPointF point) const; ///< -1: none
    void move(int by);
    double firstRow() const { return folded_ ? 28 : 116; }
    double rowHeight() const;
    std::pair<std::size_t, std::size_t> shownRows() const; ///< from, until: all of them where there is room
    QRectF titleRect() const;

    Theme theme_;
    QString title_;
    std::vector<Station> stations_;
    bool folded_ = false, others_ = false, title_hovered_ = false;
    int hovered_ = -1, focused_ = -1;
};

} // namespace gradus
