#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace gradus {

/// Memory in which a batch waits to be copied to the device. Where the device has a memory of its own it can be read only at full
/// speed, and beside computation, if it is locked in place (pinned); a backend brings a maker of its own for that.
class StagingBuffer {
public:
    virtual ~StagingBuffer() = default;
    virtual std::byte* data() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual bool locked() const = 0;
    /// "page-locked", or why it is not: "not page-locked: Cannot allocate memory (RLIMIT_MEMLOCK is 65536 bytes)".
    virtual std::string text() const = 0;
};

/// Makes one of at least this many bytes. Throws std::bad_alloc.
using StagingMaker = std::function<std::unique_ptr<StagingBuffer>(std::size_t bytes)>;

/// Whole pages of the process, kept in memory by mlock where the system lets it; where not, they serve all the same, and text()
/// says why. Pages of such a buffer are touched when it is made.
std::unique_ptr<StagingBuffer> page_locked_buffer(std::size_t bytes);

} // namespace gradus
