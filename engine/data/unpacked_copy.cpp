#include "engine/data/unpacked_copy.hpp"

#include "engine/core/hash.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <span>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gradus {

namespace {

constexpr std::array<char, 8> magic{'G', 'R', 'A', 'D', 'U', 'S', 'd', '1'};
constexpr std::uint64_t most_rows = 1 << 24, most_columns = 1 << 20, most_bytes = std::uint64_t{1} << 32;
constexpr std::size_t piece = 256 << 10; // bytes that are read and hashed while they are in a core's own cache
constexpr std::uint64_t section = 64; // as the pool aligns its buffers

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + section - 1) / section * section; }

struct Size {
    std::uint64_t rows, columns;
    std::uint64_t bytes() const { return padded(rows * columns) + padded(rows * sizeof(std::int32_t)); } // pixels and classes
    bool legal() const { return rows > 0 && rows <= most_rows && columns > 0 && columns <= most_columns && bytes() <= most_bytes; }
};

struct alignas(section) Header {
    std::array<char, 8> magic;
    std::uint64_t originals, hash;
    Size train, test;
};

/// 0 if one of them is not there.
std::uint64_t fingerprint(const std::vector<std::filesystem::path>& files) {
    std::string text;
    for (const std::filesystem::path& file : files) {
        struct stat about {};
        if (::stat(file.c_str(), &about) != 0) return 0;
        text += fmt::format("{}\n{} {} {} {} {}\n", file.string(), about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
                            about.st_ctim.tv_sec, about.st_ctim.tv_nsec); // the second one cannot be set back
    }
    return hash_text(text);
}

/// Closes it, and so gives its lock back.
struct Descriptor {
    int number = -1;
    explicit Descriptor(int opened) : number(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

bool write_all(int file, const void* data, std::size_t bytes) {
    const auto* at = static_cast<const std::byte*>(data);
    while (bytes > 0) {
        const ssize_t written = ::write(file, at, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        bytes -= static_cast<std::size_t>(written);
    }
    return true;
}

bool read_all(int file, void* data, std::size_t bytes, std::size_t from) {
    auto* at = static_cast<std::byte*>(data);
    while (bytes > 0) {
        const ssize_t read = ::pread(file, at, bytes, static_cast<off_t>(from));
        if (read < 0 && errno == EINTR) continue;
        if (read <= 0) return false;
        at += read;
        from += static_cast<std::size_t>(read);
        bytes -= static_cast<std::size_t>(read);
    }
    return true;
}

/// The file under this name is still the one that is open; another process may have put it in place meanwhile.
bool still_named(int file, const std::filesystem::path& path) {
    struct stat opened {}, named {};
    return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

} // namespace

UnpackedCopy::UnpackedCopy(std::filesystem::path file, const std::vector<std::filesystem::path>& originals)
    : file_(std::move(file)), originals_(fingerprint(originals)) {}

std::unique_ptr<Dataset> UnpackedCopy::read() const {
    if (originals_ == 0) return nullptr;
    const Descriptor file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); // a pipe is not waited for
    struct stat about {};
    if (file.number < 0 || ::fstat(file.number, &about) != 0 || !S_ISREG(about.st_mode)) return nullptr;
    const auto length = static_cast<std::size_t>(about.st_size);
    Header header{};
    if (::pread(file.number, &header, sizeof header, 0) != sizeof header) return nullptr;
    if (header.magic != magic || header.originals != originals_ || !header.train.legal() || !header.test.legal()) return nullptr;
    if (length != sizeof header + header.train.bytes() + header.test.bytes()) return nullptr;
    // Not mapped: what another program does to the file later must not change what a Run has been said to be made of.
    const auto pool = std::make_shared<BufferPool>();
    std::size_t at = sizeof header;
    bool whole = true;
    auto set = std::make_unique<Dataset>();
    std::vector<std::uint64_t> hashes;
    const auto tensor = [&](Shape shape, DType dtype) {
        const auto bytes = static_cast<std::size_t>(shape.elements()) * size_of(dtype);
        const StorageRef storage = pool->allocate(bytes);
        auto* const data = static_cast<std::byte*>(storage.data());
        std::size_t done = 0;
        const auto next = [&]() -> std::span<const std::byte> {
            const std::size_t part = std::min(piece, bytes - done);
            whole = whole && read_all(file.number, data + done, part, at + done);
            return {data + std::exchange(done, done + part), whole ? part : 0};
        };
        hashes.push_back(hash_pieces(next, hash_seed(dtype, shape)));
        at += padded(bytes);
        return Tensor(storage, std::move(shape), dtype);
    };
    const auto split = [&](const Size& size, Tensor& x, Tensor& y) {
        const Axis examples{static_cast<Dim>(size.rows), "N"};
        x = tensor({examples, {static_cast<Dim>(size.columns), "pixel"}}, DType::u8);
        y = tensor({examples}, DType::i32);
    };
    split(header.train, set->x, set->y);
    split(header.test, set->test_x, set->test_y);
    set->hash = joined_hash(hashes);
    return whole && set->hash == header.hash ? std::move(set) : nullptr;
}

bool UnpackedCopy::write(const Dataset& set) const {
    if (originals_ == 0) return false;
    std::error_code error;
    std::filesystem::create_directories(file_.parent_path(), error);
    std::filesystem::path part = file_;
    part += ".part";
    const Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    if (file.number < 0 || ::flock(file.number, LOCK_EX | LOCK_NB) != 0 || !still_named(file.number, part)) return false;
    const auto size = [](const Tensor& x) { return Size{static_cast<std::uint64_t>(x.shape()[0]), static_cast<std::uint64_t>(x.shape()[1])}; };
    const Header header{magic, originals_, set.hash, size(set.x), size(set.test_x)};
    const std::array<std::byte, section> zeros{};
    bool whole = ::ftruncate(file.number, 0) == 0 && write_all(file.number, &header, sizeof header);
    for (const Tensor* tensor : {&set.x, &set.y, &set.test_x, &set.test_y})
        whole = whole && write_all(file.number, tensor->raw(), tensor->bytes()) &&
                write_all(file.number, zeros.data(), padded(tensor->bytes()) - tensor->bytes());
    if (whole) std::filesystem::rename(part, file_, error);
    if (!whole || error) {
        ::unlink(part.c_str());
        return false;
    }
    return true;
}

} // namespace gradus
