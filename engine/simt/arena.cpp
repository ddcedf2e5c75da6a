#include "engine/simt/arena.hpp"

#include "engine/core/error.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gradus::simt {

struct Arena::Header {
    std::uint64_t magic = 0, request_bytes = 0, memory_offset = 0, answer_offset = 0, answer_bytes = 0;
    std::int64_t blocks = 0, steps = 0;
};

namespace {
constexpr std::uint64_t magic = 0x6772616475733031u; // "gradus01"
constexpr std::uint64_t page = 4096, request_offset = 2 * page;
constexpr std::uint64_t most_answer = std::uint64_t{8} << 30; // bytes: address space only
constexpr std::uint64_t pages(std::uint64_t bytes) { return (bytes + page - 1) / page * page; }
} // namespace

Arena::Header& Arena::header() const { return *reinterpret_cast<Header*>(base_ + page); }

void Arena::map() {
    void* where = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (where == MAP_FAILED) throw UnavailableError(fmt::format("no memory to share with the kernel's process: {}", std::strerror(errno)));
    base_ = static_cast<std::byte*>(where);
}

Arena::Arena(std::span<const std::byte> request, std::uint64_t memory_bytes)
    : memory_offset_(pages(request_offset + request.size())), answer_offset_(pages(memory_offset_ + memory_bytes) + page), request_bytes_(request.size()) {
    bytes_ = answer_offset_ + most_answer;
    file_ = memfd_create("gradus kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    // Its size is fixed: where the child cut it short, this process would end when it reads what is gone.
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes_)) != 0 || fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw UnavailableError(fmt::format("no memory to share with the kernel's process: {}", std::strerror(errno)));
    map();
    header() = {magic, request_bytes_, memory_offset_, answer_offset_, 0, 0, 0};
    if (!request.empty()) std::memcpy(base_ + request_offset, request.data(), request.size());
}

Arena::Arena(int file) : file_(file) {
    struct stat status {};
    if (fstat(file, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < request_offset) throw FileError("descriptor: no memory of the lab's was handed over");
    bytes_ = static_cast<std::uint64_t>(status.st_size);
    map();
    const Header known = header();
    request_bytes_ = known.request_bytes, memory_offset_ = known.memory_offset, answer_offset_ = known.answer_offset;
    if (known.magic != magic || memory_offset_ > bytes_ || request_bytes_ > memory_offset_ - request_offset || answer_offset_ > bytes_) throw FileError("descriptor: no memory of the lab's was handed over");
}

Arena::~Arena() {
    if (base_) munmap(base_, bytes_);
    if (file_ >= 0) ::close(file_);
}

std::span<const std::byte> Arena::request() const { return {base_ + request_offset, request_bytes_}; }
std::byte* Arena::memory() const { return base_ + memory_offset_; }

void Arena::answered(std::size_t bytes) { header().answer_bytes = bytes; }

std::span<const std::byte> Arena::answer() const {
    const std::uint64_t bytes = header().answer_bytes;
    return {base_ + answer_offset_, bytes <= bytes_ - answer_offset_ ? bytes : 0};
}

void Arena::tell_blocks(std::int64_t count) const { std::atomic_ref(header().blocks).store(count, std::memory_order_relaxed); }
std::int64_t Arena::blocks_told() const { return std::atomic_ref(header().blocks).load(std::memory_order_relaxed); }
std::int64_t& Arena::steps() const { return header().steps; }
std::int64_t Arena::steps_told() const { return std::atomic_ref(header().steps).load(std::memory_order_relaxed); }

void Arena::close() {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(answer_offset_), static_cast<off_t>(bytes_ - answer_offset_));
    munmap(base_ + answer_offset_, bytes_ - answer_offset_);
    bytes_ = answer_offset_;
    ::close(std::exchange(file_, -1));
}

OwnMemory::OwnMemory(const Arena& arena) : arena_(arena), bytes_(arena.answer_offset_ - arena.memory_offset_) {
    void* where = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, arena.file_, static_cast<off_t>(arena.memory_offset_));
    if (where == MAP_FAILED) throw UnavailableError(fmt::format("no memory for the kernel's buffers: {}", std::strerror(errno)));
    data_ = static_cast<std::byte*>(where);
}

OwnMemory::~OwnMemory() { munmap(data_, bytes_); }

void OwnMemory::begin_again() { madvise(data_, bytes_, MADV_DONTNEED); }

void OwnMemory::hand_over() {
    std::byte* to = arena_.memory();
    for (std::size_t at = 0; at < bytes_; at += page)
        if (std::memcmp(to + at, data_ + at, page) != 0) std::memcpy(to + at, data_ + at, page);
}

} // namespace gradus::simt
