#pragma once

#include <QObject>
#include <QTimer>
#include <functional>

class QKeyEvent;
class QWidget;

namespace gradus {

class Presenter;

/// The key that holds the fan of futures open, and those that choose from it meanwhile. They go before everything else
/// that has keys; a field of text keeps its letters.
class FanKeys : public QObject {
    Q_OBJECT

public:
    /// `open` opens the fan, or says why there is none.
    FanKeys(Presenter& presenter, std::function<void()> open, QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool press(const QKeyEvent& key);

    Presenter& presenter_;
    std::function<void()> open_;
    QWidget* window_;
    bool held_ = false;
    QTimer let_go_;
};

} // namespace gradus
