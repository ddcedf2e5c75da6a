#include "tests/views/test_graph.hpp"
#include "tests/views/test_overview.hpp"
#include "tests/views/test_plots.hpp"
#include "tests/views/test_theme.hpp"
#include "tests/views/test_timeline.hpp"

#include <QApplication>
#include <QTest>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    TestTheme theme;
    TestGraph graph;
    TestOverview overview;
    TestPlots plots;
    TestTimeline timeline;
    int failed = 0;
    for (QObject* test : {static_cast<QObject*>(&theme), static_cast<QObject*>(&graph), static_cast<QObject*>(&overview),
                          static_cast<QObject*>(&plots), static_cast<QObject*>(&timeline)})
        failed += QTest::qExec(test, argc, argv);
    return failed > 0;
}
