#pragma once

#include <QTest>
#include <QWidget>

namespace gradus::test {

/// Shows a window and waits until the keys are its own: before that it has no shortcuts.
inline void show_active(QWidget& window) {
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
}

} // namespace gradus::test
