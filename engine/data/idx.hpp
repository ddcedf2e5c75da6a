#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// The contents of an IDX file of unsigned bytes: sizes, outermost first, and the bytes in row-major order.
struct IdxArray {
    std::vector<std::int64_t> sizes;
    std::span<const std::uint8_t> bytes; ///< a part of what was read
};

/// Reads IDX bytes, strictly: magic 0x0000, type 0x08, `rank` sizes, exactly as many bytes as they say.
/// Throws FileError naming `where` and what is wrong. Source: LeCun, Cortes, Burges, "The MNIST database".
IdxArray parse_idx(std::span<const std::uint8_t> bytes, int rank, const std::string& where);

/// Unpacks gzip data; bytes that are not gzip come back as they are. Throws FileError for damaged data and for
/// more than `limit` bytes of output.
std::vector<std::uint8_t> gunzip(std::span<const std::uint8_t> packed, std::size_t limit, const std::string& where);

/// Reads a whole file of at most `limit` bytes. Throws FileError.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path, std::size_t limit);

} // namespace gradus
