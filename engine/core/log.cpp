#include "engine/core/log.hpp"

#include <atomic>

namespace gradus {

namespace {
std::atomic<LogCallback> current{nullptr};
}

void set_log_callback(LogCallback callback) { current.store(callback); }

void log(LogLevel level, std::string_view message) {
    if (const LogCallback callback = current.load()) callback(level, message);
}

} // namespace gradus
