#include "tests/cli/program.hpp"
#include "tests/support/check.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace gradus::test {

using nlohmann::json;

namespace {

/// Lines of the launch that do this to that buffer, together.
json sum_of(const json& kernel, const char* op, const char* buffer, const char* what) {
    std::int64_t steps = 0, transfers = 0;
    for (const json& line : kernel["counters"]["lines"])
        if (line["op"] == op && line.value("buffer", "") == buffer) steps += line["steps"].get<std::int64_t>(), transfers += line[what].get<std::int64_t>();
    return {steps, transfers};
}

} // namespace

TEST(kernels_are_counted_line_by_line) {
    const Output naive = gradus("kernel transpose/1_naive --set rows=64 --set columns=64 --json", "GRADUS_NVCC=/nowhere");
    CHECK_EQUAL(naive.status, 0);
    const json kernel = json::parse(naive.out, nullptr, false);
    REQUIRE(kernel.is_object() && kernel["schema"] == 1);
    CHECK(kernel["findings"].empty());
    CHECK_EQUAL(kernel["max_error"]["value"].get<double>(), 0.0);
    CHECK_EQUAL(kernel["launch"]["grid"], json({2, 8, 1}));
    CHECK_EQUAL(sum_of(kernel, "store", "y", "sectors"), json({128, 128 * 32}));
    CHECK_EQUAL(sum_of(kernel, "load", "x", "sectors"), json({128, 128 * 4}));
    CHECK_EQUAL(kernel["counters"]["sectors"], 128 * 36);
    CHECK(kernel["occupancy"].is_array() && kernel["occupancy"][0].contains("unknown"));
    const json padded = json::parse(gradus("kernel transpose/3_padded --set rows=64 --set columns=64 --set block=32x8 --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    CHECK_EQUAL(sum_of(padded, "load", "tile", "wavefronts"), json({128, 128}));
}

TEST(a_lane_is_shown_step_by_step) {
    const Output shown = gradus("kernel reduction/7_shuffle --set n=300 --lane 3 --json", "GRADUS_NVCC=/nowhere");
    REQUIRE(shown.status == 0, shown.error);
    const json kernel = json::parse(shown.out, nullptr, false);
    REQUIRE(kernel.is_object() && kernel.contains("lane"));
    int shuffles = 0;
    for (const json& step : kernel["lane"]["steps"]) {
        if (!step.contains("collective")) continue;
        const json one = json::parse(gradus("kernel reduction/7_shuffle --set n=300 --lane 3 --json --at " + step["step"].dump(), "GRADUS_NVCC=/nowhere").out, nullptr, false)["lane"]["steps"];
        REQUIRE(one.size() == 1 && one[0]["collective"] == step["collective"]);
        for (const json& local : one[0]["locals"])
            if (local["name"] == "sum") CHECK(local["value"] == step["collective"]["handed_in"] && local["bits"] == step["collective"]["handed_in_bits"] && local["type"] == "float", local.dump());
        if (++shuffles == 2) break;
    }
    CHECK_EQUAL(shuffles, 2);
    const Output words = gradus("kernel reduction/7_shuffle --set n=300 --lane 3", "GRADUS_NVCC=/nowhere");
    CHECK(words.out.find("int distance = 8   (was 16)") != std::string::npos, words.out);
    const Output wrong = gradus("kernel reduction/7_shuffle --lane 999", "GRADUS_NVCC=/nowhere");
    CHECK(wrong.status == 2 && wrong.error.find("--lane must be 0 to 255, not 999") != std::string::npos, wrong.error);
}

TEST(a_kernels_run_is_recorded_replayed_and_compared) {
    const std::string words = "run run_kernel --set ladder=transpose --set sizes=rows=64,columns=64 --json";
    const Output naive = gradus(words + " --set rung=1_naive --record " + file("k.gradus"), "GRADUS_NVCC=/nowhere");
    CHECK_EQUAL(naive.status, 0);
    const json run = json::parse(naive.out, nullptr, false), kernel = json::parse(gradus("kernel transpose/1_naive --set rows=64 --set columns=64 --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    REQUIRE(run.is_object() && kernel.is_object());
    CHECK_EQUAL(run["scalars"]["sectors"]["value"], kernel["counters"]["sectors"]);
    CHECK_EQUAL(run["scalars"]["wavefronts"]["value"], kernel["counters"]["wavefronts"]);
    CHECK_EQUAL(run["scalars"]["max_error"]["value"], kernel["max_error"]["value"]);
    CHECK_EQUAL(run["answers"]["sectors"]["value"], kernel["counters"]["sectors"]);
    CHECK_EQUAL(run["answers"]["sectors"]["provenance"], "counted");
    CHECK_EQUAL(run["answers"]["occupancy"]["provenance"], "modelled");
    const Output replayed = gradus("replay " + file("k.gradus") + " --recompute --json");
    CHECK_EQUAL(replayed.status, 0);
    const json replay = json::parse(replayed.out, nullptr, false);
    CHECK(replay["whole"] == true && replay["runs"][0]["kernel_steps"].get<int>() > 0 && replay["recomputed"][0]["equal"] == true, replayed.out);
    CHECK_EQUAL(gradus(words + " --set rung=1_naive --record " + file("again.gradus"), "GRADUS_NVCC=/nowhere").status, 0);
    CHECK_EQUAL(gradus("diff " + file("k.gradus") + " " + file("again.gradus")).status, 0);
    CHECK_EQUAL(gradus(words + " --set rung=2_tiled --record " + file("tiled.gradus"), "GRADUS_NVCC=/nowhere").status, 0);
    const Output differs = gradus("diff " + file("k.gradus") + " " + file("tiled.gradus"));
    CHECK_EQUAL(differs.status, 1);
    CHECK(differs.out.find("transpose/1_naive") != std::string::npos, differs.out);
    check_refused("run run_kernel --set ladder=nothing", "ladder must be one of");
    check_refused("run run_kernel --set rung=9", "no rung '9'");
}

TEST(an_edited_kernel_is_checked) {
    const auto file = folder() / "edited kernel.cu";
    std::ofstream(file) << "__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {\n    y[0] = x[rows * columns];\n}\n";
    const Output wrong = gradus("kernel transpose/1_naive --source '" + file.string() + "' --json", "GRADUS_NVCC=/nowhere");
    CHECK_EQUAL(wrong.status, 1);
    const json kernel = json::parse(wrong.out, nullptr, false);
    REQUIRE(kernel.is_object() && !kernel["findings"].empty());
    CHECK_EQUAL(kernel["findings"][0]["kind"], "out-of-bounds");
    CHECK_EQUAL(kernel["findings"][0]["line"], 2);
    CHECK_EQUAL(kernel["findings"][0]["buffer"], "x");
    std::ofstream(file) << "__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {\n    y[0] = z;\n}\n";
    check_refused("kernel transpose/1_naive --source '" + file.string() + "'", "edited kernel.cu:2:12: ");
}

TEST(kernel_words_are_checked) {
    check_refused("kernel nothing", "there is no kernel 'nothing'");
    check_refused("kernel transpose/7", "transpose has no rung '7'");
    check_refused("kernel transpose/1_naive --set rows=x", "a whole number is wanted");
    check_refused("kernel transpose/1_naive --set depth=2", "no size \"depth\"");
    check_refused("kernel transpose/1_naive --set block=0x3", "sizes of a block");
    check_refused("kernel transpose/1_naive --set block=7", "cannot have blocks of 7x1x1");
    check_refused("kernel transpose/1_naive --source /no/such.cu", "/no/such.cu");
}

} // namespace gradus::test
