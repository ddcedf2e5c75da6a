#pragma once

#include "views/theme/theme.hpp"

#include <QKeySequence>
#include <QString>
#include <QPointer>
#include <QWidget>
#include <functional>
#include <vector>

namespace gradus {

/// One thing the keyboard can do. The table of them makes the shortcuts and the list that `?` shows, so that neither
/// can be without the other.
struct KeyAction {
    QString group;
    QString name;
    std::vector<QKeySequence> keys; ///< the first is the one that is told
    std::function<void()> act; ///< empty where somebody else sees to the key: it is held, not pressed
};

/// Makes the shortcuts. They work wherever the focus is, except where a field of text wants the key.
void add_shortcuts(QWidget* window, const std::vector<KeyAction>& actions);

/// How a person reads a key: "Space", "←", "Ctrl+Home".
QString key_text(const QKeySequence& keys);

/// The list of keys, over the whole window, until a key or a click.
class KeysOverlay : public QWidget {
    Q_OBJECT

public:
    KeysOverlay(const Theme& theme, std::vector<KeyAction> actions, QWidget* parent);

protected:
    bool event(QEvent* event) override; ///< any key closes it, those that are the window's own included
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent*) override { close(); }
    void keyPressEvent(QKeyEvent*) override { close(); }
    void hideEvent(QHideEvent* event) override;

private:
    QPointer<QWidget> before_; ///< had the keyboard
    Theme theme_;
    std::vector<KeyAction> actions_;
};

} // namespace gradus
