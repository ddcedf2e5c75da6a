#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gradus::simt {

/// What printf would write. Each word is an integer, a pointer, or the bits of a double, as its conversion says; %s takes a pointer to
/// text. Conversions without a word, and those that printf in a kernel does not have, stand as they are.
std::string print_words(const char* format, const std::uint64_t* words, std::uint32_t count);

/// What a launch prints, as far as it is kept. Where something is left out, so is all that follows.
struct PrintedText {
    static constexpr std::size_t most = 1 << 20; ///< bytes
    std::string text;
    std::uint64_t left_out = 0; ///< bytes
    void add(std::string_view more);
};

} // namespace gradus::simt
