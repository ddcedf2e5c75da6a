#include "tests/views/test_activation.hpp"
#include "tests/views/test_attention.hpp"
#include "tests/views/test_covers.hpp"
#include "tests/views/test_fan.hpp"
#include "tests/views/test_flow.hpp"
#include "tests/views/test_folds.hpp"
#include "tests/views/test_graph.hpp"
#include "tests/views/test_hierarchy.hpp"
#include "tests/views/test_listing.hpp"
#include "tests/views/test_neuron.hpp"
#include "tests/views/test_overview.hpp"
#include "tests/views/test_plots.hpp"
#include "tests/views/test_probabilities.hpp"
#include "tests/views/test_regions.hpp"
#include "tests/views/test_roofline.hpp"
#include "tests/views/test_rungs.hpp"
#include "tests/views/test_story.hpp"
#include "tests/views/test_tensor.hpp"
#include "tests/views/test_tensor_grid.hpp"
#include "tests/views/test_tensor_use.hpp"
#include "tests/views/test_text.hpp"
#include "tests/views/test_theatre.hpp"
#include "tests/views/test_theme.hpp"
#include "tests/views/test_timeline.hpp"
#include "tests/views/test_valley.hpp"

#include <QApplication>
#include <QTest>

/// Every family of views has a test object; the name of a test function may follow on the command line.
int main(int argc, char** argv) {
    QApplication app(argc, argv);
    TestTheme theme;
    TestTheatre theatre;
    TestActivation activation;
    TestAttention attention;
    TestCovers covers;
    TestGraph graph;
    TestHierarchy hierarchy;
    TestListing listing;
    TestNeuron neuron;
    TestOverview overview;
    TestPlots plots;
    TestTimeline timeline;
    TestTensor tensor;
    TestTensorGrid tensor_grid;
    TestTensorUse tensor_use;
    TestFan fan;
    TestFlow flow;
    TestFolds folds;
    TestProbabilities probabilities;
    TestRegions regions;
    TestRoofline roofline;
    TestRungs rungs;
    TestValley valley;
    TestText text;
    TestStory story;
    int failed = 0;
    for (QObject* test : std::initializer_list<QObject*>{&theme, &covers, &neuron, &activation, &attention, &graph, &hierarchy, &listing, &overview, &plots, &timeline, &tensor,
                                                         &tensor_grid, &tensor_use, &flow, &folds, &fan, &regions, &roofline, &rungs, &theatre, &valley, &text, &story, &probabilities})
        failed += QTest::qExec(test, argc, argv);
    return failed > 0;
}
