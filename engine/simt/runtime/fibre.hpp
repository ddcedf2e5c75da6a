#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simt {

/// Stacks on which functions run until they switch away; a lane of a block has one. A guard page stands below each.
class FibreStacks {
public:
    /// Throws UnavailableError where the address space is too small. Pages are taken from the system when they are first used.
    explicit FibreStacks(std::size_t count);
    ~FibreStacks();
    FibreStacks(const FibreStacks&) = delete;
    FibreStacks& operator=(const FibreStacks&) = delete;

    /// Makes the i-th ready to run `body(argument)`, which must never return, and gives what to switch to.
    void* prepare(std::size_t i, void (*body)(void*), void* argument) const;

    std::size_t count() const { return count_; }
    std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(memory_); }
    std::uint64_t bytes() const { return bytes_; }
    bool contains(std::uint64_t address) const { return address - reinterpret_cast<std::uint64_t>(memory_) < bytes_; }

    static constexpr std::size_t stack_bytes = 128 << 10;

private:
    std::byte* memory_ = nullptr;
    std::size_t count_, bytes_ = 0;
};

} // namespace gradus::simt

/// Goes on where `to` was left, and keeps in *from how to come back. Only what the calling convention says survives a call.
extern "C" void gradus_fibre_switch(void** from, void* to);
