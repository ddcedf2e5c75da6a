#include "views/state/picture_memory.hpp"

#include "engine/memory/address_checker.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

namespace gradus {
namespace {

constexpr std::size_t most_kept = std::size_t{32} << 20, least = std::size_t{64} << 10, step = std::size_t{256} << 10;

struct Buffer {
    std::size_t bytes = 0;
    void* pixels = nullptr;
};

/// What pictures gave back, the longest ago first. What no picture has may be touched by nobody, which the address sanitizer
/// is told.
class PictureMemory {
public:
    Buffer take(std::size_t bytes) {
        Buffer buffer = find(bytes);
        if (!buffer.pixels) {
            buffer.bytes = (bytes + step - 1) / step * step;
            buffer.pixels = std::aligned_alloc(64, buffer.bytes);
        }
        if (!buffer.pixels) return {};
        address_checker::allow(buffer.pixels, bytes);
        address_checker::forbid(static_cast<char*>(buffer.pixels) + bytes, buffer.bytes - bytes);
        return buffer;
    }
    void give(const Buffer& buffer) {
        const std::lock_guard lock(mutex_);
        address_checker::forbid(buffer.pixels, buffer.bytes);
        kept_.push_back(buffer);
        held_ += buffer.bytes;
        while (held_ > most_kept) {
            const Buffer oldest = kept_.front();
            kept_.erase(kept_.begin());
            held_ -= oldest.bytes;
            address_checker::allow(oldest.pixels, oldest.bytes);
            std::free(oldest.pixels);
        }
    }

private:
    /// The smallest that is large enough, and no more than four times so: the next one may be larger. Of equal ones the last, which a cache may hold.
    Buffer find(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        auto best = kept_.end();
        for (auto at = kept_.begin(); at != kept_.end(); ++at)
            if (at->bytes >= bytes && at->bytes / 4 <= bytes && (best == kept_.end() || at->bytes <= best->bytes)) best = at;
        if (best == kept_.end()) return {};
        const Buffer found = *best;
        kept_.erase(best);
        held_ -= found.bytes;
        return found;
    }

    std::mutex mutex_;
    std::vector<Buffer> kept_;
    std::size_t held_ = 0;
};

PictureMemory& memory() {
    static PictureMemory& all = *new PictureMemory; // pictures of static objects give back after it would have ended
    return all;
}

} // namespace

QImage recycled_picture(const QSize& size, QImage::Format format) {
    const auto line = static_cast<std::size_t>(std::max(0, size.width())) * 4, bytes = line * static_cast<std::size_t>(std::max(0, size.height()));
    if (bytes < least) return QImage(size, format);
    const Buffer buffer = memory().take(bytes);
    if (!buffer.pixels) return {};
    const auto give = [](void* info) {
        const auto* given = static_cast<Buffer*>(info);
        memory().give(*given);
        delete given;
    };
    auto* const given = new Buffer(buffer);
    QImage picture(static_cast<uchar*>(buffer.pixels), size.width(), size.height(), static_cast<qsizetype>(line), format, give, given);
    if (picture.isNull()) give(given); // larger than Qt takes
    return picture;
}

} // namespace gradus
