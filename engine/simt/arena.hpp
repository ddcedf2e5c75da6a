#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gradus::simt {

/// Memory that the lab and its child share: what is asked, the kernel's buffers, and room for the answer. Pages that nobody touches
/// cost nothing. Neither side can change its size.
class Arena {
public:
    /// Makes one with a request and so many bytes for buffers. Throws UnavailableError if there is no memory.
    Arena(std::span<const std::byte> request, std::uint64_t memory_bytes);
    /// The child's view of what it was handed. Throws FileError if it is none.
    explicit Arena(int file);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    int file() const { return file_; }
    std::span<const std::byte> request() const;
    std::byte* memory() const;

    /// Throws FileError where it does not fit.
    void answer(std::span<const std::byte> bytes);
    std::span<const std::byte> answer() const; ///< empty where there is none; whatever the child wrote: to be read with care

    /// The first bytes, which the confinement writes to; see engine/simt/confine.hpp.
    std::span<std::byte> end_words() const { return {base_, end_words_bytes}; }
    static constexpr std::size_t end_words_bytes = 1024;

private:
    struct Header;
    Header& header() const;
    void map();

    int file_ = -1;
    std::byte* base_ = nullptr;
    std::uint64_t bytes_ = 0, memory_offset_ = 0, answer_offset_ = 0; ///< as this side knows them: the other may write anything
    std::uint64_t request_bytes_ = 0;
};

} // namespace gradus::simt
