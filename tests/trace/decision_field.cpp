#include "engine/trace/derive/decision_field.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"
#include "tests/support/slowed.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

ForwardPass pass_of(const Recording& r, StepIndex iteration, Dim rows, DType dtype = DType::f32) {
    return ForwardPass(*r.run, forward_inputs(*r.run, *r.run, iteration), {dtype, rows, false});
}

} // namespace

TEST(classes_agree_with_the_recorded_accuracy) {
    const struct {
        const char *data, *layers, *loss;
        DecisionRule::Kind kind;
    } rows[] = {{"spirals", "2,9,2", "softmax", DecisionRule::Kind::softmax},
                {"blobs", "2,9,3", "softmax", DecisionRule::Kind::softmax},
                {"moons", "2,9,1", "bce", DecisionRule::Kind::logit},
                {"rings", "2,9,1", "mse", DecisionRule::Kind::threshold},
                {"xor", "2,4,1", "auto", DecisionRule::Kind::threshold}};
    for (const auto& row : rows) {
        const Row named(fmt::format("{} {}", row.data, row.loss));
        Recording r({{"data", row.data}, {"layers", row.layers}, {"loss", row.loss}, {"batch", "0"}, {"lr", "0.3"}});
        for (int i = 0; i < 30; ++i) r.iterate(i % 10 == 9);
        ForwardPass pass = pass_of(r, 29, 64);
        const DecisionRule rule = decision_rule(pass);
        CHECK(rule.kind == row.kind);
        const PlanePoints points = plane_points(*r.run, *r.run, 29);
        CHECK_EQUAL(points.tensor, std::string("x"));
        const auto outputs = outputs_at(pass, points.x);
        const auto width = static_cast<std::size_t>(rule.outputs);
        REQUIRE(outputs.size() == points.size() * width);
        double right = 0;
        for (std::size_t i = 0; i < points.size(); ++i)
            right += rule.class_of(std::span(outputs).subspan(i * width, width)) == points.labels[i];
        CHECK_ERROR(std::abs(right / static_cast<double>(points.size()) - *r.run->value_at("accuracy", 29)), 1e-7, "accuracy");
    }
}

TEST(moved_points_are_where_they_were_put) {
    Recording r({{"data", "moons"}, {"layers", "2,3,2"}, {"batch", "8"}});
    r.iterate(true);
    r.edit("point 7 = 0.25, -0.5");
    r.iterate(true);
    const PlanePoints before = plane_points(*r.run, *r.run, 0), after = plane_points(*r.run, *r.run, 1);
    CHECK_EQUAL(after.tensor, std::string("data"));
    CHECK_EQUAL(after.x[14], 0.25);
    CHECK_EQUAL(after.x[15], -0.5);
    CHECK(before.x[14] != 0.25);
    CHECK_EQUAL(before.labels, after.labels);
    CHECK_EQUAL(std::count(after.labels.begin(), after.labels.end(), 1), std::ptrdiff_t{200});
}

TEST(classes_are_read_off_outputs) {
    using Kind = DecisionRule::Kind;
    const struct {
        Kind kind;
        std::vector<double> z;
        int label;
        double score;
    } rows[] = {{Kind::threshold, {0.5}, 0, 0.5},        {Kind::threshold, {0.51}, 1, 0.51}, {Kind::logit, {0.0}, 0, 0.5},
                {Kind::logit, {2.0}, 1, 0.880797},       {Kind::softmax, {1, 3}, 1, 0.880797}, {Kind::softmax, {1000, 0}, 0, 0},
                {Kind::largest, {0.2, -0.3}, 0, -0.5}};
    for (const auto& row : rows) {
        const DecisionRule rule{row.kind, static_cast<int>(row.z.size())};
        CHECK_EQUAL(rule.class_of(row.z), row.label);
        CHECK_ERROR(std::abs(rule.score(row.z) - row.score), 1e-6, "score");
    }
    const DecisionRule three{Kind::softmax, 3};
    CHECK_EQUAL(three.class_of(std::vector<double>{0, 2, 1}), 2 - 1);
    CHECK_EQUAL(three.class_of(std::vector<double>{0, std::nan(""), 1}), -1);
    CHECK(!three.one_boundary());
}

TEST(contours_follow_the_level) {
    const std::vector<double> slope{0, 1, 2, 3, 0, 1, 2, 3}; // two rows
    const auto line = contour(slope, 4, 2, 1.25);
    REQUIRE(line.size() == 1);
    CHECK_EQUAL(line[0].x0, 1.25);
    CHECK_EQUAL(line[0].x1, 1.25);
    CHECK_EQUAL(std::abs(line[0].y1 - line[0].y0), 1.0);
    CHECK_EQUAL(contour(std::vector<double>{1, 0, 0, 1}, 2, 2, 0.5).size(), std::size_t{2}); // a saddle has two branches
    CHECK_EQUAL(contour(std::vector<double>{1, 0, 0, 1}, 2, 2, 2.0).size(), std::size_t{0});
    CHECK_EQUAL(contour(std::vector<double>{1, std::nan(""), 0, 1}, 2, 2, 0.5).size(), std::size_t{0});
    CHECK_EQUAL(contour({}, 0, 0, 0).size(), std::size_t{0});
}

TEST(a_grid_is_computed_in_a_frame) {
    Recording r({{"data", "spirals"}, {"layers", "2,16,16,1"}, {"loss", "bce"}, {"batch", "32"}});
    r.iterate(true);
    ForwardPass pass = pass_of(r, 0, 1024);
    const PlaneGrid grid{-1, -1, 2.0 / 160, 160, 160};
    const auto start = std::chrono::steady_clock::now();
    const auto outputs = outputs_on(pass, grid);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    CHECK_EQUAL(outputs.size(), std::size_t{25'600});
    CHECK(ms < 200 * slowed, fmt::format("{:.2f} ms", ms)); // by the clock, so with room for what else runs
    fmt::print("a grid of 160×160 through 2-16-16-1: {:.2f} ms\n", ms);
    const std::vector<double> one{grid.x(159), grid.y(3)};
    CHECK_EQUAL(outputs_at(pass, one)[0], outputs[3 * 160 + 159]); // the batch changes no bit
    const std::atomic<bool> outdated{true};
    CHECK(outputs_on(pass, grid, &outdated).empty());
}

TEST(what_is_no_plane_is_refused) {
    Recording r({{"data", "blobs"}, {"layers", "2,3,3"}, {"batch", "16"}});
    r.iterate(true);
    const auto none = std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr);
    CHECK_THROWS(plane_points(*none, *none, 0), UnavailableError, "not kept");
}
