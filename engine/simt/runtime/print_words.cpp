#include "engine/simt/runtime/print_words.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace gradus::simt {

namespace {

template <class T> void append(std::string& to, const std::string& spec, T value) {
    const int count = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (count <= 0) return;
    const std::size_t before = to.size();
    to.resize(before + static_cast<std::size_t>(count) + 1);
    std::snprintf(to.data() + before, static_cast<std::size_t>(count) + 1, spec.c_str(), value);
    to.pop_back();
}

} // namespace

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
        const std::uint64_t word = words[next++];
        const std::string spec(at, head); // without its length: each word is given as wide as it may be
        if (std::strchr("fFeEgGaA", conversion)) append(out, spec + conversion, std::bit_cast<double>(word));
        else if (conversion == 's') append(out, spec + 's', reinterpret_cast<const char*>(word));
        else if (conversion == 'p') append(out, spec + 'p', reinterpret_cast<const void*>(word));
        else if (conversion == 'c') append(out, spec + 'c', static_cast<int>(word));
        else if (std::memchr(at + head, 'l', length) || std::memchr(at + head, 'z', length) || std::memchr(at + head, 'j', length) ||
                 std::memchr(at + head, 't', length))
            append(out, spec + "ll" + conversion, static_cast<long long>(word));
        else append(out, spec + conversion, static_cast<int>(word));
        at += head + length + 1;
    }
    return out;
}

void PrintedText::add(std::string_view more) {
    std::size_t kept = left_out ? 0 : std::min(more.size(), most - text.size());
    while (kept > 0 && kept < more.size() && (more[kept] & 0xc0) == 0x80) --kept; // a letter of several bytes is kept whole
    text += more.substr(0, kept);
    left_out += more.size() - kept;
    if (kept == more.size()) return;
    constexpr std::size_t longest = 4096; // a line longer than that is cut in the middle
    const std::size_t end = text.rfind('\n');
    if (end == std::string::npos || text.size() - end > longest) return;
    left_out += text.size() - (end + 1);
    text.resize(end + 1);
}

} // namespace gradus::simt
