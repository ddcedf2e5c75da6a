#pragma once

#include "engine/core/error.hpp"

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace gradus::simt {

/// Values one after another as bytes, for two processes of one build. Plain data as it lies in memory; text and lists with their length
/// before them.
class BlobWriter {
public:
    BlobWriter() = default;
    /// Into memory that is there. What is too long for it is refused with a FileError.
    explicit BlobWriter(std::span<std::byte> room) : room_(room), bounded_(true) {}
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        append(&value, sizeof(T));
    }
    template <class T> void put_all(const std::vector<T>& values) {
        put(std::uint64_t{values.size()});
        append(values.data(), values.size() * sizeof(T));
    }
    void put(const std::string& text) {
        put(std::uint64_t{text.size()});
        append(text.data(), text.size());
    }
    std::size_t size() const { return size_; }
    const std::vector<std::byte>& bytes() const { return bytes_; } ///< where it was given no room

private:
    void append(const void* from, std::size_t count) {
        const auto* bytes = static_cast<const std::byte*>(from);
        if (!bounded_) bytes_.insert(bytes_.end(), bytes, bytes + count);
        else if (count > room_.size() - size_) throw FileError("the interpreter's answer is too long");
        else if (count) std::memcpy(room_.data() + size_, bytes, count);
        size_ += count;
    }
    std::vector<std::byte> bytes_;
    std::span<std::byte> room_;
    std::size_t size_ = 0;
    bool bounded_ = false;
};

/// Reads them again, of whoever wrote them: what does not fit is refused with a FileError.
class BlobReader {
public:
    explicit BlobReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    template <class T>
        requires std::is_trivially_copyable_v<T>
    T get() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    template <class T> std::vector<T> get_all() {
        const auto count = get<std::uint64_t>();
        if (count > bytes_.size() / sizeof(T)) throw FileError("the interpreter's answer is cut off");
        std::vector<T> values(count);
        if (count) std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
        return values;
    }
    std::string get_text() {
        const std::vector<char> letters = get_all<char>();
        return {letters.begin(), letters.end()};
    }
    std::uint64_t get_count(std::uint64_t most) {
        const auto count = get<std::uint64_t>();
        if (count > most) throw FileError("the interpreter's answer is damaged");
        return count;
    }

private:
    std::span<const std::byte> take(std::size_t count) {
        if (count > bytes_.size()) throw FileError("the interpreter's answer is cut off");
        const std::span<const std::byte> taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    std::span<const std::byte> bytes_;
};

} // namespace gradus::simt
