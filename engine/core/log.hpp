#pragma once

#include <string_view>

namespace gradus {

enum class LogLevel { info, warning };

/// One place that messages of the engine go to; quiet until somebody sets it. Thread-safe to call;
/// set it before threads start.
using LogCallback = void (*)(LogLevel, std::string_view message);
void set_log_callback(LogCallback callback);
void log(LogLevel level, std::string_view message);

} // namespace gradus
