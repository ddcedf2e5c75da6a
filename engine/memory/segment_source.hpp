#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus {

/// A queue of work on a device: what is issued to one runs in order. The CPU engine has one, 0.
using StreamIndex = std::int32_t;
/// A point in a stream's work.
using StreamMark = std::uint64_t;

/// Where a caching allocator has its segments from, and what it asks of the device's streams. Called under the allocator's lock.
class SegmentSource {
public:
    virtual ~SegmentSource() = default;
    /// Memory of at least this alignment: 64 bytes. Null where there is none.
    virtual void* take(std::size_t bytes) = 0;
    virtual void give_back(void* segment, std::size_t bytes) = 0;

    /// The end of what has been issued to the stream so far.
    virtual StreamMark mark(StreamIndex stream) = 0;
    virtual bool has_passed(StreamIndex stream, StreamMark mark) = 0;
    /// Returns once the stream has passed the mark.
    virtual void wait_for(StreamIndex stream, StreamMark mark) = 0;
};

/// The machine's own memory. Whoever calls has done what came before: there is nothing to wait for.
class SystemMemory final : public SegmentSource {
public:
    void* take(std::size_t bytes) override;
    void give_back(void* segment, std::size_t bytes) override;
    StreamMark mark(StreamIndex) override { return 0; }
    bool has_passed(StreamIndex, StreamMark) override { return true; }
    void wait_for(StreamIndex, StreamMark) override {}
};

/// A device of a given size without its memory: its addresses are numbers that nobody may follow. It shows what an allocator
/// does with a device that is not here. Its streams stand still until they are told to go on.
class ArenaMemory final : public SegmentSource {
public:
    explicit ArenaMemory(std::size_t bytes) : free_(bytes) {}
    void* take(std::size_t bytes) override;
    void give_back(void* segment, std::size_t bytes) override;
    StreamMark mark(StreamIndex) override { return now_; }
    bool has_passed(StreamIndex, StreamMark mark) override { return mark < passed_; }
    void wait_for(StreamIndex, StreamMark mark) override { passed_ = mark < passed_ ? passed_ : mark + 1; }

    std::size_t free_bytes() const { return free_; }
    /// Everything issued so far runs to its end.
    void finish_streams() { passed_ = ++now_; }

private:
    std::size_t free_;
    std::uintptr_t next_ = std::uintptr_t{1} << 40;
    StreamMark now_ = 0, passed_ = 0;
};

} // namespace gradus
