#include "engine/trace/derive/allocator_replay.hpp"
#include "engine/trace/lane_trace.hpp"
#include "tests/export/hand_run.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <zlib.h>

using namespace gradus;
using namespace gradus::test;
using nlohmann::json;

namespace {

std::string unzipped(const std::string& path) {
    std::string out;
    gzFile file = gzopen(path.c_str(), "rb");
    char buffer[1 << 16];
    for (int count; (count = gzread(file, buffer, sizeof buffer)) > 0;)
        out.append(buffer, static_cast<std::size_t>(count));
    gzclose(file);
    return out;
}

/// Events of one category and name, in the file's order; an empty word fits everything.
std::vector<json> events(const json& trace, const std::string& category, const std::string& name = "") {
    std::vector<json> out;
    for (const json& event : trace["traceEvents"])
        if ((category.empty() || event.value("cat", "") == category) && (name.empty() || event["name"] == name))
            out.push_back(event);
    return out;
}

std::vector<json> steps(const json& trace) {
    std::vector<json> out;
    for (const json& event : trace["traceEvents"])
        if (event["name"].get<std::string>().starts_with("ProfilerStep#")) out.push_back(event);
    return out;
}

double sum_of_durations(const std::vector<json>& list) {
    double sum = 0;
    for (const json& event : list) sum += event["dur"].get<double>();
    return sum;
}

} // namespace

TEST(kineto_of_a_known_run) {
    const TemporaryFolder folder;
    const std::string text = contents_of(exported(folder, *hand_run(), "perfetto", "a.json"));
    const json trace = json::parse(text); // would refuse NaN and inf
    CHECK_EQUAL(trace["schemaVersion"].get<int>(), 1);
    CHECK_EQUAL(trace["baseTimeNanoseconds"].get<std::int64_t>(), 1'700'000'000'000'000'000);
    CHECK_EQUAL(trace["gradus"]["run"]["parameters"]["note"].get<std::string>(), odd_name);
    const std::size_t rank = text.find("\"rank\": 0");
    CHECK(rank < text.find("\"gradus\"") && rank < text.find("\"traceEvents\""));

    const auto all = steps(trace);
    REQUIRE(all.size() == 4);
    const double starts[] = {0, 1.1, 2, 3.1}, lengths[] = {0.8, 0.7, 0.8, 0.7}; // recorded, and from the scalars
    for (std::size_t i = 0; i < 4; ++i) {
        const Row row(fmt::format("step {}", i));
        CHECK_EQUAL(all[i]["name"].get<std::string>(), fmt::format("ProfilerStep#{}", i));
        CHECK_EQUAL(all[i]["cat"].get<std::string>(), "user_annotation");
        CHECK_EQUAL(all[i]["ts"].get<double>(), starts[i]);
        CHECK_EQUAL(all[i]["dur"].get<double>(), lengths[i]);
        CHECK_EQUAL(all[i]["args"]["recorded in full"].get<bool>(), i % 2 == 0);
    }
    CHECK_EQUAL(events(trace, "user_annotation", odd_name).size(), 2u);
    CHECK_EQUAL(events(trace, "user_annotation", "iteration").size(), 0u); // those are the steps

    const auto ops = events(trace, "cpu_op"), kernels = events(trace, "kernel");
    REQUIRE(ops.size() == 4 && kernels.size() == 4);
    std::set<int> correlations;
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK_EQUAL(kernels[i]["ts"].get<double>(), ops[i]["ts"].get<double>());
        CHECK_EQUAL(kernels[i]["dur"].get<double>(), ops[i]["dur"].get<double>());
        CHECK_EQUAL(kernels[i]["args"]["correlation"].get<int>(), ops[i]["args"]["correlation"].get<int>());
        CHECK(kernels[i]["args"]["stream"].get<int>() >= 1 && !ops[i]["args"].contains("stream"));
        CHECK(kernels[i]["pid"] != ops[i]["pid"]);
        CHECK(correlations.insert(ops[i]["args"]["correlation"].get<int>()).second);
    }
    const json& matmul = ops[2]; // of iteration 2; half nanoseconds are rounded
    CHECK_EQUAL(matmul["ts"].get<double>(), 2.0);
    CHECK_EQUAL(matmul["dur"].get<double>(), 0.201);
    CHECK_EQUAL(kernels[2]["name"].get<std::string>(), "matmul (baseline)");
    const json& about = matmul["args"];
    CHECK_EQUAL(about.at("Event id").get<std::string>(), "2:3");
    CHECK_EQUAL(about.at("Input Dims"), json::parse("[[2, 3], [3, 2]]"));
    CHECK_EQUAL(about.at("Input type"), json::parse(R"(["fp64", "fp32"])"));
    CHECK_EQUAL(about.at("Output Dims"), json::parse("[[2, 2]]"));
    CHECK_EQUAL(about.at("Output names")[0].get<std::string>(), "x·W1");
    CHECK_EQUAL(about.at("flops").get<double>(), 24.0);
    CHECK_EQUAL(about.at("bytes read").get<double>(), 80.0);
    CHECK_EQUAL(about.at("time is").get<std::string>(), "measured");

    // Modelled time stands on tracks of its own, where HTA does not look.
    const auto modelled = events(trace, "", "roofline");
    REQUIRE(modelled.size() == 2);
    CHECK(!modelled[0].contains("cat") && modelled[0]["pid"] != ops[0]["pid"] &&
          modelled[0]["pid"] != kernels[0]["pid"]);
    CHECK_EQUAL(modelled[0]["args"]["time is"].get<std::string>(), "modelled");

    std::vector<double> losses;
    for (const json& counter : events(trace, "", "loss")) {
        CHECK_EQUAL(counter["ph"].get<std::string>(), "C");
        losses.push_back(counter["args"]["value"].get<double>());
    }
    CHECK_EQUAL(losses, (std::vector<double>{0.1, 1.0 / 3}));
    CHECK_EQUAL(events(trace, "scalar", "loss is nan").size(), 1u);
    CHECK_EQUAL(events(trace, "scalar", "loss is -inf").size(), 1u);
    const auto edits = events(trace, "edit");
    REQUIRE(edits.size() == 2);
    CHECK_EQUAL(edits[1]["name"].get<std::string>(), "W1[1, 0] = 3");
    CHECK_EQUAL(edits[1]["ts"].get<double>(), 2.0);
}

TEST(kineto_keeps_to_whole_microseconds) {
    const TemporaryFolder folder;
    const json trace = json::parse(contents_of(exported(folder, *hand_run(), "kineto", "a.json")));
    const auto all = steps(trace);
    REQUIRE(all.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) { // 0 to 0.8, 1.1 to 1.8, 2 to 2.8, 3.1 to 3.8
        const Row row(fmt::format("step {}", i));
        CHECK_EQUAL(all[i]["ts"].get<std::size_t>(), i);
        CHECK_EQUAL(all[i]["dur"].get<int>(), 1);
        CHECK_EQUAL(all[i]["args"]["start ns"].get<int>(), (std::array{0, 1100, 2000, 3100}[i]));
        CHECK_EQUAL(all[i]["args"]["duration ns"].get<int>(), i % 2 == 0 ? 800 : 700);
    }
    CHECK_EQUAL(events(trace, "cpu_op")[2]["args"]["duration ns"].get<int>(), 201);
    CHECK_EQUAL(events(trace, "kernel")[2]["args"]["duration ns"].get<int>(), 201);
    for (const json& event : trace["traceEvents"])
        for (const char* field : {"ts", "dur"})
            if (event.contains(field)) CHECK(event[field].is_number_unsigned(), event.dump());
}

TEST(kineto_writes_what_is_outside_first) {
    const TemporaryFolder folder;
    const json trace = json::parse(contents_of(exported(folder, *hand_run(), "kineto", "a.json", {2, 3})));
    std::vector<std::string> names;
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "X" && event["pid"] == 1) names.push_back(event["name"]);
    CHECK_EQUAL(names, (std::vector<std::string>{"ProfilerStep#2", "forward", odd_name, "matmul", "sgd"}));
}

TEST(kineto_of_a_part_and_of_nothing) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const json part = json::parse(contents_of(exported(folder, *run, "kineto", "a.json", {1, 3})));
    REQUIRE(steps(part).size() == 2);
    CHECK_EQUAL(steps(part)[0]["name"].get<std::string>(), "ProfilerStep#1");
    CHECK_EQUAL(steps(part)[0]["args"]["start ns"].get<int>(), 1100);
    CHECK_EQUAL(events(part, "edit").size(), 2u);
    CHECK_EQUAL(events(json::parse(contents_of(exported(folder, *run, "kineto", "a.json", {3, 4}))), "edit").size(),
                0u);
    const json nothing = json::parse(contents_of(exported(folder, *empty_run(), "kineto", "a.json")));
    CHECK(steps(nothing).empty() && nothing["traceEvents"].is_array());
}

TEST(kineto_of_a_fork_is_its_own_part) {
    const TemporaryFolder folder;
    const json trace = json::parse(contents_of(exported(folder, *hand_fork(hand_run()), "kineto", "a.json")));
    REQUIRE(steps(trace).size() == 2);
    CHECK_EQUAL(steps(trace)[0]["name"].get<std::string>(), "ProfilerStep#3");
    CHECK_EQUAL(steps(trace)[0]["ts"].get<double>(), 1.0); // from its own clock's origin
    CHECK_EQUAL(events(trace, "edit").size(), 1u);
}

TEST(kineto_is_compressed_where_the_name_says_so) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const std::string plain = contents_of(exported(folder, *run, "kineto", "a.json"));
    const std::string path = exported(folder, *run, "kineto", "a.json.gz");
    CHECK(contents_of(path).starts_with("\x1f\x8b") && contents_of(path).size() < plain.size());
    CHECK_EQUAL(unzipped(path), plain);
    CHECK_EQUAL(contents_of(exported(folder, *run, "kineto", "b.json.gz")), contents_of(path)); // no date in it
}

TEST(kineto_of_trained_runs) {
    const TemporaryFolder folder;
    for (const StepIndex observe : {1, 4}) {
        const Row row(fmt::format("every {}", observe));
        const auto run = trained_run({{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "0"}}, 21, observe);
        const json trace = json::parse(unzipped(exported(folder, *run, "kineto", "a.json.gz")));
        CHECK_EQUAL(steps(trace).size(), 21u);
        double measured = 0; // µs in ops, as the Run says
        std::size_t ops = 0;
        for (StepIndex i = 0; i < run->head(); ++i)
            for (const EventRecord& record : run->events_of(i))
                if (run->sites()[static_cast<std::size_t>(record.site)].level == Level::op) {
                    measured += run->manifest().clock.seconds(record.start, record.end) * 1e6;
                    ++ops;
                }
        const auto kernels = events(trace, "kernel");
        CHECK_EQUAL(kernels.size(), ops);
        double exact = 0;
        for (const json& kernel : kernels) exact += kernel["args"]["duration ns"].get<double>() * 1e-3;
        CHECK_ERROR(std::abs(exact - measured), 0.001 * static_cast<double>(ops), "kernel time");
        const double rounded = sum_of_durations(kernels);
        CHECK_ERROR(std::abs(rounded - measured), static_cast<double>(ops), "kernel time in whole microseconds");
        CHECK_EQUAL(events(trace, "", "loss").back()["args"]["value"].get<double>(), run->value_at("loss", 20).value());

        // Whatever overlaps on the engine's track is nested, or Perfetto would cut it.
        std::vector<double> open;
        double last = 0;
        for (const json& event : trace["traceEvents"]) {
            if (event["ph"] != "X" || event["pid"] != 1) continue;
            const double start = event["ts"].get<double>(), end = start + event["dur"].get<double>();
            CHECK(start >= last, event.dump());
            last = start;
            while (!open.empty() && open.back() <= start + 1e-4) open.pop_back();
            CHECK(open.empty() || end <= open.back() + 1e-4, event.dump());
            open.push_back(end);
        }
    }
}

TEST(kineto_knows_the_shape_and_type_of_every_input) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "spirals"}, {"layers", "2,3,2"}, {"batch", "32"}}, 3, 1);
    const json trace = json::parse(contents_of(exported(folder, *run, "kineto", "a.json")));
    const auto gathers = events(trace, "cpu_op", "gather");
    REQUIRE(!gathers.empty());
    for (const json& event : events(trace, "cpu_op")) {
        const json& about = event["args"];
        for (const json& type : about.value("Input type", json::array())) CHECK(type != "", about.dump());
    }
    const json& names = gathers[0]["args"]["Input names"];
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), "index") - names.begin());
    REQUIRE(at < names.size());
    CHECK_EQUAL(gathers[0]["args"]["Input Dims"][at], json::parse("[32]"));
    CHECK_EQUAL(gathers[0]["args"]["Input type"][at].get<std::string>(), std::string(name_of(DType::i32)));
}

TEST(kineto_names_every_lane) {
    auto run = std::make_shared<Run>(hand_run()->manifest(), std::vector<SeriesInfo>{}, nullptr);
    RunWriter writer(run);
    EventSite site;
    site.level = Level::op;
    site.name = site.path = "matmul";
    site.implementation = "baseline";
    writer.add_site(site);
    LaneTrace lanes("loader", {"engine", "worker 1", "stager"}, {{"load", {}}, {"wait", {}}});
    lanes.begin(writer);
    site.name = site.path = "roofline";
    site.lane = 5;
    site.provenance = Provenance::modelled;
    writer.add_site(site);
    writer.begin_iteration(0, false);
    const Ticks start = run->manifest().clock.origin_ticks;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(run->sites().size()); ++i) {
        const Ticks begin = start + 10 * static_cast<Ticks>(i);
        writer.append_event({i, i, begin, begin + 8});
    }
    writer.append_observed({0, 0, static_cast<std::uint32_t>(run->sites().size())});
    writer.append_iteration_end(start + 1000);
    writer.finish(RunState::finished);
    const TemporaryFolder folder;
    for (const char* format : {"kineto", "perfetto"}) {
        const Row row(format);
        const json trace = json::parse(contents_of(exported(folder, *run, format, "a.json")));
        std::map<std::pair<int, int>, std::string> names;
        for (const json& event : trace["traceEvents"])
            if (event["name"] == "thread_name") CHECK(names.emplace(std::pair(event["pid"], event["tid"]), event["args"]["name"]).second);
        for (const json& event : trace["traceEvents"])
            if (event["ph"] == "X" || event["ph"] == "i") CHECK(names.contains(std::pair<int, int>(event["pid"], event["tid"])), event.dump());
        CHECK_EQUAL(names[std::pair(1, 1)], "engine");
        CHECK_EQUAL(names[std::pair(1, 2)], "loader: worker 1");
        CHECK_EQUAL(names[std::pair(1, 3)], "loader: stager");
        CHECK_EQUAL(names[std::pair(3, 6)], "engine 6");
    }
}

TEST(kineto_tells_what_the_allocator_did) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "spirals"}, {"layers", "2,300,2"}, {"batch", "32"}}, 4, 1);
    const json trace = json::parse(contents_of(exported(folder, *run, "perfetto", "a.json")));
    const auto written = events(trace, "cpu_instant_event", "[memory]");
    std::size_t next = 0;
    for (StepIndex i = 0; i < run->head(); ++i) {
        const auto kept = run->tensors_of(i);
        REQUIRE(kept && kept->memory);
        AllocatorState state = kept->memory->before;
        for (const AllocatorEvent& event : kept->memory->events) {
            const AllocatorStatistics before = state.statistics;
            state = replayed(std::move(state), {&event, 1});
            const std::int64_t allocated = state.statistics.allocated.now, reserved = state.statistics.reserved.now;
            if (allocated == before.allocated.now && reserved == before.reserved.now) continue;
            REQUIRE(next < written.size());
            const json& about = written[next++]["args"];
            CHECK_EQUAL(about["Bytes"].get<std::int64_t>(), allocated - before.allocated.now);
            CHECK_EQUAL(about["Total Allocated"].get<std::int64_t>(), allocated);
            CHECK_EQUAL(about["Total Reserved"].get<std::int64_t>(), reserved);
        }
    }
    CHECK(next > 20 && next == written.size(), fmt::format("{} of {}", next, written.size()));
    double last = 0; // in the order of time
    for (const json& event : trace["traceEvents"]) {
        if (event["pid"] != 1 || (event["ph"] != "X" && event["name"] != "[memory]")) continue;
        CHECK(event["ts"].get<double>() >= last, event.dump());
        last = event["ts"].get<double>();
    }
}
