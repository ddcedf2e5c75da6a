#pragma once

#include "engine/hardware/architectures.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// What a kernel asks of an SM for each of its blocks.
struct BlockNeeds {
    int threads = 0;                 ///< per block
    int registers = 0;               ///< per thread, as the compiler says: nvcc -Xptxas -v
    std::int64_t static_shared = 0;  ///< bytes per block: __shared__ arrays
    std::int64_t dynamic_shared = 0; ///< bytes per block: the third argument of <<< >>>
};

/// What keeps an SM from holding one block more.
enum class Limiter : std::uint8_t {
    warps,         ///< threads: every warp of 32 takes a slot
    registers,
    shared_memory,
    blocks,        ///< slots for blocks, however small these are
};
/// "warps", "registers", "shared_memory", "blocks"
std::string_view name_of(Limiter limiter);

/// How full an SM gets. Modelled.
struct Occupancy {
    static constexpr int unlimited = std::numeric_limits<int>::max();

    int blocks = 0;      ///< on one SM at a time; 0: the launch fails
    int warps = 0;       ///< of these blocks
    double fraction = 0; ///< warps / most warps of the SM, in [0, 1]
    /// Whatever by itself would allow no more blocks than there are, in the order of the enum; never empty. Easing one of several
    /// gains nothing.
    std::vector<Limiter> limiters;
    std::string refusal; ///< why the launch fails, in one sentence; empty where it does not

    /// So many blocks each of them would allow by itself.
    int by_warps = 0, by_registers = 0, by_shared_memory = 0, by_blocks = 0;

    std::int64_t registers_per_block = 0; ///< allocated
    std::int64_t shared_per_block = 0;    ///< allocated, the reserved bytes with it
    std::int64_t carveout = 0;            ///< bytes of the SM that are shared memory; 0 where the launch fails
    bool needs_optin = false;             ///< the kernel has to ask: cudaFuncSetAttribute(MaxDynamicSharedMemorySize)
};

/// Active blocks per SM: the least of what warps, registers, shared memory and slots allow, for an SM that runs this kernel alone and
/// enough blocks of it.
///
///     W  = ⌈threads / 32⌉                               warps per block
///     r  = ⌈32 · registers⌉ to the unit                 registers per warp
///     s  = ⌈static + dynamic + reserved⌉ to the unit    bytes per block
///     by_warps         = ⌊most warps / W⌋               0 where a block has too many threads
///     by_registers     = ⌊(⌊registers of the SM / r⌋, down to a multiple of 4) / W⌋
///     by_shared_memory = ⌊carveout / s⌋
///     by_blocks        = slots for blocks
///     fraction         = W · blocks / most warps
///
/// A block whose W, rounded up to a multiple of 4, times r is more than a block may have does not launch, although fewer registers
/// are allocated to it. Nor does one with more static shared memory than can be had without opting in, or more in all than can be
/// had at all. A kernel that needs to opt in is taken to have done so for exactly its dynamic bytes.
///
/// `carveout_percent` is what the kernel prefers of the largest carveout, as cudaFuncAttributePreferredSharedMemoryCarveout says it:
/// the next larger carveout is taken, or the next that holds one block. The default is the most, as CUDA's own calculator assumes;
/// without a wish of the kernel the driver may choose otherwise.
///
/// Throws ArgumentError for numbers below 0, shared memory of 2³² bytes and more, a percentage above 100.
/// Source: CUDA Programming Guide 13, "Compute Capabilities"; cuda_occupancy.h of CUDA 13.0, with which tests/hardware compares.
Occupancy occupancy(const Architecture& on, const BlockNeeds& needs, int carveout_percent = 100);

} // namespace gradus
