#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// What one streaming multiprocessor (SM) of a compute capability has, and the units in which it hands it out. Cited.
/// Memory is in bytes, registers are 32 bits wide.
///
/// Source of the sizes: CUDA Programming Guide 13, "Compute Capabilities", tables of SM and of memory information. Of the units of
/// allocation, which the guide does not give: cuda_occupancy.h of CUDA 13.0.
struct Architecture {
    int capability = 0; ///< times ten: 80 is 8.0
    std::string family; ///< "Ampere"
    std::string chips;  ///< where one finds it: "A100"

    int warp_size = 32;
    int threads_per_block = 1024; ///< at most; the following too
    int warps_per_sm = 0;
    int blocks_per_sm = 0;

    int registers_per_sm = 65536;
    int registers_per_block = 65536;
    int registers_per_thread = 255;
    int register_unit = 256; ///< a warp's registers are a multiple of it
    /// An SM has so many partitions, each with its own part of the registers, and a warp lives in one of them. So the warps for
    /// which there are registers are a multiple of it.
    int warp_unit = 4;

    std::int64_t shared_per_sm = 0;
    std::int64_t shared_per_block = 49152;  ///< of a kernel that does not opt in; the most that can be static
    std::int64_t shared_per_block_optin = 0; ///< with cudaFuncSetAttribute(MaxDynamicSharedMemorySize)
    std::int64_t shared_reserved = 0;        ///< that the system takes for each block, beside the block's own
    std::int64_t shared_unit = 0;            ///< a block's shared memory, the reserved bytes with it, is a multiple of it
    /// What can be cut out of the SM's one memory for shared memory, ascending; the rest is its L1 cache.
    std::vector<std::int64_t> carveouts;

    int threads_per_sm() const { return warps_per_sm * warp_size; }
    /// "8.0"
    std::string name() const { return std::to_string(capability / 10) + "." + std::to_string(capability % 10); }
};

/// 7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0 and 12.0, in this order.
const std::vector<Architecture>& all_architectures();

/// By the capability times ten: 80. Throws ArgumentError, naming those that are known.
const Architecture& architecture(int capability);
/// By "8.0", "80" or "sm_80". Throws ArgumentError, naming those that are known.
const Architecture& architecture(std::string_view name);

} // namespace gradus
