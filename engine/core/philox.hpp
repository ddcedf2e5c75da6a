#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace gradus {

/// Philox4x32-10: a counter-based generator. The n-th block of a stream is a pure function of
/// (key, stream, n), so the same numbers come out on every thread, machine and device.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
class Philox {
public:
    using Block = std::array<std::uint32_t, 4>;

    /// `seed` is the key; `stream` separates uses of one seed (weights, data order, points …).
    constexpr Philox(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

    /// Four independent 32-bit words at position `index`.
    constexpr Block block(std::uint64_t index) const {
        Block counter{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                      static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)};
        std::uint32_t key0 = static_cast<std::uint32_t>(seed_), key1 = static_cast<std::uint32_t>(seed_ >> 32);
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter[0];
            const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter[2];
            counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0,
                       static_cast<std::uint32_t>(product1),
                       static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1,
                       static_cast<std::uint32_t>(product0)};
            key0 += 0x9E3779B9u;
            key1 += 0xBB67AE85u;
        }
        return counter;
    }

    /// The i-th uniform double in [0, 1), from 53 bits.
    constexpr double uniform(std::uint64_t i) const { return uniform_of(block(i / 2), i % 2); }
    /// Uniform numbers first, first + 1, …: the same, two from each block.
    constexpr void uniforms(std::uint64_t first, std::span<double> out) const {
        std::size_t at = 0;
        if (first % 2 && !out.empty()) out[at++] = uniform(first);
        for (; at + 1 < out.size(); at += 2) {
            const Block words = block((first + at) / 2);
            out[at] = uniform_of(words, 0);
            out[at + 1] = uniform_of(words, 1);
        }
        if (at < out.size()) out[at] = uniform(first + at);
    }

    /// The i-th uniform integer in [0, bound), bound > 0, by multiplication (bias below 2^-32 · bound).
    constexpr std::uint32_t below(std::uint64_t i, std::uint32_t bound) const {
        return static_cast<std::uint32_t>(std::uint64_t{block(i / 4)[i % 4]} * bound >> 32);
    }

    /// The i-th standard normal double (Box and Muller 1958).
    double normal(std::uint64_t i) const { return i % 2 == 0 ? normal_pair(i / 2).first : normal_pair(i / 2).second; }
    /// Normal numbers 2 · i and 2 · i + 1, which are made together.
    std::pair<double, double> normal_pair(std::uint64_t i) const;
    /// Normal numbers first, first + 1, …: the same, several at a time where the processor has vectors.
    void normals(std::uint64_t first, std::span<double> out) const;

private:
    static constexpr double uniform_of(const Block& words, std::size_t half) {
        const std::uint64_t bits = std::uint64_t{words[2 * half]} << 32 | words[2 * half + 1];
        return static_cast<double>(bits >> 11) * 0x1p-53;
    }

    std::uint64_t seed_, stream_;
};

} // namespace gradus
