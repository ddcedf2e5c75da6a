// What the tests of a class share: the shipped cards, and a key as the display sends it.
#pragma once

#include "tests/window/small_lesson.hpp"

#include <QWindow>

namespace gradus::test {

inline std::shared_ptr<const Library> cards() {
    static const auto library = std::make_shared<const Library>(load_library(GRADUS_SOURCE_FOLDER "/lessons"));
    return library;
}

inline void press(MainWindow& window, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window.windowHandle(), key, modifiers); // as the display sends it: shortcuts first, then the focus
    window.frame();
}

} // namespace gradus::test
