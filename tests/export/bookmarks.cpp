// Bookmarks in every format, and exports that somebody stops.
#include "engine/core/error.hpp"
#include "tests/export/hand_run.hpp"
#include "tests/support/check.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace gradus;
using namespace gradus::test;

namespace {

ExportOptions with_marks(std::vector<StepIndex> marks) {
    ExportOptions options;
    options.bookmarks = std::move(marks);
    return options;
}

} // namespace

TEST(bookmarks_are_a_column_of_csv) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    std::istringstream rows(contents_of(exported(folder, *run, "csv", "a.csv", with_marks({2, 0, 2, 99}))));
    std::vector<std::string> ends;
    for (std::string row; std::getline(rows, row);) ends.push_back(row.substr(row.rfind(',')));
    CHECK_EQUAL(ends, (std::vector<std::string>{",bookmark\r", ",1\r", ",\r", ",1\r", ",\r"}));
    CHECK(contents_of(exported(folder, *run, "csv", "b.csv")).find("bookmark") == std::string::npos);
    ExportOptions part = with_marks({0}); // marked outside the range: no column
    part.from = 1;
    CHECK(contents_of(exported(folder, *run, "csv", "c.csv", part)).find("bookmark") == std::string::npos);
}

TEST(bookmarks_are_instant_events_of_a_trace) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const auto trace = nlohmann::json::parse(contents_of(exported(folder, *run, "kineto", "a.json", with_marks({1, 3}))));
    std::vector<std::pair<std::string, double>> marks;
    double step_3 = -1;
    for (const auto& event : trace["traceEvents"]) {
        if (event["name"] == "ProfilerStep#3") step_3 = event["ts"];
        if (event.value("cat", "") != "bookmark") continue;
        CHECK_EQUAL(event["ph"].get<std::string>(), std::string("i"));
        marks.emplace_back(event["name"].get<std::string>(), event["ts"].get<double>());
    }
    REQUIRE(marks.size() == 2);
    CHECK_EQUAL(marks[0].first, std::string("bookmark: step 1"));
    CHECK_EQUAL(marks[1].first, std::string("bookmark: step 3"));
    CHECK_EQUAL(marks[1].second, step_3);
}

TEST(bookmarks_are_an_array_of_npz) {
    const TemporaryFolder folder;
    const auto run = hand_run();
    const std::string with = contents_of(exported(folder, *run, "npz", "a.npz", with_marks({3, 1})));
    CHECK(with.find("bookmarks.npy") != std::string::npos);
    const std::string body = with.substr(with.find("bookmarks.npy"));
    const std::int64_t wanted[] = {1, 3}; // little-endian, as every array here
    CHECK(body.find(std::string(reinterpret_cast<const char*>(wanted), sizeof wanted)) != std::string::npos);
    CHECK(contents_of(exported(folder, *run, "npz", "b.npz")).find("bookmarks.npy") == std::string::npos);
}

TEST(an_export_that_is_stopped_leaves_nothing) {
    const auto run = trained_run({{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "4"}}, 3000, 100);
    for (const std::string_view format : export_formats()) {
        const Row row{std::string(format)};
        for (const bool at_once : {true, false}) {
            const TemporaryFolder folder;
            std::stop_source stop;
            ExportOptions options;
            options.stop = stop.get_token();
            double last = -1;
            options.progress = [&](double share) {
                CHECK(share >= last && share <= 1.001, std::to_string(share));
                last = share;
                stop.request_stop();
            };
            if (at_once) stop.request_stop();
            CHECK_THROWS(exported(folder, *run, format, "a", options), StoppedError, "stopped");
            CHECK(std::filesystem::is_empty(folder.path()));
            CHECK((last >= 0) == !at_once);
        }
    }
}

TEST(progress_reaches_its_end) {
    const TemporaryFolder folder;
    const auto run = trained_run({{"data", "xor"}, {"layers", "2,4,1"}, {"batch", "4"}}, 3000, 100);
    for (const std::string_view format : export_formats()) {
        const Row row{std::string(format)};
        ExportOptions options;
        int heard = 0;
        double last = 0;
        options.progress = [&](double share) { ++heard, last = share; };
        exported(folder, *run, format, "a", options);
        CHECK(heard > 10, std::to_string(heard));
        CHECK(last > 0.9, std::to_string(last));
    }
}
