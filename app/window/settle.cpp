#include "app/window/settle.hpp"

#include "app/window/main_window.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/newest_wish.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>

namespace gradus {

void settle(MainWindow& window, const std::function<bool()>& done, int quiet) {
    QElapsedTimer timer;
    timer.start();
    int seen = 0;
    while (seen < quiet) {
        window.frame();
        QCoreApplication::processEvents();
        if (!window.presenter().status().failure.empty()) throw Error(window.presenter().status().failure);
        const Session::Status& status = window.presenter().status();
        // A part may have begun a Run of its own, and views ask workers for numbers.
        const bool still = !status.playing && !status.busy && !status.loading && open_wishes == 0;
        seen = done() && still ? seen + 1 : 0;
        if (timer.elapsed() > 600'000) throw Error("the picture was not ready within ten minutes");
        QThread::msleep(seen > 0 ? 10 : 3);
    }
}

} // namespace gradus
