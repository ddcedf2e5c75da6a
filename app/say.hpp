#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace gradus {

/// Says something on standard error. Where that cannot be written nobody hears it, and that is no reason to stop.
template <class... Words> void say(fmt::format_string<Words...> form, Words&&... words) {
    const std::string text = fmt::format(form, std::forward<Words>(words)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace gradus
