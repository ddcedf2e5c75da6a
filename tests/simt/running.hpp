#pragma once

#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/types.h>

namespace gradus::test {

/// Neither gone nor a zombie, which somebody else's father has yet to look at.
inline bool runs(pid_t process) {
    std::ifstream status(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(status, text);
    const std::size_t name = text.rfind(')');
    return name != std::string::npos && text.size() > name + 2 && text[name + 2] != 'Z';
}

} // namespace gradus::test
