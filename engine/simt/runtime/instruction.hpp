#pragma once

#include <cstdint>
#include <string_view>

namespace gradus::simt {

/// What a hooked kernel does at one place of its code.
enum class Op : std::uint8_t {
    none,
    read,
    write,
    atomic,
    copy_async, ///< the read of one; its bytes land at the wait
    barrier,
    meet,     ///< shuffles, votes, matches, matrix instructions, __syncwarp
    active,   ///< __activemask
    branch,   ///< a step back in the code: the end of a loop's body; or any basic block, where these are wished
    fault,    ///< what ended the launch, and was not done: a lane's, by a finding
};

/// Its short name: "load", "barrier".
constexpr std::string_view name_of(Op op) {
    switch (op) {
    case Op::none: return "none";
    case Op::read: return "load";
    case Op::write: return "store";
    case Op::atomic: return "atomic";
    case Op::copy_async: return "copy-async";
    case Op::barrier: return "barrier";
    case Op::meet: return "collective";
    case Op::active: return "activemask";
    case Op::branch: return "branch";
    case Op::fault: return "fault";
    }
    return "?";
}

constexpr bool touches_memory(Op op) { return op == Op::read || op == Op::write || op == Op::atomic || op == Op::copy_async; }
constexpr bool writes_memory(Op op) { return op == Op::write || op == Op::atomic; }

/// Where memory lies.
enum class Space : std::uint8_t { global, shared, local, module };
constexpr std::string_view name_of(Space space) {
    switch (space) {
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
    case Space::module: return "module";
    }
    return "?";
}

/// A place in the code: by which calls one came (0: none, the kernel's own body), and the offset in the library's text.
struct Site {
    std::uint32_t bits = 0;
    static constexpr int offset_bits = 20;
    std::uint32_t offset() const { return bits & ((1u << offset_bits) - 1); }
    std::uint32_t path() const { return bits >> offset_bits; }
    bool operator==(const Site&) const = default;
};

/// One thread of a launch.
struct ThreadName {
    std::uint32_t block = 0, rank = 0;
    bool operator==(const ThreadName&) const = default;
};

} // namespace gradus::simt
