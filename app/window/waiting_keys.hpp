#pragma once

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QObject>
#include <memory>
#include <vector>

namespace gradus {

/// What is typed while an editor is on its way is kept for it: until it is there, letters would be keys of the window.
class WaitingKeys : public QObject {
    Q_OBJECT

public:
    explicit WaitingKeys(QWidget* window);
    void wait();                 ///< somebody is about to write
    void give(QWidget& editor);  ///< what was typed since
    void drop();
    bool waiting() const { return since_.isValid(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* window_;
    QElapsedTimer since_; ///< invalid: nobody waits
    std::vector<std::unique_ptr<QKeyEvent>> typed_;
};

} // namespace gradus
