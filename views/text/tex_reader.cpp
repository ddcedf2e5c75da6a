#include "views/text/tex_reader.hpp"

#include "views/text/formula.hpp"

#include <fmt/format.h>

namespace gradus {

std::u32string TexReader::from_utf8(std::string_view text) {
    std::u32string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const std::size_t length = byte < 0x80 ? 1 : byte >> 5 == 6 ? 2 : byte >> 4 == 14 ? 3 : byte >> 3 == 30 ? 4 : 0;
        if (length == 0 || i + length > text.size()) {
            out += U'\uFFFD';
            ++i;
            continue;
        }
        char32_t c = length == 1 ? byte : byte & (0x7f >> length);
        for (std::size_t k = 1; k < length; ++k) c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
        out += c < 0x110000 ? c : U'\uFFFD';
        i += length;
    }
    return out;
}

void TexReader::skip_spaces() {
    while (!done() && (in_[at_] == U' ' || in_[at_] == U'\n' || in_[at_] == U'\t')) ++at_;
}

std::string TexReader::command_here() const {
    if (peek() != U'\\' || at_ + 1 >= in_.size()) return {};
    std::size_t end = at_ + 1;
    while (end < in_.size() && is_latin(in_[end])) ++end;
    if (end == at_ + 1) ++end;
    return to_utf8(std::u32string_view(in_).substr(at_ + 1, end - at_ - 1));
}

void TexReader::skip_command() {
    ++at_;
    if (!done() && !is_latin(in_[at_])) ++at_;
    else while (!done() && is_latin(in_[at_])) ++at_;
}

std::u32string TexReader::raw(const std::string& command) {
    const std::size_t place = at_;
    skip_spaces();
    if (peek() != U'{') throw TexRefusal{place, fmt::format("\\{} needs {{…}} after it", command)};
    const std::size_t from = ++at_;
    while (!done() && peek() != U'}') ++at_;
    if (done()) throw TexRefusal{from - 1, "this { is never closed"};
    return in_.substr(from, at_++ - from);
}

} // namespace gradus
