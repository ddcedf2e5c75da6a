#pragma once

#include "engine/simt/runtime/instruction.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gradus {

/// Warp steps in the order in which they were done, as columns: what the interpreter's process hands over and a Run's file holds.
///
/// A step that touches memory has a part of `payload`: a byte that says how its addresses stand there, the addresses, then for each
/// lane, lowest first, what stood in memory before it, and, where it writes, what stands there after it. An address is a range of
/// memory and an offset in it, so that it is the same in every process. Of a collective it says what lanes hand in and get.
struct KernelLog {
    enum class Form : std::uint8_t {
        none,     ///< touches no memory
        even,     ///< u8 range, i64 offset of the lowest lane, i32 from each lane to the next by its number
        one_range, ///< u8 range, then a u64 offset for each lane
        mixed,    ///< a u8 range and a u64 offset for each lane
        named,    ///< touches no memory: u8, the number of the collective's name
        handed,   ///< also u8 and u8, the ValueKind of what lanes hand in and get, then for each lane u64, u64 and u8, the lane it asks
    };
    /// A place in the code and what is done there.
    struct Site {
        std::uint32_t bits = 0;  ///< simt::Site: the way of calls, and the offset of what comes after it in the code
        std::uint16_t bytes = 0; ///< of one lane's access
        simt::Op op = simt::Op::none;
        std::uint8_t fma = 0;    ///< 1: where a multiply-add is done
        bool operator==(const Site&) const = default;
    };
    /// Of a step's part of the payload: its addresses and its lanes' values.
    static constexpr std::uint64_t part_bytes(Form form, std::uint64_t lanes, const Site& site) {
        if (form == Form::none) return 1;
        if (form == Form::named || form == Form::handed) return form == Form::named ? 2 : 4 + lanes * 17;
        const std::uint64_t addresses = form == Form::even ? 13 : form == Form::one_range ? 1 + lanes * 8 : lanes * 9;
        return 1 + addresses + lanes * site.bytes * (writes_memory(site.op) ? 2 : 1);
    }
    struct Block {
        std::uint32_t launch = 0, number = 0;
        std::uint64_t first = 0; ///< of its steps
    };
    /// a · b + c of one lane, as bits of fp32.
    struct Fma {
        std::uint32_t a = 0, b = 0, c = 0, result = 0;
    };
    std::vector<Site> sites;
    std::vector<Block> blocks;
    std::vector<std::uint32_t> site, mask; ///< of each step
    std::vector<std::uint8_t> warp;
    std::vector<std::byte> payload;
    std::vector<std::string> collectives; ///< names of those that lanes met in: "__shfl_down_sync"
    /// Multiply-adds, by step, lane, and the order in which the lane did them: on its way to that step from its one before.
    std::vector<std::uint32_t> fma_step, fma_site;
    std::vector<std::uint8_t> fma_lane;
    std::vector<Fma> fmas;
    std::int64_t missed = 0; ///< steps that were done after the log was full

    /// What threads kept in their variables: for each of a thread's steps in a block, what had changed in its frames (local_variable.hpp)
    /// when it came there. A step is a number of changes; a change is a word's number times 4, with 1 for its low half and 2 for its high
    /// half, and these halves as they are now. Numbers go seven bits to a byte, the lowest first, with 0x80 where more follow.
    struct Locals {
        struct Thread {
            std::uint32_t block = 0, rank = 0; ///< block: its number in `blocks`
            std::uint64_t first = 0;           ///< byte of `changes`
            std::uint64_t events = 0;          ///< steps that were looked at: the first so many
        };
        std::vector<Thread> threads; ///< by block and rank
        std::vector<std::byte> changes;
        std::int64_t missed = 0; ///< steps of lanes that were done after there was no more room
    };
    Locals locals;

    std::size_t bytes() const {
        return sites.size() * sizeof(Site) + blocks.size() * sizeof(Block) + site.size() * 9 + payload.size() + fmas.size() * (9 + sizeof(Fma));
    }
};

} // namespace gradus
