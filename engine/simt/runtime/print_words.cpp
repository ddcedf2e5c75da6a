#include "engine/simt/runtime/print_words.hpp"

#include <bit>
#include <cstdio>
#include <cstring>

namespace gradus::simt {

std::string print_words(const char* format, const std::uint64_t* words, std::uint32_t count) {
    std::string out;
    std::uint32_t next = 0;
    for (const char* at = format; *at;) {
        if (*at != '%') {
            out += *at++;
            continue;
        }
        if (at[1] == '%') {
            out += '%';
            at += 2;
            continue;
        }
        const std::size_t head = std::strspn(at + 1, "-+ #0123456789.") + 1, length = std::strspn(at + head, "hlzjt");
        const char conversion = at[head + length];
        if (!conversion || !std::strchr("diouxXcsfFeEgGaAp", conversion) || next == count || head > 24) {
            out += *at++;
            continue;
        }
        char text[512];
        const std::uint64_t word = words[next++];
        const std::string spec(at, head); // without its length: each word is given as wide as it may be
        if (std::strchr("fFeEgGaA", conversion)) std::snprintf(text, sizeof text, (spec + conversion).c_str(), std::bit_cast<double>(word));
        else if (conversion == 's') std::snprintf(text, sizeof text, (spec + 's').c_str(), reinterpret_cast<const char*>(word));
        else if (conversion == 'p') std::snprintf(text, sizeof text, (spec + 'p').c_str(), reinterpret_cast<const void*>(word));
        else if (conversion == 'c') std::snprintf(text, sizeof text, (spec + 'c').c_str(), static_cast<int>(word));
        else if (std::memchr(at + head, 'l', length) || std::memchr(at + head, 'z', length) || std::memchr(at + head, 'j', length) ||
                 std::memchr(at + head, 't', length))
            std::snprintf(text, sizeof text, (spec + "ll" + conversion).c_str(), static_cast<long long>(word));
        else std::snprintf(text, sizeof text, (spec + conversion).c_str(), static_cast<int>(word));
        out += text;
        at += head + length + 1;
    }
    return out;
}

} // namespace gradus::simt
