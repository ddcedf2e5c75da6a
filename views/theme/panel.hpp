#pragma once

#include "views/theme/theme.hpp"

#include <QWidget>

namespace gradus {

/// A surface with a line around it, a title on its left and a note on its right. Views that paint derive from it.
class Panel : public QWidget {
    Q_OBJECT

public:
    Panel(const Theme& theme, const QString& title, QWidget* parent);

    virtual void setTheme(const Theme& theme);
    const Theme& theme() const { return theme_; }
    void setTitle(const QString& title);
    const QString& title() const { return title_; }
    /// Said at the right of the title; `sparse`: what stands there while the panel is sparse.
    void setNote(const QString& note, const QString& sparse = {});
    const QString& note() const { return note_; }
    static QFont note_font(const QString& note);
    /// For the back row of a class: only what the picture is about, no notes, and less of it where there is no room.
    void setSparse(bool sparse);
    bool sparse() const { return sparse_; }
    /// Where a view draws: inside the margins, under the title.
    QRectF contents() const;

    static constexpr int title_height = 44; // pixels

protected:
    /// What is seen outside its round corners is what lies behind it, not the window.
    void floatOverOthers();
    void paintEvent(QPaintEvent* event) override;
    /// What the view's own picture covers whole when it paints with this painter: the surface is not filled there.
    virtual QRect covered(const QPainter&) const { return {}; }

private:
    void paintSurface(QPainter& painter) const;

    Theme theme_;
    QString title_, note_, sparse_note_;
    bool sparse_ = false, lies_on_window_ = true;
};

} // namespace gradus
