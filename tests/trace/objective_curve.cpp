#include "engine/trace/derive/objective_curve.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/run_writer.hpp"
#include "lessons/experiments/descend/descend.hpp"
#include "lessons/experiments/descend/process.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

/// A walk that a test writes step by step.
struct Walk {
    Setup setup;
    std::unique_ptr<descent::DescendProcess> process;
    std::shared_ptr<Run> run;
    std::unique_ptr<RunWriter> writer;

    explicit Walk(const Parameters& given) {
        setup.parameters = descend().complete(given);
        setup.device.threads = 1;
        process = std::make_unique<descent::DescendProcess>(setup);
        Manifest manifest;
        process->describe(manifest);
        run = std::make_shared<Run>(manifest, process->series(), nullptr);
        writer = std::make_unique<RunWriter>(run);
        process->begin(*writer, true);
    }
    void iterate() { process->iterate(*writer, run->head(), true); }
    void edit(const std::string& text) {
        const Edit change = Edit::parse(text);
        process->apply(change, run->head());
        writer->log_edit(change, run->head());
    }
    ObjectiveConstants constants() const { return objective_constants(*run, *run, run->head() - 1); }
};

} // namespace

TEST(a_curve_is_that_of_plain_doubles) {
    for (const double a : {0.01, 1.0, 4.0, 7.3, 100.0}) {
        const Row named(fmt::format("a {}", a));
        Walk walk(Parameters{{"curvature", number_text(a)}});
        walk.iterate();
        const ObjectiveConstants constants = walk.constants();
        CHECK(constants.kind == ObjectiveConstants::Kind::parabola);
        CHECK_EQUAL(constants.a.at(0), a);
        Objective objective(constants);
        const auto f = objective_curve(objective, -2, 3, 11);
        REQUIRE(f.size() == 11);
        for (std::size_t i = 0; i < f.size(); ++i) {
            const double w = -2 + 0.5 * static_cast<double>(i);
            CHECK_ERROR(std::abs(f[i] - 0.5 * a * w * w), 1e-12 * (1 + f[i]), "f(w)");
        }
    }
}

TEST(the_objective_gives_the_losses_that_the_run_recorded) {
    for (const char* objective : {"parabola", "bowl", "line"}) {
        const Row named(objective);
        Walk walk(Parameters{{"objective", objective}, {"curvature2", "0.7"}, {"start", "-1.3"}, {"start2", "0.4"}});
        for (int i = 0; i < 8; ++i) walk.iterate();
        const ObjectiveConstants constants = walk.constants();
        Objective f(constants);
        for (StepIndex i = 0; i < 8; ++i) {
            std::vector<double> at;
            for (const std::string& name : walk.process->coordinates()) at.push_back(*walk.run->value_at(name, i));
            CHECK_EQUAL(at.size(), constants.parameters());
            CHECK_EQUAL(f.at(at), *walk.run->value_at("loss", i)); // the very bits
        }
    }
}

TEST(a_line_is_that_of_plain_doubles) {
    Walk walk(Parameters{{"objective", "line"}});
    walk.iterate();
    const ObjectiveConstants constants = walk.constants();
    CHECK(constants.kind == ObjectiveConstants::Kind::line);
    REQUIRE(constants.x.size() == 100 && constants.y.size() == 100);
    Objective objective(constants);
    const double at[] = {1.5, -0.25};
    const auto y = objective.line(at);
    REQUIRE(y.size() == 100);
    double mean = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        CHECK_ERROR(std::abs(y[i] - (1.5 * constants.x[i] - 0.25)), 1e-12, "m·x + b");
        mean += std::pow(y[i] - constants.y[i], 2) / 100;
    }
    CHECK_ERROR(std::abs(objective.at(at) - mean), 1e-12, "mean squared error");
}

TEST(a_grid_is_read_row_by_row) {
    Walk walk(Parameters{{"objective", "bowl"}, {"curvature", "4"}, {"curvature2", "1"}});
    walk.iterate();
    Objective objective(walk.constants());
    const PlaneGrid grid{-1, -2, 0.5, 4, 8};
    const auto f = objective_grid(objective, grid);
    REQUIRE(f.size() == 32);
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 4; ++column) {
            const double x = grid.x(column), y = grid.y(row);
            CHECK_ERROR(std::abs(f[static_cast<std::size_t>(row * 4 + column)] - 0.5 * (4 * x * x + y * y)), 1e-12, "f(w1, w2)");
        }
    std::atomic<bool> outdated{true};
    CHECK(objective_grid(objective, grid, &outdated).empty());
}

TEST(a_point_of_the_bowl_is_put_with_both_coordinates) {
    Walk walk(Parameters{{"objective", "bowl"}});
    walk.iterate();
    walk.edit("point 0 = 0.5, -0.25");
    walk.iterate();
    CHECK_EQUAL(*walk.run->value_at("w1", 1), 0.5);
    CHECK_EQUAL(*walk.run->value_at("w2", 1), -0.25);
    CHECK_THROWS(walk.edit("point 1 = 0, 0"), ArgumentError, "no points");
    Walk parabola(Parameters{});
    CHECK_THROWS(parabola.edit("point 0 = 0, 0"), ArgumentError, "no points");
}

TEST(an_edited_curvature_counts_from_its_step_on) {
    Walk walk(Parameters{{"curvature", "4"}});
    walk.iterate();
    walk.edit("a[0] = 2");
    walk.iterate();
    CHECK_EQUAL(objective_constants(*walk.run, *walk.run, 0).a.at(0), 4.0);
    CHECK_EQUAL(objective_constants(*walk.run, *walk.run, 1).a.at(0), 2.0);
}

TEST(other_runs_have_no_such_objective) {
    Recording r({{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "0"}});
    r.iterate(true);
    CHECK_THROWS(objective_constants(*r.run, *r.run, 0), UnavailableError, "one or two parameters");
    Walk walk(Parameters{});
    walk.iterate();
    Objective objective(walk.constants());
    const double two[] = {1, 2};
    CHECK_THROWS(objective.at(two), ShapeError, "1 parameters");
    CHECK(objective.line(std::span(two, 1)).empty());
}
