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

signals:
    void dragged(const QString& name, const QString& value);
    void committed(const QString& name, const QString& value);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme theme_;
    ParameterControl* control_;
};

} // namespace gradus
