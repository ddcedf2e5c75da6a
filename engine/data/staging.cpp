#include "engine/data/staging.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace gradus {

namespace {

class PageBuffer : public StagingBuffer {
public:
    explicit PageBuffer(std::size_t wanted) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        if (wanted > SIZE_MAX - page) throw std::bad_alloc();
        bytes_ = (std::max<std::size_t>(1, wanted) + page - 1) / page * page;
        void* const made = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (made == MAP_FAILED) throw std::bad_alloc();
        data_ = static_cast<std::byte*>(made);
        if (mlock(data_, bytes_) == 0) {
            locked_ = true;
            text_ = "page-locked";
            return;
        }
        const int error = errno;
        std::memset(data_, 0, bytes_); // so that no copy waits for its pages
        rlimit limit{};
        getrlimit(RLIMIT_MEMLOCK, &limit);
        text_ = fmt::format("not page-locked: {} (RLIMIT_MEMLOCK is {} bytes)", std::strerror(error), limit.rlim_cur);
    }
    ~PageBuffer() override { munmap(data_, bytes_); } // unlocks, too
    PageBuffer(const PageBuffer&) = delete;
    PageBuffer& operator=(const PageBuffer&) = delete;

    std::byte* data() const override { return data_; }
    std::size_t bytes() const override { return bytes_; }
    bool locked() const override { return locked_; }
    std::string text() const override { return text_; }

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
    bool locked_ = false;
    std::string text_;
};

} // namespace

std::unique_ptr<StagingBuffer> page_locked_buffer(std::size_t bytes) { return std::make_unique<PageBuffer>(bytes); }

} // namespace gradus
