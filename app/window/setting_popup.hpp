#pragma once

#include <QFrame> // first: see presenter.hpp

#include "views/story/story_model.hpp"
#include "views/theme/theme.hpp"

namespace gradus {

class ParameterControl;

/// One setting that can change while a Run goes on, under the word that was clicked. Closes as menus do.
class SettingPopup : public QFrame {
    Q_OBJECT

public:
    SettingPopup(const Theme& theme, double text_scale, const StoryParameter& parameter, QWidget* parent);
    void popUpBelow(const QWidget& word);
    /// Below a place of a widget, or above it where there is no room.
    void popUpBeside(const QWidget& widget, const QRect& place);
    /// Says why the last value could not be.
    void refuse(const QString& why);

    /// Whether the keyboard is in the field, and not on the slider.
    bool types() const;

signals:
    void dragged(const QString& name, const QString& value);
    void committed(const QString& name, const QString& value);
    /// It closes; what was dragged and not committed is given up.
    void closed();

protected:
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fit();
    void showAt(const QPoint& global);

    Theme theme_;
    int width_;
    ParameterControl* control_;
};

} // namespace gradus
