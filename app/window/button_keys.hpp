#pragma once

#include <QObject>

class QWidget;

namespace gradus {

/// Buttons under the keyboard: whoever has come to one with Tab presses it with Space or Enter. Elsewhere, and after a
/// click, Space is the lab's.
class ButtonKeys : public QObject {
    Q_OBJECT

public:
    explicit ButtonKeys(QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* window_;
    bool by_key_ = false; ///< how the focused button got the focus
};

} // namespace gradus
