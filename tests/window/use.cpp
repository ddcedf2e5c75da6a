#include "tests/window/test_access.hpp"
#include "tests/window/test_lesson_keys.hpp"
#include "tests/window/test_numbers.hpp"
#include "tests/window/test_pixels.hpp"

#include <QApplication>
#include <QTest>

/// The window as people use it; the name of a test function may follow on the command line.
int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setStyle("Fusion");
    TestAccess access;
    TestLessonKeys keys;
    TestNumbers numbers;
    TestPixels pixels;
    if (qEnvironmentVariableIsSet("GRADUS_REAL_KEYS")) return QTest::qExec(&keys, argc, argv);
    if (qEnvironmentVariableIsSet("GRADUS_PIXELS")) return QTest::qExec(&pixels, argc, argv); // minutes: not for every day
    int failed = 0;
    for (QObject* test : std::initializer_list<QObject*>{&access, &keys, &numbers}) failed += QTest::qExec(test, argc, argv);
    return failed > 0;
}
