#pragma once

#include <cstdint>
#include <string>

namespace gradus::simt {

/// What printf would write. Each word is an integer, a pointer, or the bits of a double, as its conversion says; %s takes a pointer to
/// text. Conversions without a word, and those that printf in a kernel does not have, stand as they are.
std::string print_words(const char* format, const std::uint64_t* words, std::uint32_t count);

} // namespace gradus::simt
