#include "engine/simt/runtime/indexed_array.hpp"

#include <fmt/format.h>

namespace gradus::simt {

std::string index_words(const IndexedArray& array, void* index) {
    std::string type = static_cast<const char*>(array.array->name);
    if (type.size() > 1 && type.front() == '\'' && type.back() == '\'') type = type.substr(1, type.size() - 2);
    const unsigned bits = 1u << (array.index->about >> 1);
    if (bits > 64) return fmt::format("an index that is outside of an array {}", type);
    const auto number = reinterpret_cast<std::uint64_t>(index) << (64 - bits); // what is above its bits says nothing
    if (array.index->about & 1) return fmt::format("index {} of an array {}", static_cast<std::int64_t>(number) >> (64 - bits), type);
    return fmt::format("index {} of an array {}", number >> (64 - bits), type);
}

} // namespace gradus::simt
