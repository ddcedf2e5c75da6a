#pragma once

#include <cstdint>
#include <string>

namespace gradus::simt {

/// What the compiler hands over with an index that is outside of its array (-fsanitize=bounds), as its run-time library declares it.
struct IndexedArray {
    struct Type {
        std::uint16_t kind;  ///< 0: an integer
        std::uint16_t about; ///< of an integer: bit 0: signed; above it the binary logarithm of its bits
        char name[1];        ///< and what follows: 'float [8]', quoted
    };
    struct {
        const char* file;
        std::uint32_t line, column;
    } place;
    const Type* array;
    const Type* index;
};

/// "index 9 of an array float [8]". `index` is the number itself, or where it lies if it has more than 64 bits.
std::string index_words(const IndexedArray& array, void* index);

} // namespace gradus::simt
