#include "tests/views/test_flow.hpp"
#include "tests/views/test_graph.hpp"
#include "tests/views/test_plots.hpp"
#include "tests/views/test_regions.hpp"
#include "tests/views/test_theme.hpp"

#include <QApplication>
#include <QTest>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    TestTheme theme;
    TestGraph graph;
    TestPlots plots;
    TestFlow flow;
    TestRegions regions;
    int failed = 0;
    for (QObject* test : {static_cast<QObject*>(&theme), static_cast<QObject*>(&graph), static_cast<QObject*>(&plots),
                          static_cast<QObject*>(&flow), static_cast<QObject*>(&regions)})
        failed += QTest::qExec(test, argc, argv);
    return failed > 0;
}
