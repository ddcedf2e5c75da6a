// What was recorded of kernels as bytes and in a file: read back as it was, and refused in a sentence where the bytes are others.
#include "engine/trace/file/kernel_codec.hpp"

#include "engine/core/error.hpp"
#include "engine/core/philox.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/file/database.hpp"
#include "engine/trace/kernel/kernel_cursor.hpp"
#include "engine/trace/kernel/kernel_diff.hpp"
#include "engine/trace/kernel/locals_cursor.hpp"
#include "lessons/runtime/reproduce.hpp"
#include "tests/file/support.hpp"
#include "tests/support/check.hpp"

#include <cstring>
#include <sqlite3.h>

namespace gradus::test {

namespace {

/// Looks at all of it, as views would.
void look_at(const std::shared_ptr<const KernelTrace>& trace) {
    KernelCursor cursor(trace);
    while (cursor.forward()) {}
    cursor.go_to(0);
    const KernelEvents events(trace, 1, "launches");
    std::int32_t at = 0;
    for (int i = 0; i < 200; ++i) {
        const EventSite* site = events.step(at, Level::lane, 1);
        if (!site) break;
        at = site->ordinal;
    }
}

} // namespace

TEST(a_kernels_record_is_read_as_it_was_live) {
    const Folder folder;
    const auto live = record_kernel(folder / "k.gradus");
    const RunFile file = read_run_file(folder / "k.gradus");
    REQUIRE(file.runs.size() == 1);
    CHECK(file.whole);
    const auto ours = live->tensors_of(0)->kernels, theirs = file.runs[0]->tensors_of(0)->kernels;
    REQUIRE(ours && theirs);
    CHECK(file::kernel_to_bytes(*ours) == file::kernel_to_bytes(*theirs));
    CHECK(!first_difference(*ours, *theirs));
    CHECK(!diff_runs(*live, *file.runs[0]).first);
    const EventTree a(*live, 0), b(*file.runs[0], 0);
    for (const Level level : {Level::kernel, Level::block, Level::warp_instruction, Level::lane}) {
        const EventSite *x = a.last(level), *y = b.last(level);
        REQUIRE(x && y);
        CHECK(x->path == y->path && x->attributes == y->attributes && x->ordinal == y->ordinal, x->path);
    }
    for (const Reproduction& one : reproduce(file.runs)) CHECK(!one.result.first, one.result.first ? one.result.first->sentence() : "");
    record_kernel(folder / "other.gradus", "1_naive");
    CHECK(diff_runs(*file.runs[0], *read_run_file(folder / "other.gradus").runs[0]).first.has_value());
}

/// Before there were collectives and variables: the same bytes without what comes after them.
TEST(a_kernels_record_of_the_first_version_is_read) {
    const Folder folder;
    const auto live = record_kernel(folder / "k.gradus", "1_naive");
    KernelTrace trace = *live->tensors_of(0)->kernels;
    CHECK(!trace.locals.empty() && !trace.log.locals.changes.empty());
    CHECK(!trace.sources.empty());
    trace.locals.clear(), trace.log.locals = {};
    for (KernelTrace::Variable& variable : trace.variables) variable.kind = ValueKind::bits, variable.sizes.clear();
    trace.sources.clear();
    for (KernelTrace::Site& site : trace.sites) site.locals.clear();
    for (KernelTrace::Finding& finding : trace.findings) finding.threads.clear();
    CHECK(!first_difference(trace, *live->tensors_of(0)->kernels)); // what a file does not have does not differ
    KernelTrace other = *live->tensors_of(0)->kernels;
    other.log.locals.changes[other.log.locals.changes.size() / 2] ^= std::byte{1};
    CHECK(first_difference(other, *live->tensors_of(0)->kernels).value_or("").find("in its variables") != std::string::npos);
    std::vector<std::byte> bytes = file::kernel_to_bytes(trace);
    const std::size_t second = 8 + 8 + (8 + 8 * trace.sites.size()) + 8 + 8 + 8, third = 8 + (8 + 8 * trace.findings.size());
    const std::size_t fourth = 8 + 9 * trace.variables.size();
    const std::size_t later = second + third + fourth; // what these versions added: lists without anything in them, and a count
    bytes.resize(bytes.size() - later);
    const std::uint32_t first = 1;
    std::memcpy(bytes.data(), &first, sizeof first);
    const KernelTrace read = file::kernel_from_bytes(bytes, "here");
    CHECK(!first_difference(trace, read));
    CHECK(file::kernel_to_bytes(read) == file::kernel_to_bytes(trace));
    LocalsCursor cursor(std::make_shared<KernelTrace>(read));
    CHECK_EQUAL(cursor.lane(0).why, std::string("no variables of this lane are recorded"));
}

TEST(a_damaged_record_of_a_kernel_is_refused) {
    const Folder folder;
    record_kernel(folder / "good.gradus");
    const char* const lies[] = {
        "UPDATE kernel SET data = substr(data, 1, length(data) - 1)", "UPDATE kernel SET data = x''", "UPDATE kernel SET hash = hash + 1", "DELETE FROM kernel", "UPDATE kernel SET iteration = 5",
        "UPDATE kernel SET data = zeroblob(length(data))", "INSERT INTO kernel SELECT run, 9, hash, data FROM kernel",
    };
    for (const char* lie : lies) {
        const Row row(lie);
        const auto bad = folder / "bad.gradus";
        std::filesystem::copy_file(folder / "good.gradus", bad, std::filesystem::copy_options::overwrite_existing);
        sqlite3* database = nullptr;
        sqlite3_open(bad.c_str(), &database);
        CHECK_EQUAL(sqlite3_exec(database, lie, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
        CHECK_THROWS(read_run_file(bad), FileError, "bad.gradus", "kernel");
    }
}

/// Every hash may be right and the bytes still be a lie: what is believed can be followed to its end.
TEST(hostile_records_of_kernels_are_refused_or_whole) {
    const Folder folder;
    const auto live = record_kernel(folder / "k.gradus");
    const std::vector<std::byte> good = file::kernel_to_bytes(*live->tensors_of(0)->kernels);
    const Philox random(31, 4);
    int refused = 0, believed = 0;
    const auto attempt = [&](const std::vector<std::byte>& bytes) {
        try {
            look_at(std::make_shared<KernelTrace>(file::kernel_from_bytes(bytes, "here")));
            ++believed;
        } catch (const FileError& error) {
            ++refused;
            const std::string sentence = error.what();
            if (!sentence.starts_with("here: ") || sentence.find('\n') != std::string::npos) CHECK(false, sentence);
        }
    };
    for (std::uint64_t i = 0; i < 300; ++i) { // the head, where the lengths stand, in every place
        auto bad = good;
        const std::size_t at = i < 150 ? i * 2 : random.below(i, static_cast<std::uint32_t>(good.size()));
        bad[at] ^= static_cast<std::byte>(1 + random.below(1000 + i, 255));
        attempt(bad);
        bad = good;
        const std::uint64_t large = i % 2 ? ~std::uint64_t{0} : std::uint64_t{1} << 40;
        std::memcpy(bad.data() + std::min(at, good.size() - 8), &large, 8);
        attempt(bad);
        bad = good;
        bad.resize(random.below(2000 + i, static_cast<std::uint32_t>(good.size())));
        attempt(bad);
    }
    CHECK(refused > 400, std::to_string(refused));
    CHECK(believed > 0); // a flipped bit of a value is a value
    auto longer = good;
    longer.push_back({});
    CHECK_THROWS(file::kernel_from_bytes(longer, "here"), FileError, "longer");
    CHECK_THROWS(file::kernel_from_bytes({}, "here"), FileError, "shorter");
}

} // namespace gradus::test
