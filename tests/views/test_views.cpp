#include "tests/views/test_graph.hpp"
#include "tests/views/test_plots.hpp"
#include "tests/views/test_story.hpp"
#include "tests/views/test_text.hpp"
#include "tests/views/test_theme.hpp"

#include <QApplication>
#include <QTest>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    TestTheme theme;
    TestGraph graph;
    TestPlots plots;
    TestText text;
    TestStory story;
    int failed = 0;
    for (QObject* test : std::initializer_list<QObject*>{&theme, &graph, &plots, &text, &story})
        failed += QTest::qExec(test, argc, argv);
    return failed > 0;
}
