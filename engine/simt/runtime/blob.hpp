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
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
    }
    template <class T> void put_all(const std::vector<T>& values) {
        put(std::uint64_t{values.size()});
        const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
        bytes_.insert(bytes_.end(), bytes, bytes + values.size() * sizeof(T));
    }
    void put(const std::string& text) { put_all(std::vector<char>(text.begin(), text.end())); }
    const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
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
