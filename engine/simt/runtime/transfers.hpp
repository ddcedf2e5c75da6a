#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gradus::simt {

constexpr int lanes_of_warp = 32;
constexpr std::uint64_t sector_bytes = 32, line_bytes = 128;
constexpr std::uint64_t banks = 32, bank_bytes = 4;

/// Distinct sectors of 32 bytes, and lines of 128, that the lanes of the mask touch with so many bytes each.
struct Sectors {
    int sectors = 0, lines = 0, ideal = 0; ///< ideal: sectors in which the distinct bytes would just fit
};

/// How often shared memory must be read or written until all lanes are served. 32 banks of 4 bytes; lanes are served in groups of 32,
/// 16 or 8 for accesses of up to 4, 8 or 16 bytes; in each group the bank with the most distinct words decides.
struct Wavefronts {
    int wavefronts = 0, ideal = 0; ///< ideal: with the same words in as few banks' turns as can be
};

/// Distinct numbers among the first `count`, which are sorted on the way.
template <std::size_t N>
int distinct_numbers(std::array<std::uint64_t, N>& numbers, std::size_t count) {
    const auto first = numbers.begin(), last = first + static_cast<std::ptrdiff_t>(count);
    if (!std::is_sorted(first, last)) std::sort(first, last);
    return static_cast<int>(std::unique(first, last) - first);
}

inline Sectors sectors_of(const std::uint64_t* addresses, std::uint32_t mask, int bytes) {
    constexpr std::size_t most = lanes_of_warp * 2; // an access that is not aligned may lie in two
    std::array<std::uint64_t, most> sectors{}, lines{};
    std::array<std::uint64_t, lanes_of_warp> starts{};
    std::size_t count = 0, lanes = 0;
    for (int lane = 0; lane < lanes_of_warp; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const std::uint64_t first = addresses[lane], last = first + static_cast<std::uint64_t>(bytes) - 1;
        starts[lanes++] = first;
        for (std::uint64_t sector = first / sector_bytes; sector <= last / sector_bytes && count < most; ++sector) {
            lines[count] = sector * sector_bytes / line_bytes;
            sectors[count++] = sector;
        }
    }
    const auto needed = static_cast<std::uint64_t>(distinct_numbers(starts, lanes)) * static_cast<std::uint64_t>(bytes);
    return {distinct_numbers(sectors, count), distinct_numbers(lines, count), static_cast<int>((needed + sector_bytes - 1) / sector_bytes)};
}

inline Wavefronts wavefronts_of(const std::uint64_t* offsets, std::uint32_t mask, int bytes) {
    const int group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8; // lanes
    Wavefronts out;
    for (int first = 0; first < lanes_of_warp; first += group) {
        std::array<std::uint64_t, lanes_of_warp * 2> words{};
        std::size_t count = 0;
        for (int lane = first; lane < first + group; ++lane) {
            if (!(mask >> lane & 1)) continue;
            const std::uint64_t begin = offsets[lane] / bank_bytes, end = (offsets[lane] + static_cast<std::uint64_t>(bytes) - 1) / bank_bytes;
            for (std::uint64_t word = begin; word <= end && count < words.size(); ++word) words[count++] = word;
        }
        if (!count) continue;
        const int different = distinct_numbers(words, count);
        std::array<std::uint8_t, banks> per_bank{};
        for (int i = 0; i < different; ++i) ++per_bank[words[static_cast<std::size_t>(i)] % banks];
        out.wavefronts += *std::max_element(per_bank.begin(), per_bank.end());
        out.ideal += (different + static_cast<int>(banks) - 1) / static_cast<int>(banks);
    }
    return out;
}

} // namespace gradus::simt
