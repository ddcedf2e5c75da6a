#include "engine/trace/derive/level_lines.hpp"

#include "lessons/experiments/compose_lines/process.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace gradus;
using namespace gradus::test;

TEST(round_numbers_are_few_and_inside) {
    struct {
        double from, until;
        int most;
        std::vector<double> numbers;
    } const rows[] = {
        {-4, 4, 5, {-4, -2, 0, 2, 4}},
        {-4, 4, 9, {-4, -3, -2, -1, 0, 1, 2, 3, 4}},
        {-4, 4, 2, {0}},
        {-19, 21, 9, {-15, -10, -5, 0, 5, 10, 15, 20}},
        {0.31, 0.52, 5, {0.35, 0.4, 0.45, 0.5}},
        {1, 1, 5, {}},
        {2, 1, 5, {}},
        {0, INFINITY, 5, {}},
    };
    for (const auto& row : rows) {
        const Row named(fmt::format("{} to {}, {}", row.from, row.until, row.most));
        const auto numbers = round_numbers(row.from, row.until, row.most);
        REQUIRE(numbers.size() == row.numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) CHECK_ERROR(std::abs(numbers[i] - row.numbers[i]), 1e-12, "number");
    }
}

TEST(level_lines_of_a_plane_are_straight) {
    // z = 2·column − row + 1 on 9 columns and 5 rows
    std::vector<double> values;
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 9; ++column) values.push_back(2 * column - row + 1);
    const auto lines = level_lines(values, 9, 5, 9);
    REQUIRE(!lines.empty() && lines.size() <= 9);
    for (const LevelLine& line : lines) {
        const Row named(fmt::format("{}", line.level));
        for (const ContourPiece& piece : line.pieces)
            for (const auto& [x, y] : {std::pair(piece.x0, piece.y0), std::pair(piece.x1, piece.y1)})
                CHECK_ERROR(std::abs(2 * x - y + 1 - line.level), 1e-12, "the value on its line");
    }
    CHECK(level_lines(std::vector<double>(45, 3.0), 9, 5, 9).empty(), "a flat one has none");
    values[0] = NAN;
    CHECK(!level_lines(values, 9, 5, 9).empty(), "what is not finite has no line, the rest does");
}

// The coordinates are in the Run: the constants that the experiment multiplies its slopes with.
TEST(a_grids_axes_stand_in_its_run) {
    Setup setup;
    setup.parameters = find_experiment("compose_lines").complete({{"surface", "plane"}});
    setup.device.threads = 1;
    lines::LinesProcess process(setup);
    const auto run = std::make_shared<Run>(Manifest{}, process.series(), nullptr);
    RunWriter writer(run);
    process.begin(writer, true);
    process.iterate(writer, 0, true);
    const Tensor& plane = run->tensors_of(0)->find("plane")->tensor;
    const auto down = axis_values(*run, plane.shape().name(0).view(), plane.shape()[0]);
    const auto across = axis_values(*run, plane.shape().name(1).view(), plane.shape()[1]);
    REQUIRE(down.size() == 64 && across.size() == 64);
    CHECK(across.front() == -4 && across.back() == 4 && down.front() == 4 && down.back() == -4);
    for (const Dim i : {0, 17, 63})
        for (const Dim j : {0, 40, 63})
            CHECK_ERROR(std::abs(plane.at(i, j) - (2 * across[static_cast<std::size_t>(j)] - 3 * down[static_cast<std::size_t>(i)] + 1)), 1e-12, "the plane there");
    CHECK(axis_values(*run, "x1", 63).empty(), "another length");
    CHECK(axis_values(*run, "point", 400).empty(), "no constant has that name");
    CHECK(axis_values(*run, "Q", 1200).empty(), "not evenly spaced");
}
