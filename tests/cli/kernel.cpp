#include "tests/cli/program.hpp"
#include "tests/simt/running.hpp"
#include "tests/support/check.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

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
    CHECK_EQUAL(kernel["outputs"][0]["hash"].get<std::string>().size(), 16u);
    CHECK_EQUAL(padded["outputs"][0]["hash"], kernel["outputs"][0]["hash"]); // the same bits
    const json other = json::parse(gradus("kernel transpose/1_naive --set rows=64 --set columns=64 --set seed=2 --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    CHECK(other["outputs"][0]["hash"] != kernel["outputs"][0]["hash"]);
}

TEST(multiply_adds_are_counted_beside_the_bytes_that_feed_them) {
    const json naive = json::parse(gradus("kernel matmul/1_naive --set M=64 --set N=64 --set K=64 --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    REQUIRE(naive.is_object());
    CHECK_EQUAL(naive["counters"]["multiply_adds"].get<std::int64_t>(), std::int64_t{64 * 64 * 64});
    const double sectors = naive["counters"]["sectors"].get<double>();
    CHECK_EQUAL(naive["counters"]["flops_per_byte"].get<double>(), 2.0 * 64 * 64 * 64 / (32 * sectors));
    const json none = json::parse(gradus("kernel transpose/1_naive --set rows=64 --set columns=64 --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    REQUIRE(none.is_object());
    CHECK(none["counters"]["flops_per_byte"].is_null() && none["counters"]["multiply_adds"].get<int>() == 0);
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
    const Output beyond = gradus("kernel reduction/7_shuffle --set n=300 --lane 3 --at 9999999", "GRADUS_NVCC=/nowhere");
    CHECK(beyond.status == 2 && beyond.error.find("--at 9999999: ") != std::string::npos && beyond.error.find("steps were recorded") != std::string::npos, beyond.error);
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

/// Without a folder for what is compiled that may be written, it is kept in /tmp.
TEST(a_kernel_runs_where_no_folder_that_is_named_can_be_written) {
    const Output out = gradus("kernel vector_add/1_naive --set n=64", "HOME=/proc/none XDG_CACHE_HOME= TMPDIR=/proc/none");
    CHECK_EQUAL(out.status, 0);
    CHECK(out.error.empty() && out.out.find("right: 0 of c") != std::string::npos, out.error);
}

/// Lanes that go different ways, where no access says so; and rows of two numbers, which are allowed what their condition makes of roundings.
TEST(ways_and_what_is_allowed_are_told) {
    const std::string ways = gradus("kernel branch_switch/1_by_thread --set n=1024").out;
    CHECK(ways.find("branch") != std::string::npos && ways.find(" 4.0 lanes") != std::string::npos, ways);
    const json rows = json::parse(gradus("kernel layernorm/1_naive --set rows=33 --set columns=2 --json").out, nullptr, false);
    REQUIRE(rows.is_object() && rows["outputs"].size() == 3);
    CHECK(rows["max_error"]["value"].get<double>() > rows["tolerance"].get<double>());
    for (const json& output : rows["outputs"]) CHECK(output["right"].get<bool>() && output["allowed"].get<double>() >= output["error"]["value"].get<double>(), output.dump());
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
    check_refused("kernel transpose/1_naive --source " GRADUS_SOURCE_FOLDER "/resources/readme/window.png", "window.png: is no text");
}

/// What somebody else wrote is run where one says so.
TEST(what_is_wrong_in_training_is_named_with_its_line) {
    const std::string file = GRADUS_SOURCE_FOLDER "/engine/kernels/matmul/3_shared.cu",
                      train = "run train_mlp --device simt --set data=moons --set layers=2,64,64,2 --set batch=64 --set matmul_rung=shared --set watch=layer2 --steps 3 ";
    const Output races = gradus(train + "--set \"matmul_source=$(sed '/the next tiles/d' '" + file + "')\"");
    CHECK_EQUAL(races.status, 0);
    CHECK(races.out.find("found at step 0: race: 3_shared.cu, line ") != std::string::npos, races.out + races.error);
    const std::string far = "$(sed 's/C.row . N + column. = sum/C[(row * N + column) * 100000000LL] = sum/' '" + file + "')";
    const Output leaves = gradus(train + "--set \"matmul_source=" + far + "\"");
    CHECK_EQUAL(leaves.status, 2);
    CHECK(leaves.error.find("touched memory that is not its own") != std::string::npos && leaves.error.find("3_shared.cu, line 35: ") != std::string::npos, leaves.error);
    // A text that is refused is named by its first line.
    const Output refused = gradus(train + "--edit \"1:matmul_source = $(sed 's/float sum = 0/float sum = nothing/' '" + file + "')\"");
    CHECK_EQUAL(refused.status, 2);
    CHECK(refused.error.find("nothing") != std::string::npos && refused.error.size() < 600, refused.error);
}

TEST(a_kernel_that_came_with_a_file_is_not_run_unasked) {
    std::string text = text_of(GRADUS_SOURCE_FOLDER "/engine/kernels/vector_add/1_naive.cu") + "// mine\n";
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "'\\''");
    const std::string recorded = file("mine.gradus");
    const Output run = gradus("run run_kernel --set ladder=vector_add --set rung=1_naive --set sizes=n=500 --set 'source=" + text + "' --record " + recorded);
    CHECK_EQUAL(run.status, 0);
    CHECK_EQUAL(gradus("replay " + recorded).status, 0);
    check_refused("replay --recompute " + recorded, "--run-its-kernel");
    CHECK_EQUAL(gradus("replay --recompute --run-its-kernel " + recorded).status, 0);
}

/// Of a rung that includes a header of its folder: it is found from elsewhere, by g++ and by nvcc; what lies beside the file is found first.
TEST(an_edited_kernel_finds_its_headers) {
    const std::string rung = GRADUS_SOURCE_FOLDER "/engine/kernels/matmul_half/4_mma.cu";
    std::filesystem::create_directories(folder() / "own");
    const auto source = folder() / "own" / "edited.cu";
    std::ofstream(source) << "#include \"mine.cuh\"\n" << text_of(rung);
    std::ofstream(folder() / "own" / "mine.cuh") << "__device__ inline int mine() { return 1; }\n";
    const std::string words = "kernel matmul_half/4_mma --set M=32 --set N=32 --set K=32 --json --source ";
    const Output told = gradus(words + "'" + source.string() + "'");
    CHECK_EQUAL(told.status, 0);
    const json kernel = json::parse(told.out, nullptr, false);
    REQUIRE(kernel.is_object() && !kernel["occupancy"].empty());
    const std::string unknown = kernel["occupancy"][0].value("unknown", "");
    CHECK(unknown.empty() || unknown.starts_with("no nvcc is here"), unknown);
    CHECK_EQUAL(json::parse(gradus(words + rung).out, nullptr, false)["occupancy"], kernel["occupancy"]);
}

/// A mebibyte of what a kernel prints is kept; that there was more is said, in the text, in JSON and in a recording.
TEST(what_a_kernel_prints_beyond_a_mebibyte_is_said_to_be_left_out) {
    const auto source = folder() / "talker.cu";
    std::ofstream(source) << "__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {\n"
                             "    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y) return;\n"
                             "    for (int i = 0; i < 20000; ++i) printf(\"%063d\\n\", i);\n    printf(\"%s\", \"the end\");\n}\n";
    const std::string words = "kernel transpose/1_naive --set rows=32 --set columns=32 --source '" + source.string() + "'";
    const std::string sentence = fmt::format("the first 1024 KiB are kept and {} bytes after them are left out", 20000 * 64 + 7 - (1 << 20));
    const Output told = gradus(words);
    CHECK(told.out.ends_with(sentence + "\n"), told.out.substr(told.out.size() - std::min<std::size_t>(told.out.size(), 200)));
    const json kernel = json::parse(gradus(words + " --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    REQUIRE(kernel.is_object() && kernel["printed_left_out"].is_object());
    CHECK_EQUAL(kernel["printed"].get<std::string>().size(), std::size_t{1} << 20);
    CHECK_EQUAL(kernel["printed_left_out"]["bytes"], 20000 * 64 + 7 - (1 << 20));
    CHECK(kernel["printed_left_out"]["sentence"].get<std::string>().ends_with(sentence));
    std::ofstream(source) << "__global__ void transpose_naive(const float* x, float* y, int rows, int columns) { if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) printf(\"%600d|\", 7); }\n";
    const json wide = json::parse(gradus(words + " --json", "GRADUS_NVCC=/nowhere").out, nullptr, false);
    CHECK(wide["printed"] == std::string(599, ' ') + "7|", wide["printed"].dump());
    CHECK(!wide.contains("printed_left_out"));
}

/// A compiler that answers nothing, and one that is content and says nothing: why there is no occupancy stands in its place.
TEST(an_nvcc_that_says_nothing_is_told) {
    for (const auto& [nvcc, why] : {std::pair{"/bin/false", "1_naive.cu: /bin/false ended with code 1 and said nothing"}, {"/bin/true", "the compiler does not name the kernel"}}) {
        const json kernel = json::parse(gradus("kernel transpose/1_naive --set rows=32 --set columns=32 --json", std::string("GRADUS_NVCC=") + nvcc).out, nullptr, false);
        REQUIRE(kernel.is_object() && !kernel["occupancy"].empty());
        for (const json& each : kernel["occupancy"]) CHECK_EQUAL(each.value("unknown", ""), why);
    }
}

/// Ctrl-C while a kernel is compiled, and while it runs: nothing goes on, and no file is left half made.
TEST(a_kernel_can_be_interrupted) {
    const auto place = folder() / "interrupted";
    std::filesystem::create_directories(place);
    std::ofstream(place / "g++") << "#!/bin/sh\n[ \"$1\" = --version ] && exec echo slow\necho $$ >'" << place.string() << "/pid'\nexec sleep 60\n";
    std::filesystem::permissions(place / "g++", std::filesystem::perms::owner_all);
    std::ofstream(place / "endless.cu") << "__global__ void transpose_naive(const float* x, float* y, int rows, int columns) { volatile int go = 1; while (go) {} }\n";
    const std::string words = "kernel transpose/1_naive --set rows=32 --set columns=32", interrupt = " timeout --preserve-status --signal INT 2";
    const Output compiling = gradus(words, fmt::format("XDG_CACHE_HOME='{0}/cache' PATH='{0}':$PATH", place.string()) + interrupt);
    CHECK_EQUAL(compiling.status, 130);
    CHECK_EQUAL(compiling.error, "");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place / "cache"))
        CHECK(!entry.path().filename().string().ends_with(".part"), entry.path().string());
    const int process = std::atoi(text_of(place / "pid").c_str());
    REQUIRE(process > 0);
    for (int i = 0; i < 500 && runs(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(!runs(process));
    const Output running = gradus(words + " --source '" + (place / "endless.cu").string() + "'", interrupt);
    CHECK_EQUAL(running.status, 130);
    CHECK_EQUAL(running.error, "");
    const Output run = gradus("run run_kernel", fmt::format("XDG_CACHE_HOME='{0}/cache' PATH='{0}':$PATH timeout --kill-after 20", place.string()) + interrupt.substr(8)); // before its first iteration
    CHECK_EQUAL(run.status, 130);
}

TEST(kernel_words_are_checked) {
    check_refused("kernel nothing", "there is no kernel 'nothing'");
    check_refused("kernel transpose/7", "transpose has no rung '7'");
    check_refused("kernel transpose/1_naive --set rows=x", "a whole number is wanted");
    check_refused("kernel transpose/1_naive --set depth=2", "no size \"depth\"");
    check_refused("kernel transpose/1_naive --set block=0x3", "sizes of a block");
    check_refused("kernel transpose/1_naive --set block=7", "cannot have blocks of 7x1x1");
    check_refused("kernel transpose/1_naive --set depth=x", "no size \"depth\"");
    check_refused("kernel transpose/1_naive --set rows=3 --set rows=4", "--set rows=4: rows is given twice");
    check_refused("kernel transpose/1_naive --set schedule=-1", "--set schedule=-1: at least 0");
    check_refused("kernel transpose/1_naive --set seed=-1", "--set seed=-1: at least 0");
    check_refused("kernel transpose/1_naive --set rows=0", "rows is 0; at least 1");
    check_refused("kernel transpose/1_naive --set rows=16777216", "x would have 4294967296 elements, more than can be held");
    check_refused("kernel transpose/1_naive --set rows=9000000000000000000", "rows is 9000000000000000000; at most 2147483647");
    check_refused("kernel transpose/1_naive --set rows=2000000000 --set columns=2000000000", "x would have 4000000000000000000 elements, more than can be held");
    check_refused("kernel transpose/1_naive --source /tmp", "/tmp: is no file of text");
    check_refused("kernel transpose/1_naive --source /dev/zero", "/dev/zero: is no file of text");
    check_refused("kernel vector_add --set n=200000000", "the buffers would have 600000000 elements together, more than can be held");
    check_refused("kernel transpose/1_naive --source /no/such.cu", "/no/such.cu");
}

} // namespace gradus::test
