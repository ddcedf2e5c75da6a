#pragma once

#include "engine/trace/run.hpp"

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::file {

constexpr std::size_t chunk_records = 65'536; ///< in one chunk, at most

/// Bytes of a chunk: columns one after the other, little-endian, so that equal things lie together.
class ColumnWriter {
public:
    template <class T, class Range, class Get> void column(const Range& records, Get get) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T) * std::size(records));
        std::size_t i = 0;
        for (const auto& record : records) {
            const T value = get(record);
            std::memcpy(bytes_.data() + at + sizeof(T) * i++, &value, sizeof(T));
        }
    }
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

/// Reads columns back. The total size is checked before anything is read.
class ColumnReader {
public:
    /// Throws FileError, naming `where`, unless the bytes are exactly `count` records of `record_bytes`.
    ColumnReader(std::span<const std::byte> bytes, std::int64_t count, std::size_t record_bytes,
                 const std::string& where);
    template <class T> std::vector<T> column() {
        std::vector<T> values(count_);
        if (count_ > 0) std::memcpy(values.data(), bytes_.data() + at_, count_ * sizeof(T));
        at_ += count_ * sizeof(T);
        return values;
    }
    std::size_t count() const { return count_; }

private:
    std::span<const std::byte> bytes_;
    std::size_t count_ = 0, at_ = 0;
};

/// Hashes of what stands in the columns of a row, so that no byte of a file that means something goes unchecked.
std::uint64_t hash_fields(const std::vector<std::string>& fields);
std::uint64_t hash_of(const SeriesInfo& info);
std::uint64_t hash_of(const RecordedTensor& recorded, const Shape& shape, DType dtype, std::uint64_t contents);

/// What a file says, fit for a sentence: quoted, on one line, not long.
std::string in_quotes(std::string_view text);

std::string site_to_json(const EventSite& site);
/// Throws FileError naming `where`.
EventSite site_from_json(const std::string& json, const std::string& where);

std::string shape_to_text(const Shape& shape); ///< "64,256"
std::string axes_to_text(const Shape& shape);  ///< "B,out"
Shape shape_from_text(const std::string& sizes, const std::string& names, const std::string& where);
DType dtype_from_text(const std::string& name, const std::string& where);
Role role_from_text(const std::string& name, const std::string& where);
RunState state_from_text(const std::string& name, const std::string& where);

} // namespace gradus::file
