#include "engine/trace/file/recording_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>

namespace gradus::file {

namespace {
int open_log(const std::filesystem::path& file) { return ::open((file.string() + "-wal").c_str(), O_RDONLY | O_CLOEXEC); }
} // namespace

RecordingLock::RecordingLock(const std::filesystem::path& file) : descriptor_(open_log(file)) {
    if (descriptor_ < 0) return;
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {} // a reader that looks holds it for microseconds
}

RecordingLock::~RecordingLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool is_being_recorded(const std::filesystem::path& file) {
    const int log = open_log(file);
    if (log < 0) return false;
    const bool held = ::flock(log, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(log);
    return held;
}

} // namespace gradus::file
