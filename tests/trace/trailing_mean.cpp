#include "engine/trace/derive/trailing_mean.hpp"

#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

std::shared_ptr<Run> written(const std::vector<double>& values, std::shared_ptr<const Run> parent = nullptr, StepIndex from = 0) {
    Manifest manifest;
    manifest.fork_iteration = from;
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true},
                                                                       {"test", "", Provenance::computed, false}}, parent);
    RunWriter writer(run);
    for (std::size_t i = 0; i < values.size(); ++i) {
        writer.begin_iteration(from + static_cast<StepIndex>(i), false);
        writer.push(0, values[i]);
        writer.end_iteration();
    }
    return run;
}

std::vector<double> means(const Run& run, StepIndex window, StepIndex from, StepIndex until) {
    std::vector<double> out;
    StepIndex at = from;
    for (const SeriesPoint& point : trailing_mean(run, "loss", window, from, until)) {
        CHECK_EQUAL(point.iteration, at++);
        out.push_back(point.value);
    }
    return out;
}

} // namespace

TEST(a_trailing_mean_is_that_of_the_last_values) {
    const auto run = written({4, 2, 6, 8, 10});
    CHECK_EQUAL(means(*run, 1, 0, 9), std::vector<double>({4, 2, 6, 8, 10}));
    CHECK_EQUAL(means(*run, 2, 0, 9), std::vector<double>({4, 3, 4, 7, 9}));
    CHECK_EQUAL(means(*run, 3, 2, 4), std::vector<double>({4, 16.0 / 3}));
    CHECK(means(*run, 2, 5, 9).empty());
    CHECK(trailing_mean(*run, "test", 2, 0, 9).empty() && trailing_mean(*run, "none", 2, 0, 9).empty());
}

TEST(a_trailing_mean_goes_on_from_the_parent) {
    const auto parent = written({4, 2, 6, 8, 10});
    const auto fork = written({0, 3}, parent, 2); // the parent's own way on does not count
    CHECK_EQUAL(means(*fork, 3, 0, 9), std::vector<double>({4, 3, 2, 5.0 / 3}));
    CHECK_EQUAL(means(*fork, 3, 2, 9), std::vector<double>({2, 5.0 / 3}));
}

TEST(a_trailing_mean_ends_where_the_series_breaks) {
    CHECK_EQUAL(means(*written({1, 3, NAN, 5}), 2, 0, 9), std::vector<double>({1, 2}));
    CHECK_EQUAL(means(*written({1, NAN, 3, 5}), 3, 2, 9), std::vector<double>({2, 4})); // 1 and 3; 3 and 5
    CHECK_EQUAL(means(*written({1, NAN, 3, 5}), 2, 2, 9), std::vector<double>({3, 4}));
}
