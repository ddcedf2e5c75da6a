#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace gradus {

/// A list that one thread appends to while any number read it. Records never move: they lie in chunks of
/// doubling size, and one atomic length publishes them. Readers take no lock and are never waited for.
template <class T> class PublishedLog {
public:
    PublishedLog() = default;
    PublishedLog(const PublishedLog&) = delete;
    PublishedLog& operator=(const PublishedLog&) = delete;

    /// Records that may be read.
    std::size_t size() const { return length_.load(std::memory_order_acquire); }
    bool empty() const { return size() == 0; }

    /// Record i < size().
    const T& operator[](std::size_t i) const {
        const Place place = place_of(i);
        return chunks_[place.chunk][place.offset];
    }
    const T& back() const { return (*this)[size() - 1]; }

    /// Writer only.
    void push(T record) {
        const std::size_t i = length_.load(std::memory_order_relaxed);
        const Place place = place_of(i);
        if (place.offset == 0) chunks_[place.chunk] = std::make_unique_for_overwrite<T[]>(first_chunk << place.chunk);
        chunks_[place.chunk][place.offset] = std::move(record);
        length_.store(i + 1, std::memory_order_release);
    }

    /// Bytes held, approximately.
    std::size_t bytes() const {
        const std::size_t length = size();
        return length == 0 ? 0 : (first_chunk << (place_of(length - 1).chunk + 1)) * sizeof(T);
    }

private:
    static constexpr std::size_t first_chunk = 64;
    struct Place {
        std::size_t chunk, offset;
    };
    static Place place_of(std::size_t i) {
        const std::size_t chunk = static_cast<std::size_t>(std::bit_width(i / first_chunk + 1)) - 1;
        return {chunk, i - first_chunk * ((std::size_t{1} << chunk) - 1)};
    }

    std::array<std::unique_ptr<T[]>, 48> chunks_;
    std::atomic<std::size_t> length_{0};
};

/// A shared pointer that one thread replaces while others copy it. The lock inside is held for the copy of one
/// pointer; it is taken once per chunk of records, not per record.
template <class T> class SharedSlot {
public:
    std::shared_ptr<T> get() const {
        lock();
        std::shared_ptr<T> copy = pointer_;
        unlock();
        return copy;
    }
    void set(std::shared_ptr<T> pointer) {
        lock();
        pointer_.swap(pointer);
        unlock();
    }

private:
    void lock() const {
        while (busy_.test_and_set(std::memory_order_acquire)) {
        }
    }
    void unlock() const { busy_.clear(std::memory_order_release); }

    mutable std::atomic_flag busy_;
    std::shared_ptr<T> pointer_;
};

} // namespace gradus
