#include "engine/simt/runtime/access_counters.hpp"

#include "tests/support/check.hpp"

#include <array>
#include <functional>

using namespace gradus::simt;
using namespace gradus::test;

namespace {

using Addresses = std::array<std::uint64_t, warp_size>;

Addresses where(const std::function<std::uint64_t(std::uint64_t lane)>& address) {
    Addresses out{};
    for (std::uint64_t lane = 0; lane < warp_size; ++lane) out[lane] = address(lane);
    return out;
}

constexpr std::uint32_t all = 0xffff'ffffu;

/// Bank by bank and group by group, as the programming guide says it, without a thought for speed.
int wavefronts_slowly(const Addresses& offsets, std::uint32_t mask, int bytes) {
    const int group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    int sum = 0;
    for (int first = 0; first < 32; first += group) {
        int most = 0;
        for (std::uint64_t bank = 0; bank < 32; ++bank) {
            std::vector<std::uint64_t> words;
            for (int lane = first; lane < first + group; ++lane)
                for (int byte = 0; byte < bytes && (mask >> lane & 1); ++byte) {
                    const std::uint64_t word = (offsets[static_cast<std::size_t>(lane)] + static_cast<std::uint64_t>(byte)) / 4;
                    if (word % 32 == bank && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
                }
            most = std::max(most, static_cast<int>(words.size()));
        }
        sum += most;
    }
    return sum;
}

} // namespace

/// CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory", and what follows from sectors of 32 bytes.
TEST(sectors_of_a_request) {
    const struct {
        const char* name;
        Addresses addresses;
        std::uint32_t mask;
        int bytes, sectors, lines, ideal;
    } rows[] = {
        {"neighbours, 4 bytes", where([](auto lane) { return 1024 + 4 * lane; }), all, 4, 4, 1, 4},
        {"one further", where([](auto lane) { return 1028 + 4 * lane; }), all, 4, 5, 2, 4},
        {"neighbours, 8 bytes", where([](auto lane) { return 1024 + 8 * lane; }), all, 8, 8, 2, 8},
        {"neighbours, 16 bytes", where([](auto lane) { return 1024 + 16 * lane; }), all, 16, 16, 4, 16},
        {"every second", where([](auto lane) { return 1024 + 8 * lane; }), all, 4, 8, 2, 4},
        {"every eighth", where([](auto lane) { return 1024 + 32 * lane; }), all, 4, 32, 8, 4},
        {"a column", where([](auto lane) { return 1024 + 4096 * lane; }), all, 4, 32, 32, 4},
        {"one word for all", where([](auto) { return std::uint64_t{1024}; }), all, 4, 1, 1, 1},
        {"backwards", where([](auto lane) { return 1024 + 4 * (31 - lane); }), all, 4, 4, 1, 4},
        {"one lane", where([](auto) { return std::uint64_t{1028}; }), 1u << 7, 4, 1, 1, 1},
        {"even lanes", where([](auto lane) { return 1024 + 4 * lane; }), 0x5555'5555u, 4, 4, 1, 2},
        {"bytes", where([](auto lane) { return 1024 + lane; }), all, 1, 1, 1, 1},
        {"across a sector's end", where([](auto) { return std::uint64_t{1054}; }), 1u, 4, 2, 1, 1},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Sectors found = sectors_of(row.addresses.data(), row.mask, row.bytes);
        CHECK_EQUAL(found.sectors, row.sectors);
        CHECK_EQUAL(found.lines, row.lines);
        CHECK_EQUAL(found.ideal, row.ideal);
    }
}

TEST(wavefronts_of_a_request) {
    const struct {
        const char* name;
        Addresses offsets;
        std::uint32_t mask;
        int bytes, wavefronts, ideal;
    } rows[] = {
        {"neighbours", where([](auto lane) { return 4 * lane; }), all, 4, 1, 1},
        {"one word for all", where([](auto) { return std::uint64_t{64}; }), all, 4, 1, 1},
        {"every second", where([](auto lane) { return 8 * lane; }), all, 4, 2, 1},
        {"a column of 32", where([](auto lane) { return 128 * lane; }), all, 4, 32, 1},
        {"a column of 33", where([](auto lane) { return 132 * lane; }), all, 4, 1, 1},
        {"half a warp in one column", where([](auto lane) { return 128 * lane; }), 0xffffu, 4, 16, 1},
        {"8 bytes", where([](auto lane) { return 8 * lane; }), all, 8, 2, 2},
        {"16 bytes", where([](auto lane) { return 16 * lane; }), all, 16, 4, 4},
        {"8 bytes, every second", where([](auto lane) { return 16 * lane; }), all, 8, 4, 2},
        {"two words, half each", where([](auto lane) { return lane < 16 ? std::uint64_t{0} : std::uint64_t{128}; }), all, 4, 2, 1},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        const Wavefronts found = wavefronts_of(row.offsets.data(), row.mask, row.bytes);
        CHECK_EQUAL(found.wavefronts, row.wavefronts);
        CHECK_EQUAL(found.ideal, row.ideal);
    }
}

TEST(wavefronts_by_the_guide) {
    std::uint64_t random = 1;
    const auto next = [&](std::uint64_t below) { return (random = random * 6364136223846793005u + 1442695040888963407u) >> 33 % 64 ? (random >> 33) % below : 0; };
    for (int i = 0; i < 3000; ++i) {
        const int bytes = 1 << next(5);
        const std::uint64_t stride = next(40), spread = next(3) ? 1 : 64;
        const Addresses offsets = where([&](auto lane) { return (lane * stride + next(spread)) * static_cast<std::uint64_t>(bytes); });
        const auto mask = static_cast<std::uint32_t>(next(2) ? all : next(1u << 31) | 1u);
        const Row named(fmt::format("{} bytes, {} apart, mask {:x}", bytes, stride, mask));
        CHECK_EQUAL(wavefronts_of(offsets.data(), mask, bytes).wavefronts, wavefronts_slowly(offsets, mask, bytes));
    }
}

/// The pattern that a place has had is looked up; another one, or another place in the line, is counted anew.
TEST(counters_do_not_take_one_pattern_for_another) {
    MemoryMap memory;
    memory.add({4096, 1 << 20, Space::global, 4, "x"});
    AccessCounters counters(memory, 0, 64);
    std::int64_t sectors = 0, ideal = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Addresses addresses = where([&](auto lane) { return 4096 + 4 * i * 3 + 4 * lane * (1 + i / 50); });
        const std::uint32_t mask = i % 7 ? all : 0xffffu;
        counters.step({{8}, Op::read, 4, mask, 0, 0, addresses.data()});
        sectors += sectors_of(addresses.data(), mask, 4).sectors;
        ideal += sectors_of(addresses.data(), mask, 4).ideal;
    }
    const auto counts = counters.counts();
    CHECK_EQUAL(counts.size(), 1u);
    CHECK_EQUAL(counts[0].steps, 200);
    CHECK_EQUAL(counts[0].transfers, sectors);
    CHECK_EQUAL(counts[0].ideal, ideal);
}
