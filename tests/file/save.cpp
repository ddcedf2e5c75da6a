// Keeping a recording: copied while it is written, taken up in the middle of a run, ended by a limit.
#include "tests/file/support.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"
#include "engine/trace/file/database.hpp"
#include "engine/trace/file/save.hpp"
#include "tests/support/check.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

namespace gradus::test {

namespace {

RunRequest endless() {
    RunRequest request;
    request.parameters = {{"data", "spirals"}, {"layers", "2,16,16,2"}, {"batch", "32"}, {"lr", "0.1"}};
    request.steps = 1'000'000;
    request.observe_every = 50;
    request.device.threads = 1;
    return request;
}

void pass(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

/// Where the frames of SQLite's write-ahead log end that end a transaction: sqlite.org/walformat.html. A crash leaves the
/// log cut anywhere, and what counts is everything up to the last of these places.
std::vector<std::size_t> commits_in(const std::string& log) {
    constexpr std::size_t log_header = 32, frame_header = 24;
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(log[at + i]);
        return value;
    };
    std::vector<std::size_t> ends;
    if (log.size() < log_header) return ends;
    const std::size_t frame = frame_header + number(8);
    for (std::size_t at = log_header; at + frame <= log.size(); at += frame)
        if (number(at + 4) != 0) ends.push_back(at + frame); // the size of the database is in these alone
    return ends;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// What both have computed is the same; the second may be shorter.
void check_prefix(const Run& longer, const Run& shorter) {
    REQUIRE(shorter.head() > shorter.first_iteration() && shorter.head() <= longer.head());
    for (StepIndex i = shorter.first_iteration(); i < shorter.head(); ++i)
        if (*longer.value_at("loss", i) != *shorter.value_at("loss", i)) {
            CHECK(false, fmt::format("step {}", i));
            return;
        }
    CHECK(true);
}

} // namespace

TEST(a_recording_is_copied_while_it_is_written) {
    const Folder folder;
    Recorder recorder(folder / "live.gradus");
    Session session(endless(), nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.play();
    for (int i = 0; i < 2; ++i) {
        const Row row(std::to_string(i));
        const StepIndex seen = session.run(0) ? session.run(0)->head() : 0;
        while (!session.run(0) || session.run(0)->head() < seen + 50) pass(10); // a busy machine takes its time
        pass(400);                                                              // and writes a few times a second
        copy_recording(folder / "live.gradus", folder / "copy.gradus"); // replaces the one before
        CHECK(!std::filesystem::exists(folder / "copy.gradus-wal"));
        const RunFile copy = read_run_file(folder / "copy.gradus");
        CHECK(copy.whole);
        REQUIRE(copy.runs.size() == 1);
        CHECK(copy.runs[0]->state() == RunState::stopped);
        CHECK(copy.tensors > 0);
        check_prefix(*session.run(0), *copy.runs[0]);
    }
    session.stop();
    recorder.close();
    copy_recording(folder / "live.gradus", folder / "last.gradus");
    const DiffResult result = diff_runs(*read_run_file(folder / "live.gradus").runs[0], *read_run_file(folder / "last.gradus").runs[0]);
    CHECK(!result.first, result.first ? result.first->sentence() : "");
    CHECK_THROWS(copy_recording(folder / "live.gradus", folder / "nowhere/a.gradus"), FileError, "nowhere");
    CHECK_THROWS(copy_recording(folder / "live.gradus", folder / "live.gradus"), FileError, "itself");
    CHECK_THROWS(copy_recording(folder / "none.gradus", folder / "a.gradus"), FileError, "none.gradus");
}

TEST(a_recording_torn_after_any_transaction_opens) {
    const Folder folder;
    const std::filesystem::path live = folder / "live.gradus", torn = folder / "torn.gradus";
    Recorder recorder(live);
    // Whoever looks at the file as it began keeps all that comes later in the log.
    std::optional<file::Database> beginning(std::in_place, live, file::Database::Mode::read);
    beginning->execute("BEGIN");
    file::Statement(*beginning, "SELECT count(*) FROM meta").step();
    RunRequest request = endless();
    request.parameters["layers"] = "2,4,2";
    request.observe_every = 500; // a small log: it is read as often as it has transactions
    Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.play();
    while (!session.run(0) || session.run(0)->head() < 50) pass(10);
    pass(700); // several transactions
    session.stop();
    pass(600); // after which nothing is written until it is closed
    const std::string database = bytes_of(live), log = bytes_of(live.string() + "-wal");
    const std::vector<std::size_t> commits = commits_in(log);
    beginning.reset();
    REQUIRE(commits.size() >= 3);
    StepIndex head = 0;
    std::size_t tensors_of_whole = 0; // which is what it is called only once it has them all
    for (const std::size_t commit : commits)
        for (const std::size_t cut : {commit, std::min(commit + 1000, log.size())}) { // a frame that is not whole is none
            const Row row(fmt::format("the log's first {} bytes of {}", cut, log.size()));
            std::ofstream(torn, std::ios::binary) << database;
            std::ofstream(torn.string() + "-wal", std::ios::binary) << log.substr(0, cut);
            try {
                const RunFile read = read_run_file(torn);
                const StepIndex now = read.runs.empty() ? 0 : read.runs[0]->head();
                CHECK(now >= head, fmt::format("{} steps, and {} in a shorter log", now, head));
                head = now;
                if (tensors_of_whole > 0) CHECK_EQUAL(read.tensors, tensors_of_whole);
                if (read.whole) tensors_of_whole = read.tensors;
            } catch (const FileError& error) {
                CHECK(false, error.what());
            }
            for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(torn.string() + suffix);
        }
    CHECK(head > 50, std::to_string(head));
    CHECK(tensors_of_whole > 0);
    recorder.close();
}

TEST(runs_are_saved_from_memory_with_their_branches) {
    const Folder folder;
    const auto live = record_example(folder / "recorded.gradus");
    save_runs(live, folder / "saved.gradus");
    const RunFile file = read_run_file(folder / "saved.gradus");
    REQUIRE(file.runs.size() == live.size());
    CHECK(file.whole);
    for (std::size_t r = 0; r < live.size(); ++r) {
        const Row row(live[r]->manifest().id);
        const DiffResult result = diff_runs(*live[r], *file.runs[r]);
        CHECK(!result.first && result.tensors > 50, result.first ? result.first->sentence() : "");
        CHECK_EQUAL(file.runs[r]->event_count(), live[r]->event_count());
    }
    CHECK_THROWS(save_runs(live, folder / "nowhere/a.gradus"), FileError, "nowhere");
}

TEST(events_that_gave_way_are_missed_and_the_rest_is_whole) {
    const Folder folder;
    RunRequest request = endless();
    request.steps = 2400;
    request.parameters = {{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "4"}};
    request.observe_every = 1;
    request.budget.events = 3 * 16'384 * sizeof(EventRecord);
    Session session(request);
    session.play();
    session.wait();
    const auto run = session.run(0);
    session.stop();
    REQUIRE(run->events_of(0).empty() && !run->events_of(2399).empty());
    save_runs({run}, folder / "a.gradus");
    const RunFile file = read_run_file(folder / "a.gradus");
    const Run& read = *file.runs.at(0);
    CHECK_EQUAL(read.head(), run->head());
    CHECK_EQUAL(read.observed().size(), run->observed().size());
    CHECK(read.events_of(0).empty());
    const auto ours = run->events_of(2390), theirs = read.events_of(2390);
    REQUIRE(ours.size() == theirs.size() && !ours.empty());
    CHECK(ours.front().start == theirs.front().start && ours.back().end == theirs.back().end);
}

TEST(recording_begins_and_ends_in_the_middle_of_a_run) {
    const Folder folder;
    Session session(endless());
    session.play();
    pass(150);
    {
        Recorder recorder(folder / "a.gradus");
        recorder.add(session.run(0));
        pass(300);
        recorder.close();
    }
    const StepIndex ended = session.run(0)->head();
    pass(100); // the engine goes on without the recorder
    CHECK(session.run(0)->head() > ended);
    const RunFile file = read_run_file(folder / "a.gradus");
    check_prefix(*session.run(0), *file.runs.at(0));
    CHECK_EQUAL(file.runs[0]->first_iteration(), StepIndex{0});
}

TEST(a_recorder_that_has_gone_holds_nothing_back) {
    const Folder folder;
    RunRequest request = endless();
    request.observe_every = 1;
    request.budget.events = 3 * 16'384 * sizeof(EventRecord);
    auto recorder = std::make_unique<Recorder>(folder / "a.gradus");
    Session session(request, nullptr, [&](RunWriter& writer) { recorder->add(writer); });
    session.play();
    pass(150);
    recorder->close();
    recorder.reset(); // the writer still asks how far it came
    const std::size_t before = session.run(0)->event_count();
    pass(500);
    session.stop();
    const auto run = session.run(0);
    CHECK(run->event_count() > before);
    CHECK(run->memory().events <= request.budget.events, std::to_string(run->memory().events));
}

TEST(a_recording_ends_at_its_limit_and_opens) {
    const Folder folder;
    Recorder::Options options;
    options.most_bytes = 300'000;
    Recorder recorder(folder / "a.gradus", options);
    Session session(endless(), nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.play();
    for (int i = 0; i < 200 && recorder.failure().empty(); ++i) pass(50);
    CHECK(recorder.failure().find("grown to") != std::string::npos, recorder.failure());
    session.stop();
    CHECK_THROWS(recorder.close(), FileError, "a.gradus", "grown to");
    check_prefix(*session.run(0), *read_run_file(folder / "a.gradus").runs.at(0));
}

TEST(only_planned_iterations_keep_their_tensors_where_that_is_asked) {
    const Folder folder;
    Recorder::Options options;
    options.planned_tensors_only = true;
    Recorder recorder(folder / "a.gradus", options);
    RunRequest request = endless();
    request.steps = 400;
    Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    for (int i = 0; i < 130; ++i) { // a cursor looks at every one
        session.observe_next();
        session.step();
        session.wait();
    }
    session.stop();
    recorder.close();
    const RunFile file = read_run_file(folder / "a.gradus");
    const Run& run = *file.runs.at(0);
    CHECK(run.find_observed(63) && !run.events_of(63).empty());
    CHECK(!run.tensors_of(63));
    for (const StepIndex i : {-1, 0, 50, 100}) CHECK(run.tensors_of(i) != nullptr, std::to_string(i));
}

} // namespace gradus::test
