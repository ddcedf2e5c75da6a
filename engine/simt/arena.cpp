#include "engine/simt/arena.hpp"

#include "engine/core/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gradus::simt {

struct Arena::Header {
    std::uint64_t magic = 0, request_bytes = 0, memory_offset = 0, answer_offset = 0, answer_bytes = 0;
};

namespace {
constexpr std::uint64_t magic = 0x6772616475733031u; // "gradus01"
constexpr std::uint64_t page = 4096, request_offset = 2 * page;
constexpr std::uint64_t answer_room = std::uint64_t{8} << 30; // bytes: address space only
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
    bytes_ = answer_offset_ + answer_room;
    file_ = memfd_create("gradus kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    // Its size is fixed: where the child cut it short, this process would end when it reads what is gone.
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes_)) != 0 || fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw UnavailableError(fmt::format("no memory to share with the kernel's process: {}", std::strerror(errno)));
    map();
    header() = {magic, request_bytes_, memory_offset_, answer_offset_, 0};
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
    if (file_ >= 0) close(file_);
}

std::span<const std::byte> Arena::request() const { return {base_ + request_offset, request_bytes_}; }
std::byte* Arena::memory() const { return base_ + memory_offset_; }

void Arena::answer(std::span<const std::byte> bytes) {
    if (bytes.size() > bytes_ - answer_offset_) throw FileError(fmt::format("the answer of {} bytes is too long", bytes.size()));
    std::memcpy(base_ + answer_offset_, bytes.data(), bytes.size());
    header().answer_bytes = bytes.size();
}

std::span<const std::byte> Arena::answer() const {
    const std::uint64_t bytes = header().answer_bytes;
    return {base_ + answer_offset_, bytes <= bytes_ - answer_offset_ ? bytes : 0};
}

} // namespace gradus::simt
