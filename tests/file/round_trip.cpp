#include "tests/file/support.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/trace/derive/diff.hpp"
#include "lessons/runtime/reproduce.hpp"
#include "tests/support/check.hpp"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <sys/mount.h>
#include <thread>
#include <unistd.h>

namespace gradus::test {

TEST(what_is_read_is_what_was_live) {
    const Folder folder;
    const auto live = record_example(folder / "a.gradus");
    const RunFile file = read_run_file(folder / "a.gradus");
    REQUIRE(file.runs.size() == live.size());
    CHECK(file.whole);
    CHECK(!std::filesystem::exists(folder / "a.gradus-wal"));
    CHECK_EQUAL(file.dropped_tensors, std::size_t{0});
    for (std::size_t r = 0; r < live.size(); ++r) {
        const Row row(live[r]->manifest().id);
        const Run &a = *live[r], &b = *file.runs[r];
        CHECK_EQUAL(b.manifest().to_json(), a.manifest().to_json());
        CHECK_EQUAL(b.head(), a.head());
        CHECK_EQUAL(b.event_count(), a.event_count());
        CHECK_EQUAL(b.sites().size(), a.sites().size());
        CHECK_EQUAL(b.edits().size(), a.edits().size());
        CHECK_EQUAL(b.observed().size(), a.observed().size());
        for (std::size_t i = 0; i < a.sites().size(); ++i) {
            CHECK_EQUAL(b.sites()[i].path, a.sites()[i].path);
            CHECK_EQUAL(b.sites()[i].cost.flops, a.sites()[i].cost.flops);
            CHECK_EQUAL(b.sites()[i].inputs.size(), a.sites()[i].inputs.size());
        }
        const auto ours = a.events(0, a.event_count()), theirs = b.events(0, b.event_count());
        REQUIRE(ours.size() == theirs.size());
        for (std::size_t i = 0; i < ours.size(); ++i)
            CHECK(ours[i].start == theirs[i].start && ours[i].end == theirs[i].end && ours[i].site == theirs[i].site &&
                  ours[i].ordinal == theirs[i].ordinal);
        for (std::size_t i = 0; i < a.observed().size(); ++i) { // shapes with the names of their axes
            const auto live_tensors = a.tensors_of(a.observed()[i].iteration), read = b.tensors_of(a.observed()[i].iteration);
            REQUIRE(live_tensors && read && live_tensors->tensors.size() == read->tensors.size());
            for (std::size_t t = 0; t < read->tensors.size(); ++t)
                CHECK(read->tensors[t].tensor.shape() == live_tensors->tensors[t].tensor.shape(), read->tensors[t].name);
        }
        const DiffResult result = diff_runs(a, b);
        CHECK(!result.first, result.first ? result.first->sentence() : "");
        CHECK(result.tensors > 50);
        CHECK(b.parent() == (r == 0 ? nullptr : file.runs[0]));
    }
}

TEST(manifest_and_edits_alone_give_the_same_bits) {
    const Folder folder;
    record_example(folder / "a.gradus");
    for (const Reproduction& one : reproduce(read_run_file(folder / "a.gradus").runs)) {
        const Row row(one.recorded->manifest().id);
        CHECK(!one.result.first, one.result.first ? one.result.first->sentence() : "");
        CHECK(one.result.tensors > 50 && one.result.iterations > 10);
    }
}

TEST(a_fork_reads_its_past_from_its_parent) {
    const Folder folder;
    record_example(folder / "a.gradus");
    const RunFile file = read_run_file(folder / "a.gradus");
    REQUIRE(file.runs.size() == 3);
    const Run& fork = *file.runs[1];
    CHECK_EQUAL(fork.first_iteration(), StepIndex{15});
    CHECK_EQUAL(*fork.value_at("loss", 3), *file.runs[0]->value_at("loss", 3));
    CHECK(*fork.value_at("loss", 40) != *file.runs[0]->value_at("loss", 40));
}

TEST(an_existing_file_is_not_overwritten) {
    const Folder folder;
    std::ofstream(folder / "a.gradus") << "mine";
    CHECK_THROWS(Recorder(folder / "a.gradus"), FileError, "a.gradus", "exists");
    CHECK_THROWS(Recorder(folder / "nowhere/a.gradus"), FileError, "nowhere");
    CHECK_THROWS(read_run_file(folder / "a.gradus"), FileError, "a.gradus");
    CHECK_THROWS(read_run_file(folder / "b.gradus"), FileError, "b.gradus", "no such file");
    CHECK_THROWS(read_run_file(folder.path()), NoFileError, "is not a file");
    CHECK_THROWS(read_run_file(folder / "b.gradus"), NoFileError, "no such file");
    CHECK_THROWS(read_run_file(""), NoFileError, "the name of the file is empty");
    const std::string long_name(300, 'x');
    CHECK_THROWS(read_run_file(folder / long_name), NoFileError, "name too long");
    CHECK_THROWS(Recorder(folder / long_name), FileError, "cannot be created", "name too long");
    if (geteuid() != 0) { // to root nothing is forbidden
        std::filesystem::permissions(folder / "a.gradus", std::filesystem::perms::none);
        CHECK_THROWS(read_run_file(folder / "a.gradus"), NoFileError, "Permission denied");
        std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
        CHECK_THROWS(Recorder(folder / "c.gradus"), FileError, "cannot be created", "Permission denied");
        std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    }
}

// A file is there whole or not at all, and what is said is about writing it.
TEST(a_disk_that_is_too_small_leaves_nothing_half_made) {
    const Folder folder;
    const std::filesystem::path disk = folder / "disk", path = disk / "a.gradus";
    std::filesystem::create_directory(disk);
    int made = 0, refused = 0;
    for (int kib = 4; kib <= 480; kib += 28) {
        const Row row(fmt::format("{} KiB", kib));
        if (::mount("none", disk.c_str(), "tmpfs", 0, fmt::format("size={}k", kib).c_str()) != 0) return; // only root may
        try {
            Recorder recorder(path);
            ++made;
            CHECK(read_run_file(path).runs.empty());
        } catch (const FileError& error) {
            ++refused;
            CHECK(std::string(error.what()).starts_with(path.string() + ": "), error.what());
            CHECK(std::string(error.what()).find("cannot be read") == std::string::npos, error.what());
            if (!std::filesystem::exists(path)) CHECK(std::filesystem::is_empty(disk), error.what());
        }
        ::umount2(disk.c_str(), MNT_DETACH);
    }
    CHECK(made > 0 && refused > 0);
}

// Nobody is told that something was recorded where nothing is.
TEST(a_recording_that_is_taken_away_is_noticed) {
    struct {
        const char* name;
        void (*act)(const std::filesystem::path&);
        const char* says;
    } const rows[] = {
        {"deleted", [](const std::filesystem::path& path) { std::filesystem::remove(path); }, "moved, deleted or replaced"},
        {"moved", [](const std::filesystem::path& path) { std::filesystem::rename(path, path.string() + ".moved"); }, "moved, deleted or replaced"},
        {"replaced", [](const std::filesystem::path& path) { std::filesystem::remove(path), std::ofstream(path) << "another"; }, "moved, deleted or replaced"},
        {"written over", [](const std::filesystem::path& path) { std::ofstream(path) << "x"; }, "cut or written over"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Folder folder;
        const std::filesystem::path path = folder / "a.gradus";
        Recorder recorder(path);
        RunRequest request;
        request.parameters = {{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "0"}};
        request.steps = 200;
        Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
        session.run_to(100);
        session.wait();
        row.act(path);
        session.play();
        session.wait();
        session.stop();
        CHECK_THROWS(recorder.close(), FileError, "a.gradus: it was", row.says);
        if (std::string_view(row.name) == "moved") CHECK(read_run_file(path.string() + ".moved").runs.size() <= 1); // and opens
    }
}

TEST(tensors_beyond_the_budget_are_counted_not_kept) {
    const Folder folder;
    {
        Recorder::Options options;
        options.tensor_bytes = 4096;
        Recorder recorder(folder / "a.gradus", options);
        RunRequest request;
        request.parameters = {{"data", "spirals"}, {"layers", "2,16,16,1"}, {"batch", "32"}};
        request.steps = 40;
        request.observe_every = 1;
        Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
        session.play();
        session.wait();
        session.stop();
        recorder.close();
        CHECK(recorder.dropped_tensors() > 0);
    }
    const RunFile file = read_run_file(folder / "a.gradus");
    CHECK(file.dropped_tensors > 0);
    CHECK(file.tensors < file.tensor_hashes);
    CHECK_EQUAL(file.runs[0]->head(), StepIndex{40});
    CHECK_EQUAL(file.runs[0]->observed().size(), std::size_t{41}); // setup and forty iterations: events are never dropped
}

TEST(what_an_earlier_recording_left_is_not_taken_for_its_own) {
    const Folder folder;
    for (const char* suffix : {"-wal", "-journal", "-shm"}) {
        std::ofstream(folder / (std::string("a.gradus") + suffix)) << "an earlier one's";
        CHECK_THROWS(Recorder(folder / "a.gradus"), FileError, "a.gradus", suffix, "earlier recording");
        CHECK(!std::filesystem::exists(folder / "a.gradus"));
        std::filesystem::remove(folder / (std::string("a.gradus") + suffix));
    }
    const auto old = folder / ".b.gradus.gradus-4194300-0.part", new_one = folder / ".b.gradus.gradus-4194301-0.part"; // of no process: both beyond the usual limit
    for (const auto& part : {old, new_one}) std::ofstream(part) << "half made";
    std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(5));
    { const Recorder recorder(folder / "a.gradus"); }
    CHECK(!std::filesystem::exists(old) && std::filesystem::exists(new_one));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        CHECK(entry.path() == folder / "a.gradus" || entry.path() == new_one, entry.path().string());
}

TEST(of_two_that_take_a_name_at_once_one_has_it) {
    const Folder folder;
    for (int round = 0; round < 20; ++round) {
        const auto path = folder / fmt::format("{}.gradus", round);
        std::atomic<int> made{0}, refused{0};
        {
            std::vector<std::jthread> both;
            for (int i = 0; i < 2; ++i)
                both.emplace_back([&] {
                    try {
                        Recorder recorder(path);
                        ++made;
                        recorder.close();
                    } catch (const FileError& error) {
                        refused += std::string(error.what()).find("exists already") != std::string::npos;
                    }
                });
        }
        CHECK_EQUAL(made.load(), 1);
        CHECK_EQUAL(refused.load(), 1);
        CHECK(read_run_file(path).runs.empty());
    }
}

TEST(a_file_can_be_read_while_it_is_written) {
    const Folder folder;
    Recorder recorder(folder / "a.gradus");
    RunRequest request;
    request.parameters = {{"data", "spirals"}, {"layers", "2,16,16,1"}, {"batch", "32"}};
    request.steps = 2'000'000;
    Session session(request, nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    session.play();
    StepIndex before = -1;
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        const RunFile file = read_run_file(folder / "a.gradus");
        CHECK(file.recording && !file.whole);
        if (file.runs.empty()) continue;
        CHECK(file.runs[0]->head() > before, fmt::format("{} after {}", file.runs[0]->head(), before));
        before = file.runs[0]->head();
    }
    session.stop();
    recorder.close();
    CHECK(!read_run_file(folder / "a.gradus").recording);
}

/// What one of two files lacks is a difference, in whichever of the two it is.
TEST(a_series_that_only_one_run_has_is_a_difference) {
    const auto run_of = [](std::vector<SeriesInfo> infos, const std::vector<std::vector<double>>& values, StepIndex observed) {
        const auto run = std::make_shared<Run>(Manifest{}, std::move(infos), nullptr);
        RunWriter writer(run);
        for (StepIndex i = 0; i < 3; ++i) {
            writer.begin_iteration(i, i == observed);
            for (std::size_t s = 0; s < values.size(); ++s)
                if (const double value = values[s][static_cast<std::size_t>(i)]; value != 0) writer.push(s, value);
            writer.end_iteration();
        }
        writer.finish(RunState::finished);
        return run;
    };
    const SeriesInfo loss{"loss", "", Provenance::computed, true}, norm{"norm", "", Provenance::computed, false},
        seconds{"seconds", "s", Provenance::measured, true}, seeds{"seed_loss", "", Provenance::computed, false};
    const std::vector<double> full{1, 2, 3}, sparse{0, 5, 0}, none{0, 0, 0};
    const auto both = run_of({loss, norm}, {full, sparse}, 1);
    struct Case {
        const char* name;
        std::shared_ptr<const Run> other;
        const char* part; ///< of the sentence; null where they are equal
    };
    const Case cases[] = {
        {"same", run_of({loss, norm}, {full, sparse}, 1), nullptr},
        {"no loss", run_of({norm}, {sparse}, 1), "only the first has loss"},
        {"no norm", run_of({loss}, {full}, 1), "only the first has norm"},
        {"no value", run_of({loss, norm}, {full, none}, 1), "only the first has norm"},
        {"observed elsewhere", run_of({loss, norm}, {full, none}, 2), nullptr},
        {"measured more", run_of({loss, norm, seconds}, {full, sparse, full}, 1), nullptr},
        {"computed more", run_of({loss, norm, seeds}, {full, sparse, full}, 1), "only the second has seed_loss"},
    };
    for (const Case& c : cases)
        for (const bool turned : {false, true}) {
            const Row row(c.name);
            const DiffResult result = turned ? diff_runs(*c.other, *both) : diff_runs(*both, *c.other);
            CHECK_EQUAL(result.first.has_value(), c.part != nullptr);
            if (!result.first || !c.part) continue;
            std::string part = c.part;
            if (turned) {
                const bool first = part.find("the first") != std::string::npos;
                part.replace(part.find(first ? "first" : "second"), first ? 5 : 6, first ? "second" : "first");
            }
            CHECK(result.first->sentence().find(part) != std::string::npos, result.first->sentence());
        }
    const auto swept = run_of({seeds}, {full}, 1);
    CHECK(diff_runs(*swept, *run_of({seeds}, {{1, 2, 4}}, 1)).first.has_value());
    CHECK(diff_runs(*swept, *run_of({seeds}, {{1, 2, 0}}, 1)).first.has_value());
    CHECK(!diff_runs(*swept, *run_of({seeds}, {full}, 1)).first);
}

} // namespace gradus::test
