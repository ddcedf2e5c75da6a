#include "engine/data/idx.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <libdeflate.h>
#include <memory>

namespace gradus {

IdxArray parse_idx(std::span<const std::uint8_t> bytes, int rank, const std::string& where) {
    const std::size_t header = 4 + 4 * static_cast<std::size_t>(rank);
    if (bytes.size() < header)
        throw FileError(fmt::format("{}: an IDX header of {} bytes is cut off after {}", where, header, bytes.size()));
    if (bytes[0] != 0 || bytes[1] != 0) throw FileError(fmt::format("{}: not an IDX file (wrong magic bytes)", where));
    if (bytes[2] != 0x08)
        throw FileError(fmt::format("{}: IDX type 0x{:02x}, but unsigned bytes (0x08) are expected", where, bytes[2]));
    if (bytes[3] != rank)
        throw FileError(fmt::format("{}: of rank {}, but {} is expected", where, bytes[3], rank));
    IdxArray array;
    std::uint64_t count = 1;
    for (int axis = 0; axis < rank; ++axis) {
        const std::uint8_t* at = bytes.data() + 4 + 4 * axis;
        const std::uint32_t size = std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 |
                                   std::uint32_t{at[3]};
        if (size == 0) throw FileError(fmt::format("{}: IDX dimension {} is empty", where, axis));
        if (__builtin_mul_overflow(count, std::uint64_t{size}, &count))
            throw FileError(fmt::format("{}: the IDX sizes are too large", where));
        array.sizes.push_back(size);
    }
    if (count != bytes.size() - header)
        throw FileError(fmt::format("{}: the IDX header promises {} bytes, but {} follow", where, count,
                                    bytes.size() - header));
    array.bytes = bytes.subspan(header);
    return array;
}

std::vector<std::uint8_t> gunzip(std::span<const std::uint8_t> packed, std::size_t limit, const std::string& where) {
    if (packed.size() < 2 || packed[0] != 0x1f || packed[1] != 0x8b) return {packed.begin(), packed.end()};
    constexpr std::size_t most_per_byte = 1032; // deflate packs no tighter
    const std::size_t most = std::min(limit, packed.size() * most_per_byte);
    std::size_t promised = 0; // by the last four bytes; what is promised wrongly costs a second try
    for (std::size_t i = 1; i <= std::min<std::size_t>(4, packed.size()); ++i) promised = promised << 8 | packed[packed.size() - i];
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
        libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    if (!inflater) throw FileError(fmt::format("{}: no memory to unpack it", where));
    std::vector<std::uint8_t> out(std::min(promised, most));
    std::size_t read = 0, made = 0;
    const auto unpack = [&] {
        return libdeflate_gzip_decompress_ex(inflater.get(), packed.data(), packed.size(), out.data(), out.size(), &read, &made);
    };
    libdeflate_result result = unpack();
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE && out.size() < most) {
        out.resize(most);
        result = unpack();
    }
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) throw FileError(fmt::format("{}: unpacks to more than {} bytes", where, limit));
    if (result != LIBDEFLATE_SUCCESS) throw FileError(fmt::format("{}: the gzip data is damaged or cut off", where));
    if (read < packed.size()) throw FileError(fmt::format("{}: {} bytes follow the gzip data", where, packed.size() - read));
    out.resize(made);
    return out;
}

std::vector<std::uint8_t> read_file(const std::filesystem::path& path, std::size_t limit) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        throw FileError(fmt::format("{}: {}", path.string(),
                                    std::filesystem::exists(path, error) ? "is not a file" : "no such file"));
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) throw FileError(fmt::format("{}: {}", path.string(), error.message()));
    if (size > limit) throw FileError(fmt::format("{}: {} bytes, more than the {} allowed", path.string(), size, limit));
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (file.gcount() != static_cast<std::streamsize>(bytes.size()))
        throw FileError(fmt::format("{}: cut off while it was read", path.string()));
    return bytes;
}

} // namespace gradus
