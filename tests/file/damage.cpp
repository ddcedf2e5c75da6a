#include "tests/file/support.hpp"

#include "engine/core/philox.hpp"
#include "engine/data/idx.hpp"
#include "engine/trace/file/database.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <fstream>
#include <sys/resource.h>

namespace gradus::test {

namespace {

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) { return read_file(file, std::size_t{1} << 30); }

void write(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

long resident_kib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/// Every value of every row, as a program sees it that reads the tables and not their indexes.
std::string rows_of(const std::filesystem::path& path) {
    file::Database database(path, file::Database::Mode::read);
    std::string out;
    for (const char* table : {"meta", "tally", "run", "edit", "site", "series", "tensor", "event_chunk", "observed_chunk",
                              "iteration_chunk", "series_chunk", "kept", "memory", "kernel"}) {
        file::Statement columns(database, "SELECT group_concat('quote(' || name || ')', '||') FROM pragma_table_info(?)");
        columns.bind(std::string_view(table)).step();
        file::Statement rows(database, fmt::format("SELECT {} FROM {} NOT INDEXED", columns.text(0), table).c_str());
        while (rows.step()) out += rows.text(0) + "\n";
    }
    return out;
}

} // namespace

TEST(a_file_of_the_first_format_opens_and_says_what_it_cannot_know) {
    const std::filesystem::path old = GRADUS_SOURCE_FOLDER "/tests/fuzz/corpus/run_file/forked.gradus";
    const RunFile file = read_run_file(old);
    CHECK_EQUAL(file.format, std::int64_t{1});
    CHECK(file.whole && !file.runs.empty());
    const Folder folder;
    record_example(folder / "a.gradus");
    CHECK_EQUAL(read_run_file(folder / "a.gradus").format, std::int64_t{5});
}

/// Each was written by the lab of its time.
TEST(files_of_every_format_open) {
    const std::pair<const char*, std::int64_t> rows[] = {{"forked", 1}, {"counted", 2}, {"memory", 3}, {"kernel", 4}, {"locals", 5}};
    for (const auto& [name, format] : rows) {
        const Row row(name);
        const RunFile file = read_run_file(fmt::format(GRADUS_SOURCE_FOLDER "/tests/fuzz/corpus/run_file/{}.gradus", name));
        CHECK_EQUAL(file.format, format);
        REQUIRE(file.whole && !file.runs.empty());
        const auto tensors = file.runs[0]->tensors_of(0);
        REQUIRE(tensors != nullptr);
        CHECK_EQUAL(tensors->kernels != nullptr, format >= 4);
        if (tensors->kernels) CHECK_EQUAL(tensors->kernels->locals.empty(), format < 5);
        CHECK_EQUAL(tensors->memory != nullptr, format == 3); // a kernel's run has no allocator
    }
}

TEST(files_that_are_cut_or_flipped_are_found) {
    const Folder folder;
    record_example(folder / "good.gradus");
    const std::vector<std::uint8_t> good = bytes_of(folder / "good.gradus");
    const Philox random(99, 1);
    const long before = resident_kib();
    const auto file = folder / "bad.gradus";
    const RunFile reference = read_run_file(folder / "good.gradus");
    int believed = 0;
    for (std::uint64_t i = 0; i < 120; ++i) { // cut: everywhere, and finely near both ends
        const Row row(fmt::format("cut {}", i));
        std::size_t size = i < 40 ? i * 16 : i < 80 ? good.size() - (i - 39) * 100 : random.below(i, static_cast<std::uint32_t>(good.size()));
        auto bad = good;
        bad.resize(std::min(size, good.size() - 1));
        write(file, bad);
        CHECK(refused(file), fmt::format("a file cut to {} of {} bytes was believed", bad.size(), good.size()));
    }
    const std::string rows = rows_of(folder / "good.gradus");
    for (std::uint64_t i = 0; i < 1000; ++i) { // flipped: one byte, or a stretch of them
        const Row row(fmt::format("flip {}", i));
        auto bad = good;
        const std::size_t at = i < 30 ? i * 3 : random.below(1000 + i, static_cast<std::uint32_t>(good.size()));
        const std::size_t length = i % 3 == 0 ? 64 : 1;
        for (std::size_t k = at; k < std::min(at + length, bad.size()); ++k) bad[k] ^= static_cast<std::uint8_t>(1 + random.below(5000 + i, 255));
        write(file, bad);
        if (refused(file, &reference)) continue;
        ++believed;
        CHECK(rows_of(file) == rows, "a row that was changed was believed");
    }
    fmt::print("    1000 flips, {} of them in free space that nothing reads\n", believed);
    CHECK(believed < 700, std::to_string(believed));
    CHECK(resident_kib() - before < 200'000, "a damaged file made memory grow");
}

} // namespace gradus::test
