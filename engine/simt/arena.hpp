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

    /// Where the child writes its answer, and that it has written so many bytes.
    std::span<std::byte> answer_room() const { return {base_ + answer_offset_, bytes_ - answer_offset_}; }
    void answered(std::size_t bytes);
    std::span<const std::byte> answer() const; ///< empty where there is none; whatever the child wrote: to be read with care
    /// How many blocks the child has run, of all launches: told by it, looked at by the lab.
    void tell_blocks(std::int64_t count) const;
    std::int64_t blocks_told() const;
    /// The same of steps of lanes, which the child writes there itself.
    std::int64_t& steps() const;
    std::int64_t steps_told() const;
    /// The child has ended and its answer was read: from here on there is nothing but memory().
    void close();

    /// The first bytes, which the confinement writes to; see engine/simt/confine.hpp.
    std::span<std::byte> end_words() const { return {base_, end_words_bytes}; }
    static constexpr std::size_t end_words_bytes = 1024;

private:
    friend class OwnMemory;
    struct Header;
    Header& header() const;
    void map();

    int file_ = -1;
    std::byte* base_ = nullptr;
    std::uint64_t bytes_ = 0, memory_offset_ = 0, answer_offset_ = 0; ///< as this side knows them: the other may write anything
    std::uint64_t request_bytes_ = 0;
};

/// The child's own view of the buffers: what was handed over, of which a page is copied when it is written to.
class OwnMemory {
public:
    /// Throws UnavailableError if there is no memory.
    explicit OwnMemory(const Arena& arena);
    ~OwnMemory();
    OwnMemory(const OwnMemory&) = delete;
    OwnMemory& operator=(const OwnMemory&) = delete;

    std::byte* data() const { return data_; }
    const std::byte* given() const { return arena_.memory(); } ///< as it was handed over, until it is handed back
    void begin_again(); ///< all is as it was handed over
    void tell_blocks(std::int64_t count) const { arena_.tell_blocks(count); }
    std::int64_t& steps() const { return arena_.steps(); }
    void hand_over();   ///< writes what has changed to the memory that both processes share

private:
    const Arena& arena_;
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace gradus::simt
