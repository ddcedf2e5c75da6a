#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// A GPU as its maker describes it. Cited: rates are peaks at the boost clock, of dense arithmetic without tensor cores.
struct Chip {
    std::string id;   ///< "a100"
    std::string name; ///< "A100 SXM 80 GB"
    int capability = 0; ///< compute capability times ten: see Architecture
    double fp32_flops = 0;      ///< FLOP/s, a multiply-add counted as two
    double memory_bandwidth = 0; ///< bytes per second
    std::string memory;          ///< "HBM2e"
    std::int64_t memory_bytes = 0, l2_bytes = 0;
    std::int64_t l1_and_shared_per_sm = 0; ///< bytes of the one memory that is cut into L1 cache and shared memory
    std::int64_t registers_per_sm = 0;     ///< bytes
    int sms = 0;
    double clock = 0; ///< Hz, boost
    std::string source; ///< title, publisher, date

    /// Bytes per second of all SMs' shared memory: 32 banks of 4 bytes each clock. Source: CUDA Programming Guide 13, "Shared Memory".
    double shared_bandwidth() const { return 128.0 * sms * clock; }
};

/// A100, H100, RTX 4090, in this order.
const std::vector<Chip>& all_chips();
/// By its id. Throws ArgumentError, naming those that are known.
const Chip& chip(std::string_view id);

} // namespace gradus
